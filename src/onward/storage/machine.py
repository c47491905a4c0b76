"""What onward keeps of its own on this machine: where, the key of redaction, shared records.

Hooks import this at once, so it imports next to nothing.
"""
# The standard library's comfort (pathlib, contextlib, hashlib) costs as much as a start of Python.
# ruff: noqa: PTH104, PTH108, PTH110, PTH118, PTH119, SIM105

from __future__ import annotations

import os
import sys

from onward import regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BYTES = 32  # of the key
_NEW = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_SLUG = 30  # characters of the project's name in that of its folder of shared records


def data_folder(env: Mapping[str, str], home: str) -> str:
    """Where onward keeps its own files: `ONWARD_DATA`, else the platform's place for user data."""
    if chosen := env.get("ONWARD_DATA"):
        return chosen
    if os.name == "nt":
        base = env.get("LOCALAPPDATA") or f"{home}\\AppData\\Local"
        return f"{base}\\onward"
    base = env.get("XDG_DATA_HOME", "")
    if base.startswith("/"):
        return f"{base.rstrip('/')}/onward"
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/onward"
    return f"{home}/.local/share/onward"


def shared_stem(data: str, root: str) -> str:
    """What the names of all that is shared of the project at `root` begin with."""
    import re  # noqa: PLC0415 - most hooks need neither

    try:
        from _blake2 import blake2b  # noqa: PLC0415 - hashlib loads OpenSSL, for 3 ms
    except ImportError:  # another Python, or another release of it
        from hashlib import blake2b  # noqa: PLC0415 - as above
    root = os.path.normcase(os.path.realpath(root))
    digits = blake2b(os.fsencode(root), digest_size=8).hexdigest()
    name = re.sub(r"[^A-Za-z0-9]+", "-", os.path.basename(root)).strip("-")[:_SLUG]
    return os.path.join(data, "share", f"{name or 'project'}-{digits}")


# ----------------------------------------------------------------- the key of redaction
#
# 32 random bytes in a file of their own, with a recipe of its own for a file that is written once
# and never over another one.


def fresh_key() -> bytes:
    """A key that nobody has."""
    return os.urandom(_BYTES)


def key(data: str) -> bytes:
    """The key in a data folder; made where there is none. Raises OSError."""
    try:
        return read_key(data)
    except FileNotFoundError:
        return make_key(data)


def read_key(data: str) -> bytes:
    """The key that is there. Raises OSError."""
    return regular.head(f"{data}/key", _BYTES)


def make_key(data: str) -> bytes:
    """The key, another process's where that was first: its marks stand in files. Raises OSError."""
    new = f"{data}/.key-{os.urandom(8).hex()}"  # what a killed process left is in nobody's way
    descriptor = os.open(new, _NEW, 0o600)
    try:
        try:
            os.write(descriptor, fresh_key())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        try:
            os.link(new, f"{data}/key")
        except OSError:  # it is there, or the disk has no links
            if not os.path.exists(f"{data}/key"):
                os.rename(new, f"{data}/key")
    finally:
        try:
            os.unlink(new)
        except FileNotFoundError:  # it has its name
            pass
    return read_key(data)
