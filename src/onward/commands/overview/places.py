"""The folders that sessions were held in, what is a project of them, and what git says there now.

Projects are told by the names of files alone: git is run only for what is shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from onward import regular
from onward.commands import workspace
from onward.commands.result import compose
from onward.commands.world import World
from onward.errors import OnwardError
from onward.model import Clean, RepoState
from onward.redaction import Redactor
from onward.repo import status
from onward.repo.git import Where
from onward.storage import project, reading, roots
from onward.storage.project import Project

_SETTINGS = ("onward.toml", "pyproject.toml", ".onwardignore")
"""Files by which a project adds to redaction, or says what is none of its business."""
_BRANCH = "ref: refs/heads/"
_AT_ONCE = 8
"""Processes of git at the same time."""


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
    if shown == "~":
        return home
    return home / shown[2:] if shown.startswith(("~/", "~\\")) else Path(shown)


class Places:
    """The places of one look, each looked up once."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._of: dict[Path, Place] = {}
        self._rules: dict[Path, str] = {}

    def of(self, folder: Path) -> Place:
        """The place that a folder belongs to."""
        if folder not in self._of:
            gone = not folder.is_dir()
            root, common = ("", "") if gone else roots.project(str(folder), str(self.home))
            self._of[folder] = Place(Path(root or folder), common, gone)
        return self._of[folder]

    def rules(self, folder: Path) -> str:
        """A sign that changes when the project of a folder adds something else to redaction."""
        root = self.of(folder).root
        if root not in self._rules:
            self._rules[root] = _rules(root)
        return self._rules[root]


class Cleaner:
    """Makes paths and branches clean, each as the project at a root asks for."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._redactors: dict[Path, Redactor | None] = {}

    def redactor(self, folder: Path) -> Redactor | None:
        """With the rules of the project that a folder belongs to; None where they cannot be read:
        then nothing of it may be told.
        """
        where = folder if folder.is_dir() else self._world.home
        if where not in self._redactors:
            self._redactors[where] = None
            with suppress(OnwardError):
                here = replace(self._world, cwd=where)
                self._redactors[where] = workspace.redactor(here, keep=False)
        return self._redactors[where]

    def text(self, text: str, root: Path) -> Clean:
        """One text, in one line."""
        redactor = self.redactor(root)
        return redactor.text(" ".join(text.splitlines())) if redactor else compose("…")

    def path(self, path: Path, root: Path) -> Clean:
        """A path, with `~` for the home folder."""
        return self.text(workspace.shown(path, self._world), root)


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
    known = packed or any((common / "refs/heads").glob("*"))
    return bool(known) and f" refs/heads/{branch}\n".encode() not in packed


def states(places: Iterable[Place]) -> dict[Path, RepoState[str]]:
    """What git says of each work tree, all asked at once; nothing of one that is slow."""
    found: dict[Path, RepoState[str]] = {}
    rest = (where for place in places if (where := _where(place)))
    while some := list(islice(rest, _AT_ONCE)):
        begun = [(where, status.begin(where)) for where in some]
        for where, process in begun:
            try:
                found[where.top] = status.read(where, process, patient=False).state
            except OnwardError:  # it belongs to somebody else, or takes its time
                continue
    return found


def under_way(place: Place) -> tuple[str, str]:
    """The merge, rebase or the like that is under way, and the branch that git is on ("" while it
    is on none); told by git's own files. ("", "") for nothing.
    """
    where = _where(place)
    found = status.operation(where.own) if where else ""
    if not where or not found:
        return "", ""
    with suppress(OSError, UnicodeDecodeError):
        head = regular.head(where.own / "HEAD", 4096).decode().strip()
        return found, head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
    return found, ""


def _rules(root: Path) -> str:
    found = [_stamp(root / name) for name in _SETTINGS]
    with suppress(OnwardError):
        asked = project.redaction(root).rules
        found += [_stamp(asked)] if asked else []
    return ",".join(found) if any(found) else ""


def _stamp(path: Path) -> str:
    with suppress(OSError):
        status = os.lstat(path)
        return f"{status.st_size}.{status.st_mtime_ns}"
    return ""


def _where(place: Place) -> Where | None:
    own = "" if place.gone else roots.git_folder(str(place.root))
    return Where(place.root, Path(own), Path(place.common)) if own else None
