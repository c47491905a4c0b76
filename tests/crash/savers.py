"""Processes that save, for test_kills.py: `savers.py kills ROOT COUNT`, `savers.py many ROOT ID`."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from onward.model import CheckpointName, Clean
from onward.storage import backups, checkpoints, documents
from onward.storage.project import Project, locate
from onward.storage.trash import Trash

NOW = datetime(2026, 3, 1, 21, 40, tzinfo=UTC)
PER_LIFE = 10_000


def text(number: int) -> Clean:
    """Long enough to be torn, and telling if it was."""
    return Clean(f"{number}\n" * 5000 + "end")


def number_of(path: Path) -> int:
    """The number that a file was saved with. Fails for a torn file."""
    told = path.read_text().split("\n")
    *lines, end = (line for line in told if not line.startswith("**Session ended:**"))
    assert end == "end", path
    assert len(lines) == 5000, path
    assert len(set(lines)) == 1, path
    return int(lines[0])


def save_all(root: Path, number: int) -> None:
    """One of each save, in the order of a session's end and the next one's start."""
    project, trash = locate(root, root), Trash(root / "trash")
    transcript = root / f"transcript-{number // PER_LIFE}"
    with transcript.open("a") as file:
        file.write(f'{{"n":{number}}}\n' * 2000)
    checkpoints.write(project, CheckpointName(f"place-{number % 3}"), text(number), trash)
    checkpoints.write_autosave(project, text(number), Clean(str(number)))
    backups.save(project, transcript, now=NOW, reason="exit", session="s")
    with transcript.open("a") as file:
        file.write('{"n":"late"}\n')
    backups.renew(project, backups.pending(project)[0], transcript, now=NOW)
    backups.stamp_exit(project, at=NOW)
    documents.save(project, lambda _: (text(number), text(number)), now=NOW)
    backups.prune(project, now=NOW, cap=1_000_000)
    backups.process(project, backups.pending(project), text(number), now=NOW)
    backups.put_back(project, since=0, now=NOW)
    documents.rewrite(project, project.protocol, lambda _: text(number))


def inspect(project: Project) -> int:
    """Everything is whole, and the invariants hold; returns the newest document's number."""
    for name in checkpoints.names(project):
        number_of(checkpoints.path_of(project, name))
    if project.protocol.exists():
        number_of(project.protocol)
    marker = project.memory / backups.MARKER
    for line in marker.read_text().splitlines() if marker.exists() else []:
        assert Path(line).read_bytes().endswith(b"}\n"), "a marker names an incomplete backup"
    newest = max(map(number_of, documents.sessions(project)), default=0)
    if newest:
        assert number_of(project.active_context) >= newest, "active-context is older"
    return newest


def live_and_die(root: Path, life: int, longest: float) -> None:
    """A child saves in a loop until it is killed at a random moment."""
    child = os.fork()
    if child == 0:
        for number in range(life * PER_LIFE, (life + 1) * PER_LIFE):
            save_all(root, number)
        os._exit(0)
    time.sleep(random.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def kills(root: Path, count: int) -> None:
    project = locate(root, root)
    newest, started = 0, time.monotonic()
    save_all(root, 1)
    longest = 3 * (time.monotonic() - started)
    for life in range(1, count + 1):
        live_and_die(root, life, longest)
        now = inspect(project)
        assert now >= newest, "a document went back"
        newest = now
    save_all(root, (count + 1) * PER_LIFE)
    assert inspect(project) == (count + 1) * PER_LIFE
    lives = {number_of(path) // PER_LIFE for path in documents.sessions(project)}
    sys.stdout.write(str(len(lives)))


def many(root: Path, name: str) -> None:
    project, trash = locate(root, root), Trash(root / "trash")
    transcript = root / f"{name}.jsonl"
    for turn in range(6):
        transcript.write_text(f'{{"session":"{name}","turn":{turn}}}\n')
        own = CheckpointName(f"place-{name}-{turn}")
        checkpoints.write(project, own, Clean(f"{name}{turn}"), trash)
        checkpoints.write(project, CheckpointName("shared-place"), Clean(f"{name}{turn}"), trash)
        documents.save(project, lambda _: (Clean("c"), Clean(f"{name}{turn}")), now=NOW)  # noqa: B023
        backups.save(project, transcript, now=NOW, reason="exit", session=name)
        documents.rewrite(project, project.protocol, lambda old: Clean(f"{old}{name}{turn} "))  # noqa: B023
        checkpoints.write_autosave(project, Clean("a"), Clean(f"{name}{turn}"))


if __name__ == "__main__":
    verb, where, what = sys.argv[1:]
    if verb == "kills":
        kills(Path(where), int(what))
    else:
        many(Path(where), what)
