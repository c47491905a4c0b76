"""The marker of pending backups: one path a line, the newest first.

A reader of one line gets the newest. Lines that lead nowhere, or out of the project, count
as stale: a marker that came with somebody's repository must not make us read or delete.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from onward.store import atomic, reading

if TYPE_CHECKING:
    from onward.store.project import Project

MARKER = ".pending-backup"
_ALL = (MARKER, ".pending-backup-compact", ".pending-backup-exit")
"""The other two are of later versions of the documents' own scripts: read and emptied."""
_NAME = re.compile(r"(\d{8}_\d{6})(?:_(\w+?))?(?:-(\d+))?\.jsonl")


def pending(project: Project) -> list[Path]:
    """The backups that wait, complete ones only, the newest first."""
    lines = [line for name in _ALL for line in _lines(project.memory / name)]
    found = {path for line in lines if (path := _meant(project, line))}
    return sorted(found, key=order, reverse=True)


def mark(project: Project, backup: Path) -> None:
    """Add a complete, durable backup, the newest on top. The caller holds the lock of the memory
    folder.
    """
    lines = [str(backup), *_lines(project.memory / MARKER)]
    _write(project, MARKER, sorted(lines, key=lambda line: order(Path(line)), reverse=True))


def drop(project: Project, done: Collection[Path]) -> int:
    """Take out the lines of `done` and the stale ones; an empty marker goes. The caller holds
    the lock of the memory folder. Returns how many lines went.
    """
    dropped = 0
    for name in _ALL:
        lines = _lines(project.memory / name)
        kept = [line for line in lines if (path := _meant(project, line)) and path not in done]
        if len(kept) < len(lines) or (not lines and (project.memory / name).is_file()):
            _write(project, name, kept)
        dropped += len(lines) - len(kept)
    return dropped


def order(path: Path) -> tuple[str, float, int]:
    """Sorts backups by the time in their names, those of one second by their own time, then by
    the suffix; other files by their own time.
    """
    try:
        changed = path.stat().st_mtime
    except (OSError, ValueError):  # removed a moment ago, or no name of a file at all
        changed = 0.0
    named = _NAME.fullmatch(path.name)
    if named:
        return named[1], changed, int(named[3] or 1)
    return time.strftime("%Y%m%d_%H%M%S", time.localtime(changed)), changed, 1


def reason_of(path: Path) -> str:
    """Why a backup was made, from its name: `prompt_input_exit`; "" for a compaction."""
    named = _NAME.fullmatch(path.name)
    return named[2] or "" if named else ""


def _lines(marker: Path) -> list[str]:
    if not marker.is_file():
        return []
    text = reading.data(marker).decode("utf-8", "surrogateescape")
    return [line.strip() for line in text.splitlines() if line.strip()]


def _write(project: Project, name: str, lines: list[str]) -> None:
    marker = project.memory / name
    if lines:
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        atomic.write_bytes(marker, data, atomic.PRIVATE, inside=project.root)
    else:
        atomic.remove(marker, inside=project.root)


def _meant(project: Project, line: str) -> Path | None:
    """The backup that a line means; also after the project was moved to another folder."""
    if "\0" in line:
        return None
    own = project.memory / "raw" / re.split(r"[/\\]", line)[-1]
    root = os.path.realpath(project.root)
    for path in (project.root / line, own):
        real = Path(os.path.realpath(path))
        # os.path.isfile takes a name of any length; Path.is_file raises
        if real.is_relative_to(root) and os.path.isfile(real) and real.stat().st_size:  # noqa: PTH113
            return real
    return None
