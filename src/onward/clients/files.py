"""Files that an installation writes: our templates, the block in a user's file, the launcher,
and `onward.json`, the record of what was written, so that any clone can be freed of it exactly.

A file is ours while it holds what we wrote; otherwise it is a user's, whatever its name. The record
lies beside the settings and is committed with them, so it is data of a repository: what it names is
held against our own places before anything is removed.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from onward import regular
from onward.errors import InputError
from onward.storage import atomic

TEMPLATES = Path(__file__).with_name("templates")
SHARED = ("hooks/onward.sh", "hooks/onward-log.sh")  # what the shims of all clients read
BEGIN, END = b"<!-- onward: begin -->", b"<!-- onward: end -->"
LAUNCHER = "launcher"
MANIFEST = "onward.json"
VERSION = 1
_BLOCK = re.compile(
    re.escape(BEGIN) + b".*?" + re.escape(END) + b"|# onward: begin.*?# onward: end", re.DOTALL
)
"""Ours in a Markdown file, or in one whose comments begin with `#`."""
_EMPTY = re.compile(r"|\{\s*\}|\[\s*\]")
_ENTRY = Path(__file__).resolve().parents[1] / "hooks" / "entry.py"

Standing = Literal["absent", "current", "older", "changed", "foreign"]


def write_launcher(data: Path) -> None:
    """Let the hooks run in this very Python. A shell finds it by two lines in our folder, which
    cost it two `read`s: the interpreter and `hooks/entry.py`. Raises StorageError.
    """
    words = f"{sys.executable}\n{_ENTRY}\n".encode()
    path = data / LAUNCHER
    if not path.is_file() or regular.head(path, len(words) + 1) != words:
        atomic.write_bytes(path, words, atomic.PRIVATE)


def shipped(*names: str, root: str = "", base: Path = Path()) -> dict[Path, bytes]:
    """Our templates below `root` (all, or these files and folders) as the files of a folder `base`."""
    top = TEMPLATES / root
    found = [top / name for name in names or ("",)]
    every = [path for each in found for path in (each, *sorted(each.rglob("*")))]
    return {base / path.relative_to(top): path.read_bytes() for path in every if path.is_file()}


def standing(data: bytes | None, shipped: bytes | None, recorded: str) -> Standing:
    """How a file stands to what we ship now (None: nothing any more), and to the digest of what
    we once wrote there ("" for nothing).
    """
    if data is None:
        return "absent"
    if shipped is not None and digest(data) == digest(shipped):
        return "current"
    if not recorded:
        return "foreign"
    return "older" if digest(data) == recorded else "changed"


def block(data: bytes | None, path: Path) -> bytes | None:
    """Our marked block in a user's file, None if there is none. Raises InputError for marks
    that do not pair.
    """
    counts = ((data or b"").count(BEGIN), (data or b"").count(END))
    found = _BLOCK.search(data or b"")
    if counts == (0, 0):
        return None
    if counts != (1, 1) or not found:
        marks = f"{BEGIN.decode()} and {END.decode()}"
        raise InputError(f"{path}: the marks {marks} do not pair", f"fix {path.name}")
    return found[0]


def marked(data: bytes) -> bytes | None:
    """The first block between our marks, of either kind."""
    found = _BLOCK.search(data)
    return found[0] if found else None


def with_block(data: bytes | None, ours: bytes) -> bytes:
    """The file with our block: in the place of an older one, else at its end.

    A line end behind the block says that the file ended in one before, too; without one, the
    line end in front of the block is ours.
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
    """`files`: path from the root → digest of what we wrote there (of CLAUDE.md: of our block).
    `settings`: see `splice.Before`; None where it is not known.
    """

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
