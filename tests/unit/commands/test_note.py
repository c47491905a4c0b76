"""`onward note`: a line for SESSION-STATE.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch


def test_the_first_note_makes_the_file(onward: Onward, scratch: Scratch) -> None:
    answer = onward("note", "Use RS256 because the gateway has the public key")
    assert answer.code == 0
    assert (scratch.root / "SESSION-STATE.md").read_text() == (
        "# Session State\n\n## Decisions\n\n"
        "- Use RS256 because the gateway has the public key [asked]\n"
    )
    assert answer.out.startswith("Noted in SESSION-STATE.md under Decisions: Use RS256")


def test_notes_of_one_kind_stand_together(onward: Onward, scratch: Scratch) -> None:
    onward("note", "One")
    onward("note", "Two")
    onward("note", "Short errors", "--as", "preference")
    onward("note", "Three")
    text = (scratch.root / "SESSION-STATE.md").read_text()
    assert text.endswith(
        "## Decisions\n\n- One [asked]\n- Two [asked]\n- Three [asked]\n"
        "\n## Preferences\n\n- Short errors [asked]\n"
    )


def test_what_the_person_wrote_stays_byte_for_byte(onward: Onward, scratch: Scratch) -> None:
    before = b"\xef\xbb\xbfmy STATE\r\n\r\n* odd \xff bytes, no last line break"
    path = scratch.root / "SESSION-STATE.md"
    path.write_bytes(before)
    onward("note", "One")
    assert path.read_bytes() == before + b"\n\n## Decisions\n\n- One [asked]\n"


def test_a_note_is_redacted_and_one_line(onward: Onward, scratch: Scratch, planted: str) -> None:
    onward("note", f"The key\nis {planted}")
    text = (scratch.root / "SESSION-STATE.md").read_text()
    assert planted not in text
    assert "- The key is [REDACTED" in text


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("decision", "Use RS256 because the gateway has the public key"),
        ("preference", "The user prefers short errors"),
        ("dead-end", "HS256 cannot be verified by the gateway"),
        ("blocker", "Permission denied on /etc/gateway.conf"),
        ("correction", "Not the cookie, the header"),
    ],
)
def test_the_next_save_takes_every_kind_in(
    kind: str, words: str, onward: Onward, scratch: Scratch
) -> None:
    onward("note", words, "--as", kind)
    assert onward("save", "add-jwt-login").code == 0
    assert words in (scratch.checkpoints / "add-jwt-login.md").read_text()


@pytest.mark.parametrize("text", ["", "  \n "])
def test_an_empty_note_is_refused(text: str, onward: Onward, scratch: Scratch) -> None:
    assert onward("note", text).code == 2
    assert not (scratch.root / "SESSION-STATE.md").exists()
