"""The documents' close signals count as the whole message only."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onward.user_input import is_close_signal, is_significant

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
    "明天見！",  # noqa: RUF001
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


def test_more_than_three_words_are_input_in_any_script() -> None:
    few = ("", "yes", "yes, go on", "好的", "继续吧好")
    many = ("please add a test", "请把登录页面改成蓝色", "ログイン画面を直してください")
    assert [text for text in few if is_significant(text)] == []
    assert [text for text in many if not is_significant(text)] == []
