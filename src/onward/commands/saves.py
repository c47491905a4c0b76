"""What a session was saved as last, so that its end need not call it unsaved.

The record `saved` of a session: kind, name or path as it is shown, the project's root, the file,
the bytes of the transcript that were there then, the time; and, once the session ended, the
prompts that came behind it. Hooks read it at once, so this imports next to nothing.
"""
# The standard library's comfort (pathlib, dataclasses) costs as much as a start of Python.
# ruff: noqa: PTH113, PTH116

from __future__ import annotations

import os

from onward.storage import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from onward.commands.world import World
    from onward.model import Origin
    from onward.storage.project import Project

_KEY = "saved"
_LINES = 6
CHECKPOINT, DOCUMENT, PROTOCOL = "checkpoint", "document", "protocol"


class Save:
    """One save. `size` is in bytes, `at` in seconds since 1970; `since` counts the prompts behind
    it, -1 where nobody has counted.
    """

    __slots__ = ("at", "file", "kind", "name", "root", "since", "size")

    def __init__(self, lines: list[str]) -> None:
        self.kind, self.name, self.root, self.file = lines[:4]
        self.size, self.at = int(lines[4]), float(lines[5])
        self.since = int(lines[6]) if len(lines) > _LINES else -1


def put(world: World, project: Project, origin: Origin[str], made: tuple[str, str, Path]) -> None:
    """Record a save of the session that a draft came from; `made` is kind, name, and file."""
    transcript, root = str(origin.transcript or ""), os.path.realpath(project.root)
    if not os.path.isfile(transcript):
        return
    kind, name, file = made
    size, at = os.stat(transcript).st_size, world.now.timestamp()
    lines = (kind, name, root, os.path.realpath(file), str(size), str(at))
    live.put(str(world.data), origin.session, _KEY, *lines)


def get(data: str, session: str, root: str) -> Save | None:
    """The last save of a session in the project at `root`, if what it wrote is still there."""
    lines = live.get(data, session, _KEY)
    if len(lines) < _LINES or lines[2] != os.path.realpath(root):
        return None
    try:
        return Save(lines) if os.path.isfile(lines[3]) else None
    except ValueError:
        return None


def count(data: str, session: str, prompts: int) -> None:
    """Record how many prompts came behind the last save."""
    lines = live.get(data, session, _KEY)
    if len(lines) >= _LINES:
        live.put(data, session, _KEY, *lines[:_LINES], str(prompts))


def of_project(data: str, root: str) -> Iterator[Save]:
    """The last saves of all sessions in the project at `root`, in no order."""
    for session in live.having(data, _KEY):
        if save := get(data, session, root):
            yield save


def roots(data: str) -> set[str]:
    """The roots of all projects that a session was saved in."""
    found = (live.get(data, session, _KEY) for session in live.having(data, _KEY))
    return {lines[2] for lines in found if len(lines) >= _LINES}


def newest(data: str, root: str) -> float:
    """When the last of them was, in seconds since 1970; 0 without any."""
    return max((save.at for save in of_project(data, root)), default=0.0)
