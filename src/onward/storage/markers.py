"""The marker of pending backups: one path a line, the one to be offered first on top.

That is the newest with work in it; those that the log calls trivial (a word and its answer) come
behind, as they would bury it. A reader of one line gets the same. Lines that lead nowhere, or to
anything but a copy of `raw/` under a name of ours, count as stale: a marker that came with
somebody's repository must not make us read or delete, nor put its words before a model.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from onward.storage import atomic, reading, roots

if TYPE_CHECKING:
    from onward.storage.project import Project

MARKER = roots.MARKERS[0]
LOG = ".backup-log"
_TRIVIAL = re.compile(r"^\S+ saved (\S+) session=.* trivial$", re.MULTILINE)
_NAME = re.compile(r"([0-9]{8}_[0-9]{6})(?:_([a-z_]{1,40}))?(?:-([0-9]{1,9}))?\.jsonl")


def pending(project: Project) -> list[Path]:
    """The backups that wait, complete ones only, in the order in which they are offered."""
    lines = [line for name in roots.MARKERS for line in _lines(project.memory / name)]
    found = {path for line in lines if (path := _meant(project, line))}
    return _ordered(project, found)


def trivial(project: Project) -> set[str]:
    """The names of the backups in which there is next to nothing, as it was told when they were
    made.
    """
    log = project.memory / LOG
    return set(_TRIVIAL.findall(reading.text(log))) if log.is_file() else set()


def mark(project: Project, backup: Path, *, is_trivial: bool = False) -> None:
    """Add a complete, durable backup at its place in the order; `is_trivial` where the log does
    not tell of it yet. The caller holds the lock of the memory folder.
    """
    lines = [Path(line) for line in _lines(project.memory / MARKER)]
    behind = {backup.name} if is_trivial else set[str]()
    ordered = _ordered(project, [backup, *lines], behind)
    _write(project, MARKER, [str(path) for path in ordered])


def drop(project: Project, done: Collection[Path]) -> int:
    """Take out the lines of `done` and the stale ones; an empty marker goes. The caller holds
    the lock of the memory folder. Returns how many lines went.
    """
    dropped = 0
    for name in roots.MARKERS:
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


def _ordered(project: Project, found: Iterable[Path], more: Collection[str] = ()) -> list[Path]:
    behind = {*trivial(project), *more}
    return sorted(found, key=lambda path: (path.name not in behind, *order(path)), reverse=True)


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
    name = re.split(r"[/\\]", line)[-1]
    if not _NAME.fullmatch(name):
        return None
    path = Path(os.path.realpath(project.memory / "raw")) / name
    is_own = path.is_relative_to(os.path.realpath(project.root)) and not path.is_symlink()
    return path if is_own and path.is_file() and path.stat().st_size else None
