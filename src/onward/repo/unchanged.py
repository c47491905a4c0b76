"""repo.unchanged: whether anything has changed since, told without reading what did.

Hooks import this at once, so it imports next to nothing.
"""
# The standard library's comfort (pathlib, subprocess) costs as much as a start of Python.
# ruff: noqa: PTH208

from __future__ import annotations

import os

from onward.repo.invocation import OPTIONS, environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LIMIT = 2.0
"""Seconds for git; past them what takes its time is worth being looked at in full."""
_KILL = 9
_WORDS = (
    "status",
    "--porcelain=v2",
    "--branch",
    "--no-ahead-behind",
    "--no-renames",
    "--ignore-submodules=dirty",  # as repo.status
    "--untracked-files=normal",
    "-z",
)


def sign(root: str, own: str, paths: Iterable[str]) -> str:
    """A number that stays the same as long as drift does; "" where there is none to be had.

    It holds what git says of the work tree at `root` (branch, commit, all that is uncommitted),
    which operations are under way in its git folder `own` ("" without a repository), and
    size and time of the files at `paths`, relative to `root`. Nothing can be read out of it.
    """
    try:
        found = _git(root, own) if own else b""
    except OSError:
        return ""
    if found is None:
        return ""
    seen = [found, *(_file(f"{root}/{path}") for path in paths)]
    return _digest(b"\0\0".join(seen))


def _git(root: str, own: str) -> bytes | None:
    """A merge, a rebase and the like are told by what lies in git's own folder."""
    said = _status(root, own)
    names = "\0".join(sorted(os.listdir(own)))
    return None if said is None else said + names.encode("utf-8", "surrogateescape")


def _file(path: str) -> bytes:
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return b"-"
    return f"{status.st_size} {status.st_mtime_ns}".encode()


def _status(root: str, own: str) -> bytes | None:
    """What `git status` says; None where it says nothing in time, and on Windows."""
    if not hasattr(os, "posix_spawnp"):
        return None
    here, there = os.pipe()
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, there, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    words = ["git", *OPTIONS, "-C", root, *_WORDS]
    try:
        try:
            pid = os.posix_spawnp("git", words, environment(root, own), file_actions=streams)
        finally:
            os.close(there)
        said = _read(here)
    finally:
        os.close(here)
    if said is None:
        os.kill(pid, _KILL)
    ended = os.waitpid(pid, 0)[1]
    return said if ended == 0 else None


def _read(pipe: int) -> bytes | None:
    """All of it; None where it takes too long."""
    import time  # noqa: PLC0415 - `select` is no part of a bare start
    from select import select  # noqa: PLC0415 - as above

    end = time.monotonic() + _LIMIT
    parts: list[bytes] = []
    while select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(pipe, 65536)
        if not part:
            return b"".join(parts)
        parts.append(part)
    return None


def _digest(data: bytes) -> str:
    try:
        from _blake2 import blake2b  # noqa: PLC0415 - hashlib loads OpenSSL, for 3 ms
    except ImportError:  # another Python, or another release of it
        from hashlib import blake2b  # noqa: PLC0415 - as above
    return str(blake2b(data, digest_size=16).hexdigest())
