"""The machine's key of redaction: 32 random bytes, in a file of their own in the data folder.

Hooks import this at once, so it imports next to nothing and has a recipe of its own for a file
that is written once and never over another one.
"""
# The standard library's comfort (pathlib, contextlib) costs as much as a start of Python.
# ruff: noqa: PTH104, PTH108, PTH110, SIM105

from __future__ import annotations

import os

from onward import regular

_BYTES = 32
_NEW = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)


def fresh() -> bytes:
    """A key that nobody has."""
    return os.urandom(_BYTES)


def of(data: str) -> bytes:
    """The key in a data folder; made where there is none. Raises OSError."""
    try:
        return read(data)
    except FileNotFoundError:
        return made(data)


def read(data: str) -> bytes:
    """The key that is there. Raises OSError."""
    return regular.head(f"{data}/key", _BYTES)


def made(data: str) -> bytes:
    """The key, made in a folder that is there; another process's, where that was first: its marks
    stand in files. Raises OSError.
    """
    new = f"{data}/.key-{os.urandom(8).hex()}"  # what a killed process left is in nobody's way
    descriptor = os.open(new, _NEW, 0o600)
    try:
        try:
            os.write(descriptor, fresh())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        _put(new, f"{data}/key")
    finally:
        try:
            os.unlink(new)
        except FileNotFoundError:  # it has its name
            pass
    return read(data)


def _put(new: str, path: str) -> None:
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    except OSError:  # a disk without links
        if not os.path.exists(path):
            os.rename(new, path)
