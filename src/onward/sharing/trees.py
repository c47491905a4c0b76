"""A tree object of git, read strictly: a stranger made it, and git itself checks little of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_FILE = b"100644"
_FOLDER = b"40000"
_MODES = 8  # bytes of the longest mode, and the blank behind it


class Entry(NamedTuple):
    """One name in a tree. `kind` is "file" or "folder", "" for all that is neither: links,
    programs, other repositories.
    """

    name: bytes
    kind: str
    oid: str


def read(data: bytes, size: int) -> Iterator[Entry]:
    """The entries of a tree whose hashes have `size` bytes; it ends where the tree is broken."""
    at = 0
    while at < len(data):
        blank = data.find(b" ", at, at + _MODES)
        end = data.find(b"\0", blank)
        if blank < 0 or end < 0 or end + 1 + size > len(data):
            return
        kind = {_FILE: "file", _FOLDER: "folder"}.get(data[at:blank], "")
        yield Entry(data[blank + 1 : end], kind, data[end + 1 : end + 1 + size].hex())
        at = end + 1 + size
