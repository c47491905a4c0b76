"""What `uninstall` leaves: a user's own files and our folder on this machine, with their sizes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from onward.commands import workspace
from onward.commands.world import World
from onward.storage.project import Project


class Leftover(NamedTuple):
    """A file, or a folder with all that is below it; `bytes` of links are not counted."""

    path: str
    files: int
    bytes: int


def of_project(world: World, project: Project) -> list[Leftover]:
    """What onward and its commands wrote in a project, the raw transcripts by themselves."""
    raw = project.memory / "raw"
    others = (path for path in project.places if path != project.memory)
    places = (project.memory, raw, *others)
    return _found([(workspace.shown(path, world, project.root), path) for path in places])


def of_machine(world: World) -> list[Leftover]:
    """Our folder, which all projects share."""
    return _found([(workspace.shown(world.data, world), world.data)])


def told(project: Sequence[Leftover], machine: Sequence[Leftover]) -> list[str]:
    """The lines for the user: what stays, and what removes it."""
    lines = ["Stays, since it is yours:"] if project or machine else []
    width = max((len(each.path) for each in [*project, *machine]), default=0)
    lines += [f"  {each.path:{width}}  {_measured(each)}" for each in project]
    lines += [f"  {each.path:{width}}  {_measured(each)}, of all projects" for each in machine]
    # raw/ lies in the memory.
    gone = [each.path for each in project if not _within_another(each, project)]
    if gone:
        lines.append(f"To remove it, in the project's folder: rm -r {_words(gone)}")
    if machine:
        paths = _words([each.path for each in machine])
        lines.append(f"To remove the trash, the log and the key of all projects: rm -r {paths}")
    return lines


def _found(places: Sequence[tuple[str, Path]]) -> list[Leftover]:
    sizes = [(shown, _sizes(path)) for shown, path in places]
    found = [Leftover(shown, len(each), sum(each)) for shown, each in sizes]
    return [each for each in found if each.bytes]


def _sizes(path: Path) -> list[int]:
    """The bytes of each file; a file that goes meanwhile counts nothing."""
    files = [path] if path.is_file() else []
    for folder, _, names in os.walk(path):
        files += [Path(folder, name) for name in names]
    return [each.lstat().st_size for each in files if each.is_file() and not each.is_symlink()]


def _within_another(one: Leftover, others: Sequence[Leftover]) -> bool:
    return any(one.path.startswith(f"{other.path}/") for other in others)


def _measured(found: Leftover) -> str:
    size, unit = float(found.bytes), "bytes"
    for larger in ("KB", "MB", "GB"):
        if size >= 1000:
            size, unit = size / 1000, larger
    number = f"{size:.0f}" if unit == "bytes" else f"{size:.1f}"
    return f"{found.files} file{'s' * (found.files != 1)}, {number} {unit}"


def _words(paths: Sequence[str]) -> str:
    """Paths as a shell takes them; `~/` stays for it to fill in."""
    return " ".join(
        f"~/{shlex.quote(path[2:])}" if path.startswith("~/") else shlex.quote(path)
        for path in paths
    )
