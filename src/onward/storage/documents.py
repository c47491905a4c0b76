"""Session documents, the active context, and the single files that are merged in place.

The active context is written first: whatever interrupts, it is never older than the newest
document.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from onward.errors import RefusedError
from onward.model import Clean
from onward.storage import atomic, locks, reading
from onward.storage.project import Project
from onward.storage.trash import Trash

LASTING = "project-memory.md"
PROTOCOL = "protocol"
CONTEXT = "context"
_NOTES = "## Notes"
_NAME = re.compile(r"session-(\d{4}-\d\d-\d\d-\d{4})(?:-(\d+))?\.md")


def save(
    project: Project,
    compose: Callable[[Path], tuple[Clean, Clean]],
    *,
    now: datetime,
    to: Path | None = None,
    over: bool = False,
) -> Path:
    """Write active context and session document, in this order; returns the document's path, of
    which `compose` makes both texts. Without `to` it gets a name of its own; a file that stands at
    `to` raises RefusedError, unless it is to be written `over`.
    """
    with locks.of(project, project.active_context):
        path = to or reading.free(project.memory, f"session-{now:%Y-%m-%d-%H%M}", ".md")
        if path.exists() and not over:
            message = f"{path} exists and is not overwritten"
            raise RefusedError(message, "onward document ANOTHER-PATH.md")
        inside = None if to else project.root
        with atomic.told(path):  # a place that cannot be is told before anything is written
            atomic.folder(atomic.within(path, inside).parent)
        active, document = compose(path)
        atomic.write(project.active_context, active, inside=project.root)
        atomic.write(path, document, inside=inside)
    return path


def sessions(project: Project) -> list[Path]:
    """The session documents, the newest first by the time in their names (else their own)."""
    found = reading.files(project.memory, "session-*.md", inside=project.root)
    return sorted(found, key=lambda path: _order(path, found[path].st_mtime), reverse=True)


def read(path: Path, inside: Path | None = None) -> str:
    """A text that a user may have edited; "" if there is none. Raises as `reading.data`."""
    return reading.text(path, inside=inside) if os.path.lexists(path) else ""


def protocol(project: Project) -> Path:
    """The protocol file to read: the document's short name is read as well."""
    short = project.root / "sp.json"
    return short if short.is_file() and not project.protocol.is_file() else project.protocol


def rewrite(
    project: Project, path: Path, change: Callable[[str], Clean], trash: Trash | None = None
) -> tuple[str, Clean]:
    """Read a file of the project, change it, write it, alone; what stood there goes to the trash
    first. Returns both texts.
    """
    source = protocol(project) if path == project.protocol else path
    with locks.of(project, path):
        old = read(source, project.root)
        new = change(old)
        if trash and source.is_file() and old.rstrip("\n") != new.rstrip("\n"):
            trash.put(source, PROTOCOL, project)
        atomic.write(path, new, inside=project.root)
    return old, new


def add_lasting(project: Project, lines: Sequence[Clean]) -> list[Clean]:
    """Add new lines at the end of project-memory.md, and return them; no byte there changes."""
    path = project.memory / LASTING
    with locks.of(project, path):
        old = read(path, project.root)
        known = {_bare(line) for line in old.splitlines()}
        added = [line for line in dict.fromkeys(lines) if _bare(line) not in known]
        headings = [line.strip() for line in old.splitlines() if line.startswith("#")]
        head = [] if headings[-1:] == [_NOTES] else ["", _NOTES, ""]
        data = "\n".join([*head, *(f"- {line}" for line in added)]).encode()
        # Whole, where nothing is to be added to: a full disk must not leave half a file.
        if added and path.is_file() and path.stat().st_size:
            atomic.append_bytes(path, data, inside=project.root)
        elif added:
            atomic.write_bytes(path, b"# Project Memory\n" + data + b"\n", inside=project.root)
    return added


def _bare(line: str) -> str:
    """What tells two lines apart."""
    return " ".join(line.lstrip("-*+ ").split()).rstrip(".").casefold()


def _order(path: Path, mtime: float) -> tuple[str, int]:
    if named := _NAME.fullmatch(path.name):
        return named[1], int(named[2] or 1)
    return time.strftime("%Y-%m-%d-%H%M", time.localtime(mtime)), 1
