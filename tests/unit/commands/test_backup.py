"""`onward backup`: transcripts that were kept when a session ended."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.storage import reading

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


def test_one_that_waits_beside_it_is_named(onward: Onward, pending: Path) -> None:
    beside(pending, "20260228_140000.jsonl")
    told = onward("backup", "resume").err
    assert "1 more backup is pending (onward backup list):" in told
    assert "1. 20260228_140000.jsonl · " in told
    assert "Use RS256, not HS256" in told


def test_of_many_the_first_three_are_named(onward: Onward, pending: Path) -> None:
    for day in range(10, 15):
        beside(pending, f"202602{day}_140000.jsonl")
    told = onward("backup", "discard").err
    assert "5 more backups are pending (onward backup list); to discard all: onward " in told
    assert "1. 20260214_140000.jsonl · " in told
    assert "3. 20260212_140000.jsonl · " in told
    assert "20260211" not in told
    assert "and 2 more" in told


def test_one_is_picked_by_its_number(onward: Onward, pending: Path) -> None:
    older = [beside(pending, f"202602{day}_140000.jsonl") for day in (20, 10)]
    assert "pending, 2" in onward("backup", "list").out
    answer = onward("backup", "resume", "2")
    assert answer.code == 0, answer.err
    assert set(marked(pending)) == {str(pending), str(older[1])}
    answer = onward("backup", "discard", "2")
    assert older[1].name in answer.out
    assert marked(pending) == [str(pending)]


@pytest.mark.parametrize("verb", ["resume", "discard"])
@pytest.mark.parametrize(("number", "code"), [("2", 3), ("0", 2), ("x", 2), ("٣", 2)])
def test_a_number_that_picks_none_changes_nothing(
    onward: Onward, pending: Path, verb: str, number: str, code: int
) -> None:
    assert onward("backup", verb, number).code == code
    assert marked(pending) == [str(pending)]
    assert pending.exists()


def test_what_was_discarded_comes_back_and_waits_again(onward: Onward, pending: Path) -> None:
    before = pending.read_bytes()
    answer = onward("backup", "discard")
    assert f"to bring it back: onward restore {pending.stem}" in answer.err
    assert onward("restore", pending.stem).code == 0
    assert pending.read_bytes() == before
    assert marked(pending) == [str(pending)]


def test_one_that_is_too_large_for_the_trash_stays_and_is_not_called_discarded(
    onward: Onward, pending: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LARGEST_CACHE", 5)
    answer = onward("backup", "discard")
    assert "Not offered any more" in answer.out
    assert "Discarded" not in answer.out
    assert pending.exists()
    assert "no backup is pending" in onward("backup", "discard").err


def test_all_are_discarded_at_once(onward: Onward, pending: Path) -> None:
    other = beside(pending, "20260228_140000.jsonl")
    answer = onward("backup", "discard", "--all")
    assert answer.code == 0
    assert pending.name in answer.out
    assert other.name in answer.out
    assert not list(pending.parent.iterdir())
    assert not (pending.parent.parent / ".pending-backup").exists()


class TestAWordAndItsAnswer:
    """A backup that the log calls trivial stands behind the work."""

    @pytest.fixture
    def trivial(self, pending: Path) -> Path:
        later = beside(pending, "20260301_150000.jsonl", trivial=True)
        assert later.name > pending.name
        return later

    def test_the_work_is_resumed_and_the_later_one_waits_on(
        self, onward: Onward, pending: Path, trivial: Path
    ) -> None:
        answer = onward("backup", "resume")
        assert "Add a login with JWT" in answer.out
        assert f"1. {trivial.name} · " in answer.err
        assert marked(pending) == [str(trivial)]

    def test_older_ones_go_with_the_work_and_their_copies_stay(
        self, onward: Onward, pending: Path, trivial: Path
    ) -> None:
        older = beside(pending, "20260228_140000.jsonl", trivial=True)
        real = beside(pending, "20260227_140000.jsonl")
        assert onward("backup", "resume").code == 0
        assert set(marked(pending)) == {str(real), str(trivial)}
        assert older.exists()

    def test_a_trivial_one_takes_no_other_with_it(
        self, onward: Onward, pending: Path, trivial: Path
    ) -> None:
        older = beside(pending, "20260228_140000.jsonl", trivial=True)
        pending.unlink()
        assert onward("backup", "resume").code == 0
        assert marked(pending) == [str(older)]


@pytest.mark.parametrize("verb", ["resume", "discard"])
@pytest.mark.parametrize(
    ("save", "place"), [(["save", "add-jwt-login"], "add-jwt-login"), (["document"], "session-")]
)
def test_where_none_is_pending_what_was_saved_last_is_named(
    onward: Onward, verb: str, save: list[str], place: str
) -> None:
    assert onward(*save).code == 0
    answer = onward("backup", verb)
    assert place in answer.err
    if verb == "discard":
        assert answer.code == 3
        assert "  try: onward resume " in answer.err


def test_what_another_session_saved_later_is_named(onward: Onward, scratch: Scratch) -> None:
    memory = scratch.root / ".claude/memory"
    copy = memory / "raw/20260301_140000_logout.jsonl"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(scratch.transcript.read_bytes())
    os.utime(copy, (1, 1))
    (memory / ".pending-backup").write_text(f"{copy}\n")
    assert onward("save", "add-jwt-login").code == 0
    told = onward("backup", "resume").err
    assert "1. checkpoint `add-jwt-login` · less than a minute old" in told


def beside(pending: Path, name: str, *, trivial: bool = False) -> Path:
    """Another backup that waits, of another session."""
    other, memory = pending.with_name(name), pending.parent.parent
    other.write_bytes(pending.read_bytes())
    with (memory / ".backup-log").open("a") as log:
        end = " trivial" if trivial else ""
        log.write(f"2026-03-01T14:00:00+00:00 saved {name} session={name} reason= bytes=1{end}\n")
    with (memory / ".pending-backup").open("a") as marker:
        marker.write(f"{other}\n")
    return other


def marked(pending: Path) -> list[str]:
    return (pending.parent.parent / ".pending-backup").read_text().splitlines()
