"""The marker of pending backups: one path a line, the one to be offered first on top.

The order is that of `ranking`. Lines that lead nowhere, or to anything but a copy of `raw/` under a
name of ours, count as stale: a marker that came with somebody's repository must not make us read or
delete, nor put its words before a model.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from onward.storage import atomic, ranking, reading, roots

if TYPE_CHECKING:
    from onward.storage.project import Project

MARKER = roots.MARKERS[0]
LOG = ".backup-log"


def pending(project: Project) -> list[Path]:
    """The backups that wait, complete ones only, in the order in which they are offered."""
    lines = [line for name in roots.MARKERS for line in _lines(project.memory / name)]
    found = {path for line in lines if (path := _meant(project, line))}
    return _ordered(project, found)


def saved(project: Project) -> dict[str, tuple[str, int]]:
    """What the log tells of the backups, as `ranking.saved` has it."""
    log = project.memory / LOG
    return ranking.saved(reading.text(log)) if log.is_file() else {}


def mark(project: Project, backup: Path, *, standing: int | None = None) -> None:
    """Add a complete, durable backup at its place in the order; `standing` where the log does
    not tell of it yet. The caller holds the lock of the memory folder.
    """
    lines = [Path(line) for line in _lines(project.memory / MARKER)]
    ordered = _ordered(
        project, [backup, *lines], {} if standing is None else {backup.name: standing}
    )
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
    if named := ranking.parts(path.name):
        return named[0], changed, named[2]
    return time.strftime("%Y%m%d_%H%M%S", time.localtime(changed)), changed, 1


def _ordered(
    project: Project, found: Iterable[Path], more: Mapping[str, int] = MappingProxyType({})
) -> list[Path]:
    told = saved(project)

    def key(path: Path) -> tuple[int, tuple[str, float, int]]:
        _, standing = told.get(path.name, ranking.UNTOLD)
        return ranking.rank(more.get(path.name, standing), order(path))

    return sorted(found, key=key, reverse=True)


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
    if not ranking.parts(name):
        return None
    path = Path(os.path.realpath(project.memory / "raw")) / name
    is_own = path.is_relative_to(os.path.realpath(project.root)) and not path.is_symlink()
    return path if is_own and path.is_file() and path.stat().st_size else None
