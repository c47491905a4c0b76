"""What the user typed behind a slash command is read as they meant it, and never raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.commands.slash import as_typed, unframed, wanted, whole, words
from onward.errors import UsageError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n ", []),
        ("save name", ["save", "name"]),
        ("save\tname\nmore", ["save", "name", "more"]),
        ('say "two words"', ["say", "two words"]),
        ("say 'two words'", ["say", "two words"]),
        ("don't", ["don't"]),
        ("don't can't", ["don't", "can't"]),
        ('an "open quote', ["an", '"open', "quote"]),
        ('a"b"c', ['a"b"c']),
        ("—task x", ["--task", "x"]),
        ("a — b", ["a", "—", "b"]),
        ('{"a": 1}', ['{"a":', "1}"]),
        ("$(touch x) `y` ;z", ["$(touch", "x)", "`y`", ";z"]),
        ('""', [""]),
        ("登录 页面", ["登录", "页面"]),
    ],
)
def test_words_are_parted(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


@given(st.text())
def test_every_word_keeps_its_letters(text: str) -> None:
    def letters(of: str) -> list[str]:
        return sorted(c for c in of if not c.isspace() and c not in "\"'—–-")

    assert letters("".join(words(text))) == letters(text)


@given(st.text())
def test_any_frame_comes_off(text: str) -> None:
    assert unframed(f'"\n{text}\n"\n') == text.strip()
    assert unframed(text) == unframed(unframed(text)) or text.strip().startswith('"')


@given(st.text())
def test_no_text_breaks_the_reading_of_a_save(text: str) -> None:
    try:
        wish = wanted(text, "/checkpoint")
    except UsageError:
        return
    assert not wish.name.startswith("--")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a b.md", "a b.md"),
        ('"a b.md"', "a b.md"),
        ("'a b.md'", "a b.md"),
        ("'a", "'a"),
        ('"', '"'),
        ("a'b'.md", "a'b'.md"),
        ("'a' or 'b'", "'a' or 'b'"),
        ('"don\'t.md"', "don't.md"),
    ],
)
def test_a_path_is_one_word(text: str, path: str) -> None:
    assert whole(text) == path


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("onward backup resume", "/resume-latest"),
        ("onward backup discard", "/discard-backup"),
        ("onward backup list", "onward backup list"),
        ("onward document list", "/sessions-list"),
        ("onward document", "/document-and-save"),
        ("onward document notes/a.md", "/document-and-save-to notes/a.md"),
        ("onward resume .claude/memory/s.md", "/resume-from .claude/memory/s.md"),
        ("onward resume 'my notes/s.md'", "/resume-from 'my notes/s.md'"),
        ("onward resume 'don'\"'\"'t.md'", '/resume-from "don\'t.md"'),
        ("onward resume 'a'\"'\"'b\"c.md'", "/resume-from a'b\"c.md"),
        ("onward resume session-protocol.json", "/resume-from session-protocol.json"),
        ("onward resume build-login", "/checkpoint resume build-login"),
        ("onward resume build-login --no", "onward resume build-login --no"),
        ("onward save build-login --force", "/checkpoint save build-login --force"),
        ("onward list", "/checkpoint list"),
        ("onward delete build-login", "/checkpoint delete build-login"),
        ("onward protocol save", "/save-session-protocol"),
        ("onward protocol load", "/load-session-protocol"),
        ("onward restore build-login", "onward restore build-login"),
        ("onward show t:5", "onward show t:5"),
    ],
)
def test_a_hint_names_what_can_be_typed_there(said: str, typed: str) -> None:
    assert as_typed(said, "") == typed
    assert as_typed(said, "onward:") == typed.replace("/", "/onward:", 1) or said == typed


def test_words_behind_a_generic_name_were_meant_as_the_name() -> None:
    with pytest.raises(UsageError) as caught:
        wanted("build login page", "/checkpoint save")
    assert caught.value.hint == "/checkpoint save build-login-page"
    assert wanted("fix-login the redirect loses its query", "/checkpoint save").name == "fix-login"
