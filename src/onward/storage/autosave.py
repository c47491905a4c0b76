"""The autosave: two files of its own, whose places no argument can change."""

from __future__ import annotations

from pathlib import Path

from onward.model import Clean
from onward.storage import atomic, locks, reading
from onward.storage.names import AUTOSAVE, AUTOSAVE_LOG
from onward.storage.project import Project

_LINES = 500  # of the log
_BYTES = 256 * 1024


def write(project: Project, text: Clean, entry: Clean) -> None:
    """Replace autosave.md, then note it in autosave-log.md: the log tells of nothing unsaved.

    Neither may be a link: it could lead to a named checkpoint. Raises RefusedError.
    """
    folder = atomic.within(project.checkpoints, project.root)
    with locks.hold(project.checkpoints / ".lock", inside=project.root):
        atomic.write(folder / f"{AUTOSAVE}.md", text)
        _note(atomic.within(folder / f"{AUTOSAVE_LOG}.md", None), entry)


def _note(log: Path, entry: Clean) -> None:
    """Add one line; of a log that grew too long the newest lines stay."""
    new = " ".join(entry.splitlines()).encode()
    before = reading.data(log) if log.is_file() else b""
    lines = before.splitlines()
    if len(lines) < _LINES and len(before) + len(new) < _BYTES:
        atomic.append_bytes(log, new)
        return
    kept = [*lines, new][-_LINES:]
    while len(kept) > 1 and sum(map(len, kept)) + len(kept) > _BYTES:
        kept.pop(0)
    atomic.write_bytes(log, b"\n".join([*kept, b""]))
