"""A copy whose session was prepared at its end says the same as one that is read now, or is read now."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.unit.commands.conftest import SESSION, Onward, Scratch

from onward.commands import handover, source
from onward.commands.world import World
from onward.storage import backups

NOW = datetime(2026, 3, 1, 14, tzinfo=UTC)
MORE = '{{"type":"user","sessionId":"{}","cwd":"{}","timestamp":"2026-03-01T13:40:00.000Z","message":{{"role":"user","content":"Now write the zebra page"}}}}\n'


@pytest.fixture
def copy(scratch: Scratch) -> Path:
    """The session's copy, pending and prepared."""
    env = dict(os.environ)
    world = World(now=NOW, cwd=scratch.root, home=scratch.home, data=scratch.data, env=env)
    project = world.project
    backups.save(project, scratch.transcript, now=NOW, reason="logout", session=SESSION)
    [made] = backups.pending(project)
    handover.prepare(world, SESSION, scratch.transcript)
    assert kept(scratch).is_file()
    return made


def kept(scratch: Scratch) -> Path:
    return scratch.data / "live" / SESSION / handover.KEPT


def resumed(onward: Onward, scratch: Scratch, copy: Path) -> str:
    """What is told of the copy, which then waits again."""
    answer = onward("backup", "resume")
    assert answer.code == 0, answer.err
    (copy.parent.parent / ".pending-backup").write_text(f"{copy}\n")
    (scratch.root / ".claude/memory/active-context.md").unlink()
    return answer.out


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The copies that were read."""
    seen = list[Path]()
    read = source.distilled

    def noted(path: Path, *more: object) -> object:
        seen.append(path)
        return read(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(source, "distilled", noted)
    return seen


def test_what_was_read_ahead_is_told_without_reading_and_says_the_same(
    onward: Onward, scratch: Scratch, copy: Path, unread: list[Path]
) -> None:
    ahead = resumed(onward, scratch, copy)
    assert unread == []
    kept(scratch).unlink()
    assert resumed(onward, scratch, copy) == ahead
    assert unread == [copy]


def test_a_transcript_that_grew_after_it_was_prepared_is_read_anew(
    onward: Onward, scratch: Scratch, copy: Path
) -> None:
    with copy.open("a") as stream:
        stream.write(MORE.format(SESSION, scratch.root))
    assert "zebra" in resumed(onward, scratch, copy)


def test_other_words_of_the_same_length_and_time_are_read_anew(
    onward: Onward, scratch: Scratch, copy: Path
) -> None:
    before = copy.stat()
    copy.write_bytes(copy.read_bytes().replace(b"JWT", b"XYZ"))
    os.utime(copy, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "XYZ" in resumed(onward, scratch, copy)


def test_a_torn_or_mutated_record_is_as_none(
    onward: Onward, scratch: Scratch, copy: Path, unread: list[Path]
) -> None:
    whole, told = kept(scratch).read_bytes(), resumed(onward, scratch, copy)
    step = max(1, len(whole) // 9)
    damaged = [whole[:end] for end in range(0, len(whole), step)]
    damaged += [
        whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(3, len(whole), step)
    ]
    damaged += [whole.replace(b"JWT", b"XYZ"), b"\0" * len(whole), b"{}", b"\n{}"]
    for data in damaged:
        kept(scratch).write_bytes(data)
        assert resumed(onward, scratch, copy) == told
    assert len(unread) == len(damaged)


def test_other_rules_of_redaction_read_it_anew(
    onward: Onward, scratch: Scratch, copy: Path, unread: list[Path]
) -> None:
    (scratch.root / "onward.toml").write_text('[redaction]\nalso = ["phone"]\n')
    resumed(onward, scratch, copy)
    assert unread == [copy]
