"""A project on a disk that takes no writes: what only has to be read is read."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
BACKUP = "20260301_170000_other.jsonl"


@pytest.fixture
def frozen(saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> Onward:
    """The project with a checkpoint and a pending backup, from now on read-only."""
    raw = scratch.root / ".claude/memory/raw" / BACKUP
    raw.parent.mkdir(parents=True)
    raw.write_bytes(scratch.transcript.read_bytes())
    (scratch.root / ".claude/memory/.pending-backup").write_text(f"{raw}\n")
    real = {name: getattr(os, name) for name in ("open", "mkdir", "replace", "unlink", "utime")}

    def refuse(name: str) -> Any:
        def call(path: Any, *more: Any, **named: Any) -> Any:
            is_ours = str(path).startswith(str(scratch.root))
            if is_ours and (name != "open" or more[0] & WRITES):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            return real[name](path, *more, **named)

        return call

    for name in real:
        monkeypatch.setattr(os, name, refuse(name))
    return saved


def test_the_fixture_refuses(frozen: Onward) -> None:
    assert frozen("note", "Use JWT").code == 6


@pytest.mark.parametrize(
    "words",
    [
        ("resume", "add-jwt-login"),
        ("resume",),
        ("brief", "add-jwt-login"),
        ("show", "add-jwt-login"),
        ("check", "add-jwt-login"),
        ("list",),
        ("backup", "list"),
        ("sessions",),
        ("search", "login"),
        ("document", "list"),
        ("protocol", "load"),
        (),
    ],
)
def test_what_reads_answers(frozen: Onward, words: tuple[str, ...]) -> None:
    answer = frozen(*words)
    assert answer.code in {0, 3, 7}, answer
    assert answer.out or "no " in answer.err


def test_a_pending_backup_is_told_and_stays_pending(frozen: Onward, scratch: Scratch) -> None:
    answer = frozen("backup", "resume")
    assert answer.code == 0, answer.err
    assert "tests/test_auth.py" in answer.out
    assert "stays pending" in answer.err
    assert BACKUP in (scratch.root / ".claude/memory/.pending-backup").read_text()


@pytest.mark.parametrize(
    ("name", "words"), [("resume-latest", ""), ("checkpoint", "resume add-jwt-login")]
)
def test_so_is_it_in_the_client(
    frozen: Onward, name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.BytesIO(f'"\n{words}\n"\n'.encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(typed, encoding="utf-8"))
    answer = frozen("slash", name)
    assert answer.code == 0
    assert "tests/test_auth.py" in answer.out
