"""The folders that sessions were held in, and what is a project of them. Told by the
names of files alone: git is run only for what is shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from onward import regular
from onward.errors import OnwardError
from onward.storage import project, reading, roots
from onward.storage.project import Project

_SETTINGS = ("onward.toml", "pyproject.toml", ".onwardignore")
"""Files by which a project adds to redaction, or says what is none of its business."""


class Place(NamedTuple):
    """Where work lies. `root` is the project's, or the folder itself where it is none, or gone."""

    root: Path
    common: str = ""
    """The repository's common git folder; "" without one."""
    gone: bool = False

    @property
    def name(self) -> str:
        """What people call the project: the main work tree's folder."""
        if self.common and Path(self.common).name == ".git":
            return Path(self.common).parent.name
        # A session may have been held under another system.
        return re.split(r"[\\/]", str(self.root))[-1] or str(self.root)

    @property
    def work_tree(self) -> str:
        """The name of a linked work tree; "" for the main one."""
        return self.root.name if self.common and self.name != self.root.name else ""


def expanded(shown: str, home: Path) -> Path:
    """The folder that a redacted path means on this machine."""
    return (
        home / shown[2:]
        if shown.startswith(("~/", "~\\"))
        else home
        if shown == "~"
        else Path(shown)
    )


class Places:
    """The places of one look, each looked up once."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._folders: dict[str, Path] = {}
        self._of: dict[Path, Place] = {}
        self._rules: dict[Path, str] = {}

    def folder(self, shown: str) -> Path:
        """The folder that a redacted path means."""
        if shown not in self._folders:
            self._folders[shown] = expanded(shown, self._home)
        return self._folders[shown]

    def of(self, folder: Path) -> Place:
        """The place that a folder belongs to."""
        if folder not in self._of:
            self._of[folder] = self._found(folder)
        return self._of[folder]

    def rules(self, folder: Path) -> str:
        """A sign that changes when the project of a folder adds something else to redaction."""
        root = self.of(folder).root
        if root not in self._rules:
            self._rules[root] = _rules(root)
        return self._rules[root]

    def _found(self, folder: Path) -> Place:
        if not folder.is_dir():
            return Place(folder, gone=True)
        root, common = roots.project(str(folder), str(self._home))
        return Place(Path(root or folder), common)


def located(place: Place) -> Project:
    """The project at a place; where its settings cannot be read, with the usual places."""
    with suppress(OnwardError):
        return project.locate(place.root, place.root)
    return project.usual(place.root)


def branch_gone(place: Place, branch: str) -> bool:
    """Whether a branch was deleted since; False where that cannot be told."""
    if not place.common or not branch or branch == "HEAD":
        return False
    common = Path(place.common)
    if (common / "refs/heads" / branch).exists() or (common / "reftable").exists():
        return False
    packed = b""
    with suppress(OSError):
        packed = regular.head(common / "packed-refs", reading.LARGEST_CACHE)
    # Before the first commit there is no branch at all.
    known = packed or any(_branches(common))
    return bool(known) and f" refs/heads/{branch}\n".encode() not in packed


def _rules(root: Path) -> str:
    found = [_stamp(root / name) for name in _SETTINGS]
    with suppress(OnwardError):
        asked = project.redaction(root).rules
        found += [_stamp(asked)] if asked else []
    return ",".join(found) if any(found) else ""


def _branches(common: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (common / "refs/heads").iterdir()


def _stamp(path: Path) -> str:
    with suppress(OSError):
        status = os.lstat(path)
        return f"{status.st_size}.{status.st_mtime_ns}"
    return ""
