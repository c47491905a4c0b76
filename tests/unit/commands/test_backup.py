"""`onward backup`: transcripts that were kept when a session ended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session


@pytest.fixture
def pending(scratch: Scratch) -> Path:
    """A copy of the session's transcript, named by the marker."""
    memory = scratch.root / ".claude/memory"
    copy = memory / "raw/20260301_140000_logout.jsonl"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(scratch.transcript.read_bytes())
    (memory / ".pending-backup").write_text(f"{copy}\n")
    scratch.transcript.unlink()
    return copy


def test_the_pending_one_is_listed_as_such(onward: Onward, pending: Path) -> None:
    answer = onward("backup", "list")
    assert answer.code == 0
    assert pending.name in answer.out
    assert "pending" in answer.out
    assert onward("backup", "list", "--json").data[0]["pending"] is True


def test_resuming_briefs_updates_the_active_context_and_drops_the_marker(
    onward: Onward, pending: Path, scratch: Scratch
) -> None:
    answer = onward("backup", "resume")
    assert answer.code == 0, answer.err
    assert "📌 Resume: " in answer.out
    assert "tests/test_auth.py" in (pending.parent.parent / "active-context.md").read_text()
    assert not (pending.parent.parent / ".pending-backup").exists()
    assert pending.exists()


def test_discarding_removes_backup_and_marker(onward: Onward, pending: Path) -> None:
    answer = onward("backup", "discard")
    assert answer.code == 0
    assert pending.name in answer.out
    assert not pending.exists()
    assert not (pending.parent.parent / ".pending-backup").exists()


@pytest.mark.parametrize("verb", ["resume", "discard"])
def test_nothing_pending_is_told(verb: str, onward: Onward) -> None:
    answer = onward("backup", verb)
    assert answer.code == 3
    assert "  try: onward " in answer.err


def test_a_broken_backup_keeps_its_marker(onward: Onward, pending: Path) -> None:
    pending.write_bytes(b"\x00\x01 no transcript\n")
    answer = onward("backup", "resume")
    assert answer.code == 4
    assert "onward backup discard" in answer.err
    assert (pending.parent.parent / ".pending-backup").exists()


def test_a_backup_is_listed_with_a_time_that_people_read(onward: Onward, pending: Path) -> None:
    assert "2026-03-01 14:00:00" in onward("backup", "list").out


def test_a_backup_that_a_later_document_overtook_leaves_the_active_context(
    onward: Onward, pending: Path, scratch: Scratch, session: Session
) -> None:
    session(scratch.root, "aaaaaaaa-4f50-4a61-8b72-9c83ad94be05").write(scratch.transcript)
    assert onward("document").code == 0
    active = pending.parent.parent / "active-context.md"
    before = active.read_text()
    answer = onward("backup", "resume")
    assert answer.code == 0, answer.err
    assert "📌 Resume: " in answer.out
    assert active.read_text() == before
    assert not (pending.parent.parent / ".pending-backup").exists()


def test_without_a_pending_one_what_was_saved_last_is_resumed(
    onward: Onward, scratch: Scratch
) -> None:
    onward("save", "add-jwt-login")
    onward("document")
    answer = onward("backup", "resume", "--json")
    assert answer.code == 0
    assert answer.data["kind"] == "document"
    assert "no backup is pending; this is .claude/memory/session-" in answer.err


def test_several_pending_ones_are_counted(onward: Onward, pending: Path) -> None:
    other = pending.with_name("20260302_140000.jsonl")
    other.write_bytes(pending.read_bytes())
    marker = pending.parent.parent / ".pending-backup"
    marker.write_text(f"{other}\n{pending}\n")
    told = onward("document", "list").out.splitlines()[0]
    assert told == (
        "A backup is pending: 20260302_140000.jsonl (onward backup resume), "
        "and 1 more (onward backup list)"
    )
