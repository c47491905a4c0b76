"""Files that an installation writes: our templates, the block in a user's file, the launcher, git's
exclude file, and `onward.json`, the record of what was written; and their changes, shown or made.

A file is ours while it holds what we wrote; otherwise it is a user's, whatever its name. The record is
committed, so it is data of a repository: it is held against our own places before anything is removed.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from onward import regular
from onward.errors import InputError, StorageError
from onward.repo.git import where
from onward.storage import atomic, reading
from onward.storage.project import Project

TEMPLATES = Path(__file__).with_name("templates")
SHARED = ("hooks/onward.sh", "hooks/onward-log.sh")  # what the shims of all clients read
BEGIN, END = b"<!-- onward: begin -->", b"<!-- onward: end -->"
LAUNCHER = "launcher"
MANIFEST = "onward.json"
VERSION = 1
_BLOCK = re.compile(b"(?s)%b.*?%b|# onward: begin.*?# onward: end" % (BEGIN, END))
"""Ours in a Markdown file, or in one whose comments begin with `#`."""
_MARKS = re.compile(b"(?:<!--|#) onward: (begin|end)")
_EMPTY = re.compile(r"|\{\s*\}|\[\s*\]")
_ENTRY = Path(__file__).resolve().parents[1] / "hooks" / "entry.py"


def write_launcher(data: Path) -> None:
    """Name this Python and `hooks/entry.py` to the hooks, a line each. Raises StorageError."""
    words = f"{sys.executable}\n{_ENTRY}\n".encode()
    path = data / LAUNCHER
    if not path.is_file() or regular.head(path, len(words) + 1) != words:
        atomic.write_bytes(path, words, atomic.PRIVATE)


def shipped(*names: str, root: Path = TEMPLATES, base: Path = Path()) -> dict[Path, bytes]:
    """Our templates below `root` (all, or these files and folders) as the files of a folder `base`."""
    found = [root / name for name in names or ("",)]
    every = [path for each in found for path in (each, *sorted(each.rglob("*")))]
    return {base / path.relative_to(root): path.read_bytes() for path in every if path.is_file()}


def at(found: Any, *keys: str | int) -> Any:
    """What stands at a place of some JSON or TOML; None for nothing."""
    for key in keys:
        try:
            found = found[key]
        except (LookupError, TypeError):
            return None
    return found


def load(path: Path, *keys: str | int) -> Any:
    """The same of a file of a client's own, TOML or commented JSON; None where it is broken."""
    try:
        text = regular.head(path, reading.LARGEST_CACHE).decode("utf-8-sig")
        if path.suffix == ".toml":
            return at(tomllib.loads(text), *keys)
        lines = (line for line in text.split("\n") if not line.lstrip().startswith("//"))
        return at(json.loads("\n".join(lines)), *keys)
    except (OSError, ValueError, RecursionError):
        return None


def block(data: bytes | None, path: Path) -> bytes | None:
    """Our marked block in a user's file, None if there is none. Raises InputError."""
    marks = [mark[1] for mark in _MARKS.finditer(data or b"")]
    if marks not in ([], [b"begin", b"end"]):
        told = f"{BEGIN.decode()} and {END.decode()}"
        raise InputError(f"{path}: the marks {told} do not pair", f"fix {path.name}")
    found = _BLOCK.search(data or b"")
    return found[0] if found else None


def with_block(data: bytes | None, ours: bytes) -> bytes:
    """The file with our block: in the place of an older one, else at its end. A line end behind the
    block says that the file ended in one before, too; without one, the line end in front of the
    block is ours.
    """
    former = _BLOCK.search(data or b"")
    newline = b"\r\n" if b"\r\n" in (former[0] if former else data or b"") else b"\n"
    ours = ours.replace(b"\n", newline)
    if data is not None and former:
        return data[: former.start()] + ours + data[former.end() :]
    if data is None or data.endswith(b"\n"):
        return (data or b"") + ours + newline
    return data + newline + ours


