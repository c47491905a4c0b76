"""Files of ours among other people's: which of them may be written, upgraded, removed.

Part of the install room. A file is ours while it holds what we wrote; otherwise it is a
user's, whatever its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from onward.clients import manifest
from onward.errors import InputError

TEMPLATES = Path(__file__).with_name("templates")
BEGIN, END = b"<!-- onward: begin -->", b"<!-- onward: end -->"
_BLOCK = re.compile(re.escape(BEGIN) + b".*?" + re.escape(END), re.DOTALL)

Standing = Literal["absent", "current", "older", "changed", "foreign"]


def shipped(*folders: str) -> Mapping[str, bytes]:
    """Our templates below these folders: path within the templates → bytes."""
    found = (path for folder in folders for path in sorted((TEMPLATES / folder).rglob("*")))
    return {p.relative_to(TEMPLATES).as_posix(): p.read_bytes() for p in found if p.is_file()}


def standing(data: bytes | None, shipped: bytes | None, recorded: str) -> Standing:
    """How a file stands to what we ship now (None: nothing any more), and to the digest of what
    we once wrote there ("" for nothing).
    """
    if data is None:
        return "absent"
    if shipped is not None and manifest.digest(data) == manifest.digest(shipped):
        return "current"
    if not recorded:
        return "foreign"
    return "older" if manifest.digest(data) == recorded else "changed"


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
