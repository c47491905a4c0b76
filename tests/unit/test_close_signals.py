"""The documents' close signals count as the whole message only."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onward.close_signals import is_close_signal

SIGNALS = (
    "goodnight",
    "Good night!",
    "good-night",
    "晚安",
    "晚安。",
    "logout",
    "Log out",
    "EXIT",
    "明天见",
    "明天見！",
)
OTHERS = (
    "",
    "exit code 1",
    "add a logout button",
    "goodnight moon",
    "say goodnight to the user",
    "`exit`",
    "exit()",
    "exit?",
    "bye",
    "用户说晚安",
)


def test_each_signal_in_its_spellings_counts() -> None:
    assert [message for message in SIGNALS if not is_close_signal(message)] == []


def test_a_message_that_says_more_is_none() -> None:
    assert [message for message in OTHERS if is_close_signal(message)] == []


@given(st.sampled_from(SIGNALS), st.text(st.characters(categories=("L", "N")), min_size=1))
def test_a_signal_with_any_other_word_is_none(signal: str, word: str) -> None:
    assert not is_close_signal(f"{signal} {word}")
    assert not is_close_signal(f"{word} {signal}")