def without_block(data: bytes) -> bytes | None:
    """The file as it was before the block came in; None where the file came with it."""
    found = _BLOCK.search(data)
    if not found:
        return data
    newline = b"\r\n" if b"\r\n" in found[0] else b"\n"
    head, tail = data[: found.start()], data[found.end() :]
    if not tail.startswith(newline):
        return head.removesuffix(newline) + tail
    rest = tail.removeprefix(newline)
    if not head:
        return rest or None
    return head + (rest if head.endswith(b"\n") or not rest else tail)


class Manifest(Struct, frozen=True, kw_only=True):
    """`files`: the digest of what we wrote, by path from the root; `settings`: `splice.Before`."""

    version: int = VERSION
    files: dict[str, str] = {}
    settings: dict[str, str] | None = None


def parse_manifest(data: bytes | None, path: Path) -> Manifest:
    """The manifest in a file's bytes; an empty one where there is no file. Raises InputError."""
    if data is None:
        return Manifest()
    hint = f"delete {path} (an uninstall then names what it cannot know), or bring it back from git"
    try:
        found = msgspec.json.decode(data, type=Manifest)
    except msgspec.DecodeError as error:
        raise InputError(f"{path} is not as onward wrote it: {error}", hint) from error
    if found.version > VERSION:
        raise InputError(f"{path} was written by a newer onward", "update onward")
    stood = found.settings
    if stood is not None and not all(_EMPTY.fullmatch(text) for text in stood.values()):
        raise InputError(f"{path}: `settings` holds more than empty places", hint)
    return found


def render_manifest(manifest: Manifest) -> bytes:
    """The bytes of the file: one line an entry, sorted, so that merges stay small."""
    built = msgspec.to_builtins(manifest, order="sorted")
    return msgspec.json.format(msgspec.json.encode(built), indent=2) + b"\n"


def digest(data: bytes) -> str:
    """Of a text file's bytes, however git writes the ends of its lines."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


_LEFT_OVER = 60.0  # seconds: these files are small


class Change(Struct, frozen=True, kw_only=True):
    """One file's bytes, None where there is none; `theirs`: it holds a user's own text."""

    path: Path
    name: str
    before: bytes | None
    after: bytes | None
    theirs: bool = False


def present(path: Path, root: Path) -> bytes | None:
    """A file's bytes, None if there is none. Raises StorageError, RefusedError."""
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
        was = f"a/{change.name}" if change.before is not None else os.devnull
        now = f"b/{change.name}" if change.after is not None else os.devnull
        torn = "\n\\ No newline at end of file\n"
        lines = unified_diff(old, new, was, now)
        text = "".join(line if line.endswith("\n") else line + torn for line in lines)
        if change.theirs:
            text = clean(text)  # but the marks of our block, which a redactor disarms
            for mark in (BEGIN.decode(), END.decode()):
                text = text.replace(clean(mark), mark)
        parts.append(text)
    return "".join(parts).rstrip("\n")


def make(changes: Sequence[Change], root: Path) -> None:
    """Make all changes in order, or none. Raises StorageError, RefusedError."""
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
    """The lines, each with its end: a line feed alone."""
    return re.findall(r"[^\n]*\n|[^\n]+", (data or b"").decode("utf-8", "replace"))


# ------------------------------------------------------------------------ git's exclude file


def excluded(project: Project, *, shared: bool = False, out: bool = False) -> tuple[Change, ...]:
    """The change of git's exclude file that brings our lines, or takes them `out`; () for none."""
    place = where(project.root)
    if place is None or not place.common.is_relative_to(project.root):
        return ()
    path = place.common / "info" / "exclude"
    before = present(path, project.root)
    own = () if shared else (project.checkpoints, project.state_file)
    drafts = project.root / "memory" / ".draft*.json"
    paths = [each.relative_to(project.root).as_posix() for each in (project.buffer, drafts, *own)]
    ours = "\n".join(("# onward: begin", *(f"/{path}" for path in paths), "# onward: end")).encode()
    after = without_block(before or b"") if out else with_block(before, ours)
    if after == before or (before is None and not after):
        return ()
    name = path.relative_to(project.root).as_posix()
    return (Change(path=path, name=name, before=before, after=after, theirs=True),)
