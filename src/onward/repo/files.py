"""repo.files: files under the project's root, and never one outside of it."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from msgspec import Struct

LARGEST = 5_000_000
"""Bytes up to which a file is read; of a larger one only the size is known."""


class Content(Struct, frozen=True):
    """A regular file's size, and its bytes where they were read."""

    size: int
    data: bytes | None = None

    @property
    def hash(self) -> str:
        """sha256, 16 hex digits; "" if it was not read."""
        return "" if self.data is None else hashlib.sha256(self.data).hexdigest()[:16]

    def lines(self) -> list[str]:
        """Lines without the blanks around them; the first is at index 0."""
        if self.data is None:
            return []
        return [line.strip() for line in self.data.decode("utf-8", "replace").split("\n")]


def locate(root: Path, recorded: str) -> Path | None:
    """The place that a recorded path means, whether or not something is there.

    None where that is not under `root`: by `..`, by an absolute path, or through a link
    in one of its folders. `root` is absolute.
    """
    if not recorded or "\0" in recorded:
        return None
    if "\\" in recorded and not os.path.lexists(root / recorded):
        recorded = recorded.replace("\\", "/")
    path = Path(os.path.normpath(root / os.path.expanduser(recorded)))  # noqa: PTH111 - Path.expanduser raises on `~nobody`
    try:
        real = path.parent.resolve() / path.name
    except (OSError, RuntimeError):  # a link that leads to itself
        return None
    inside = root.resolve()
    return real if real != inside and real.is_relative_to(inside) else None


def look(path: Path) -> Content | None:
    """What stands at `path`; None for nothing, a folder, a link, a device, a pipe."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            return None
        if found.st_size > LARGEST:
            return Content(found.st_size)
    except (OSError, ValueError):
        return None
    try:
        data = path.read_bytes()
    except OSError:  # no right to read it: it is there all the same
        return Content(found.st_size)
    return Content(len(data), data)


def stands(path: Path) -> bool:
    """Whether anything is there, be it a folder or a link that leads nowhere."""
    return os.path.lexists(path)


def tree_of(place: Path, top: Path) -> Path | None:
    """The folder around `place` that is the top of a git work tree, or `top` where none below it is
    one; None outside of any.
    """
    return next((p for p in place.parents if p == top or os.path.lexists(p / ".git")), None)
