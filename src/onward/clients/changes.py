"""Changes to files: shown as a diff, or made, all of them or none; and those of git's exclude file, which
keeps out of commits what of ours is of one machine alone.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path

from msgspec import Struct

from onward.clients import files
from onward.clients.files import BEGIN, END
from onward.errors import StorageError
from onward.repo.git import where
from onward.storage import atomic, reading
from onward.storage.project import Project

_GIT_BEGIN, _GIT_END = "# onward: begin", "# onward: end"
_LEFT_OVER = 60.0  # seconds: these files are small


class Change(Struct, frozen=True, kw_only=True):
    """One file: `before` and `after` are its bytes, None where there is no file.

    `name` is how people see its path; `theirs` tells that it holds a user's own text.
    """

    path: Path
    name: str
    before: bytes | None
    after: bytes | None
    theirs: bool = False


def present(path: Path, root: Path) -> bytes | None:
    """A file's bytes, None if there is none. Raises StorageError, RefusedError for a link that
    leads out of `root`.
    """
    real = atomic.within(path, root)
    with atomic.told(real):
        if real.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        there = real.exists()
    return reading.data(real) if there else None


def diff(changes: Iterable[Change], clean: Callable[[str], str]) -> str:
    """All changes as one unified diff. `clean` redacts what is not ours."""
    parts = []
    for change in changes:
        old, new = (_lines(data) for data in (change.before, change.after))
        names = (
            f"a/{change.name}" if change.before is not None else os.devnull,
            f"b/{change.name}" if change.after is not None else os.devnull,
        )
        text = "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in unified_diff(old, new, *names)
        )
        if change.theirs:
            text = clean(text)  # but the marks of our block, which a redactor disarms
            for mark in (BEGIN.decode(), END.decode()):
                text = text.replace(clean(mark), mark)
        parts.append(text)
    return "".join(parts).rstrip("\n")


def make(changes: Sequence[Change], root: Path) -> None:
    """Make the changes in their order. What can be known to fail is told before the first one;
    what fails all the same undoes those before it. Raises StorageError, RefusedError.
    """
    for change in changes:
        _check(atomic.within(change.path, root))
    done: list[Change] = []
    made = {parent for each in changes for parent in each.path.parents if not parent.exists()}
    try:
        for change in changes:
            _put(change.path, change.after, root)
            done.append(change)
    except StorageError:
        for change in reversed(done):
            with suppress(StorageError):
                _put(change.path, change.before, root)
        for folder in sorted(made, key=lambda path: -len(path.parts)):
            with suppress(OSError):
                folder.rmdir()
        raise


def sweep(folders: Iterable[Path]) -> None:
    """Remove what killed processes left in these folders of a client; not a link's target."""
    for folder in folders:
        with suppress(StorageError):  # what cannot be removed now is, another time
            if not folder.is_symlink():
                atomic.sweep(folder, _LEFT_OVER)


def _put(path: Path, data: bytes | None, root: Path) -> None:
    if data is None:
        atomic.remove(path, inside=root)
    else:
        atomic.write_bytes(path, data, inside=root)


def _check(target: Path) -> None:
    """Raise what writing there would raise, as far as modes and kinds of files tell."""
    with atomic.told(target):
        there = next(each for each in (target, *target.parents) if os.path.lexists(each))
        if there != target and not there.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        folder = target.parent if there == target else there
        if not os.access(folder, os.W_OK | os.X_OK) or not os.access(there, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


# ------------------------------------------------------------------------ git's exclude file


def excluded(project: Project, *, shared: bool) -> tuple[Change, ...]:
    """The change of the file that brings our lines; `shared` leaves checkpoints and SESSION-STATE.md
    to git. () where nothing would change, and where the repository is another folder's: a linked
    work tree has the file of the main one. Raises StorageError, RefusedError.
    """
    own = () if shared else (project.checkpoints, project.state_file)
    drafts = project.root / "memory" / ".draft*.json"
    paths = [each.relative_to(project.root).as_posix() for each in (project.buffer, drafts, *own)]
    return _exclude(
        project, "\n".join((_GIT_BEGIN, *(f"/{path}" for path in paths), _GIT_END)).encode()
    )


def included(project: Project) -> tuple[Change, ...]:
    """The change that leaves the file as it was before."""
    return _exclude(project, None)


def _exclude(project: Project, ours: bytes | None) -> tuple[Change, ...]:
    place = where(project.root)
    if place is None or not place.common.is_relative_to(project.root):
        return ()
    path = place.common / "info" / "exclude"
    before = present(path, project.root)
    after = files.with_block(before, ours) if ours else files.without_block(before or b"")
    if after == before or (before is None and not after):
        return ()
    name = path.relative_to(project.root).as_posix()
    return (Change(path=path, name=name, before=before, after=after, theirs=True),)
