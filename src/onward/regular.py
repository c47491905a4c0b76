"""Reading what may be anything: only a regular file is read, and nothing is waited for.

A pipe without a writer would be waited for, a device never ends, and a file of a gigabyte takes as
much memory. Hooks import this at once, so it imports next to nothing.
"""

from __future__ import annotations

import errno
import os

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_KIND, _FILE, _FOLDER = 0o170000, 0o100000, 0o040000  # as `stat` has them


def head(path: str | os.PathLike[str], most: int, flags: int = 0) -> bytes:
    """The first `most` bytes of a file, opened with further `flags`. Raises OSError: EISDIR for a
    folder, EINVAL for what is no regular file either.
    """
    descriptor = os.open(path, _READ | flags)
    try:
        if (kind := os.fstat(descriptor).st_mode & _KIND) != _FILE:
            number = errno.EISDIR if kind == _FOLDER else errno.EINVAL
            raise OSError(number, os.strerror(number))
        parts = []
        while most > 0 and (part := os.read(descriptor, most)):
            parts.append(part)
            most -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether a regular file is there, maybe behind a link."""
    try:
        return os.stat(path).st_mode & _KIND == _FILE  # noqa: PTH116 - pathlib is slow to import
    except (OSError, ValueError):
        return False
