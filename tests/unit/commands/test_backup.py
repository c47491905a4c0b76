"""`onward backup`: transcripts that were kept when a session ended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch


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
