"""Shortening cuts between words and keeps head and tail."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.brief.text import code, quote, shorten, tag


@given(st.text(max_size=500), st.integers(10, 300))
def test_a_shortened_text_is_short_and_made_of_whole_words(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= max(limit + 4, 4)
    if text.isascii():
        assert set(short.replace("[…]", " ").split()) <= set(text.split())


def test_a_text_within_the_limit_is_left_alone() -> None:
    assert shorten("as it is", 8) == "as it is"


def test_head_and_tail_stay_and_the_middle_goes() -> None:
    text = "Fix the parser. " + "log line " * 100 + "It must accept empty input."
    short = shorten(text, 120)
    assert short.startswith("Fix the parser.")
    assert short.endswith("must accept empty input.")
    assert "[…]" in short


def test_text_without_blanks_is_cut_where_no_path_can_break() -> None:
    assert shorten("继续" * 200, 60).startswith("继续继续")
    assert shorten("/a/very/long/path" * 20, 60) == "[…]"


@pytest.mark.parametrize("limit", range(20, 100, 7))
def test_a_command_in_a_code_span_is_whole_or_absent(limit: int) -> None:
    command = "`pytest -q tests/test_a.py --maxfail 1`"
    text = f"Mend the failing run: {command} — it failed after the last edit of the parser file"
    short = shorten(text, limit)
    assert command in short or "`" not in short


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("ls", "`ls`"),
        ("echo `date`", "`` echo `date` ``"),
        ("a\n  b", "`a b`"),
        ("x``y", "```x``y```"),
    ],
)
def test_a_code_span_survives_what_it_holds(text: str, span: str) -> None:
    assert code(text) == span


def test_a_quotation_has_no_empty_lines() -> None:
    assert quote("one\n\n two \n") == "> one\n>  two"


def test_observed_is_unsaid() -> None:
    assert tag(("t:1", "t:2", "t:3"), "observed") == " [t:1 t:2]"
    assert tag((), "claimed") == " [claimed]"
    assert tag((), "observed") == ""
