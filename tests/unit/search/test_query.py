"""What was typed, and which texts hold it."""

from __future__ import annotations

import unicodedata

import pytest

from onward.model import Clean
from onward.search.query import MARGIN, WINDOW, parse


def texts(*words: str) -> list[str]:
    return [term.text for term in parse(words).terms]


def test_each_word_is_a_term_and_counts_once() -> None:
    assert texts("jwt", "login", "jwt") == ["jwt", "login"]


def test_an_argument_with_blanks_is_a_phrase_as_typed() -> None:
    assert texts("git  push", " jwt ") == ["git  push", "jwt"]


def test_double_quotes_within_an_argument_make_a_phrase_too() -> None:
    assert texts('"git push" conflict') == ["git push", "conflict"]


def test_a_lone_quotation_mark_is_looked_for() -> None:
    assert texts('"') == ['"']


def test_nothing_typed_is_no_term() -> None:
    assert texts("", "  ") == []


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        (["jwt"], "A JWT here", True),
        (["JWT"], "a jwt here", False),
        (["Jwt"], "Jwt", True),
        (["login", "jwt"], "JWT for the login", True),
        (["login", "jwt"], "only the login", False),
        (["git push"], "git  push", False),
        (["配置"], "修改配置文件", True),
        (["エラー"], "型エラーです", True),
        (["cafe\u0301"], "Café", True),
        (["café"], "CAFE\u0301", True),
        (["e"], "é", False),
    ],
)
def test_a_text_is_found_by(words: list[str], text: str, found: bool) -> None:
    assert (parse(words).match(text) is not None) is found


@pytest.mark.parametrize(
    ("word", "text", "whole"),
    [
        ("auth", "the auth module", True),
        ("auth", "authority", False),
        ("auth", "oauth, auth", True),
        ("auth.py", "src/auth.py:4", True),
    ],
)
def test_a_word_of_its_own_is_told_from_a_part_of_one(word: str, text: str, whole: bool) -> None:
    match = parse([word]).match(text)
    assert match is not None
    assert match.in_words is whole


def test_spans_do_not_overlap() -> None:
    assert parse(["aba", "ab"]).spans("xabab") == [(1, 5)]


def test_spans_are_of_the_composed_text() -> None:
    text = unicodedata.normalize("NFC", "naïve")
    assert parse(["nai\u0308ve"]).spans(f"x {text}") == [(2, 7)]


def test_of_a_long_text_the_window_holds_the_hit_and_no_torn_word() -> None:
    text = ("word " * WINDOW) + "needle " + ("other " * WINDOW)
    match = parse(["needle"]).match(text)
    assert match is not None
    cleaned: list[str] = []

    def clean(text: str) -> Clean:
        cleaned.append(text)
        return Clean(text)

    shown = match.around(clean)
    assert len(cleaned[0]) < 2 * WINDOW + 20
    assert set(cleaned[0].split()) == {"word", "needle", "other"}
    assert "needle" in shown
    assert len(shown) == len(cleaned[0]) - 2 * MARGIN


def test_a_run_without_blanks_is_taken_whole() -> None:
    text = f"a {'x' * 3 * WINDOW}needle{'y' * 3 * WINDOW} b"
    match = parse(["needle"]).match(text)
    assert match is not None
    assert match.around(Clean) == text[2 + MARGIN : -2 - MARGIN]
