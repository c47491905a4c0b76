"""Named checkpoints: read, write, delete. What is replaced or deleted goes to the trash first.

The autosave lies beside them, in two files whose places no argument can change.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from onward.errors import InputError, NotFoundError, RefusedError
from onward.model import CheckpointName, Clean
from onward.storage import atomic, locks, reading
from onward.storage.names import AUTOSAVE, AUTOSAVE_LOG
from onward.storage.project import Project
from onward.storage.trash import Trash

KIND = "checkpoint"
_LINES = 500  # of the autosave's log
_BYTES = 256 * 1024


class Stored(Struct, frozen=True, kw_only=True):
    """A checkpoint's file as it stands: a user may have edited it."""

    name: CheckpointName
    text: str
    mtime: float
    """Seconds since the epoch; age is counted from here."""


def path_of(project: Project, name: CheckpointName) -> Path:
    """Where a checkpoint lies."""
    return project.checkpoints / f"{name}.md"


def exists(project: Project, name: CheckpointName) -> bool:
    """Whether a checkpoint is there."""
    return path_of(project, name).is_file()


def names(project: Project) -> list[CheckpointName]:
    """All checkpoints, the newest first: those of other tools and the autosave among them."""
    found = reading.files(project.checkpoints, "*.md", inside=project.root)
    ordered = sorted(found, key=lambda path: (-found[path].st_mtime_ns, path.name))
    return [CheckpointName(path.stem) for path in ordered if path.stem != AUTOSAVE_LOG]


def find(project: Project, raw: str) -> CheckpointName:
    """The checkpoint that `raw` means: only one that is there, so no path can be smuggled in.

    Raises NotFoundError.
    """
    wanted = raw.removesuffix(".md")
    if wanted not in names(project):
        raise NotFoundError("there is no checkpoint of that name", "onward list")
    return CheckpointName(wanted)


def read(project: Project, name: CheckpointName) -> Stored:
    """A checkpoint's text and time. Raises NotFoundError, InputError."""
    path = path_of(project, name)
    if path.is_dir():
        raise InputError(f"{path} is a folder", "onward list")
    if not path.is_file():
        raise NotFoundError(f"there is no checkpoint `{name}`", "onward list")
    return Stored(
        name=name, text=reading.text(path, inside=project.root), mtime=path.stat().st_mtime
    )


def write(
    project: Project, name: CheckpointName, text: Clean, trash: Trash | None, *, over: bool = True
) -> Path:
    """Save under a name; what stood there goes to the trash first, if there is one. Returns the
    path.

    Without `over` a name that is taken raises RefusedError: asked under the lock, so that of
    two sessions that save a new name at once one is told.
    """
    if name in {AUTOSAVE, AUTOSAVE_LOG}:
        raise RefusedError(f"`{name}` is written by autosave only", "onward list")
    path = path_of(project, name)
    with locks.hold(project.checkpoints / ".lock", inside=project.root):
        if path.is_file() and not over:
            raise taken(name)
        if trash and path.is_file() and reading.data(path, inside=project.root) != text.encode():
            trash.put(path, KIND, project)
        atomic.write(path, text, inside=project.root)
    atomic.sweep(project.checkpoints)
    return path


def taken(name: str) -> RefusedError:
    """The error for a name that is not to be replaced."""
    return RefusedError(f"the checkpoint {name} exists already", f"onward save {name} --force")


def delete(project: Project, name: CheckpointName, trash: Trash) -> str:
    """Move a checkpoint to the trash; returns its id there. Raises NotFoundError."""
    path = path_of(project, name)
    with locks.hold(project.checkpoints / ".lock", inside=project.root):
        if not path.is_file():
            raise NotFoundError(f"there is no checkpoint `{name}`", "onward list")
        kept = trash.put(path, KIND, project)
        atomic.remove(path, inside=project.root)
    return kept


def write_autosave(project: Project, text: Clean, entry: Clean) -> None:
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
