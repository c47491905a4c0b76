"""Reading what people, other tools and other sessions may be changing at the same time."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from onward import regular
from onward.errors import InputError, OnwardError, StorageError
from onward.storage import atomic

K_ = TypeVar("K_")
LARGEST = 8 << 20  # bytes of a text; no user made a larger one

LARGEST_CACHE = 64 << 20  # the same of what programs keep
_KINDS = dict.fromkeys((errno.EINVAL, errno.ENXIO), "a pipe or a device")
_KINDS |= {errno.EISDIR: "a folder", errno.ELOOP: "a link to itself"}


def data(path: Path, *, inside: Path | None = None, most: int = LARGEST) -> bytes:
    """A file's bytes, at most so many. Raises StorageError, RefusedError, InputError."""
    if inside is not None:
        atomic.within(path, inside)
    try:
        raw = regular.head(path, most + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        if kind := _KINDS.get(error.errno or 0):
            message = f"{path} is {kind}; a file belongs there"
            raise InputError(message, f"move {path} away") from error
        hint = f"make {path} readable, then type the same command again"
        raise StorageError(f"{path} cannot be read: {reason}", hint) from error
    if len(raw) > most:
        raise InputError(f"{path} is larger than {-(-most >> 20)} MB", f"move {path} away")
    return raw


def text(path: Path, *, inside: Path | None = None) -> str:
    """A file's text, whatever editor it comes from; what is no UTF-8 becomes `U+FFFD`."""
    return data(path, inside=inside).decode("utf-8-sig", "replace").replace("\r\n", "\n")


def kept(path: Path, kind: type[K_], *, most: int = LARGEST_CACHE) -> K_ | None:
    """What we kept as JSON of a type; None where it is missing, damaged or another release's."""
    import msgspec  # noqa: PLC0415 - hooks read without it

    with suppress(OnwardError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(data(path, most=most), type=kind)
    return None


def files(folder: Path, pattern: str, *, inside: Path | None = None) -> dict[Path, os.stat_result]:
    """The regular, visible files of a folder, only those that stand `inside`, if given."""
    found = {}
    for path in folder.glob(pattern):
        try:
            if path.name.startswith(".") or (inside and not is_within(path, inside)):
                continue
            if path.is_file():
                found[path] = path.stat()
        except OSError:  # another session removed it a moment ago
            continue
    return found


def free(folder: Path, stem: str, ending: str) -> Path:
    """The first name of a folder that nothing has: with a number from 2 on, if it needs one."""
    path, number = folder / f"{stem}{ending}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{ending}"
    return path


def is_within(path: Path, inside: Path) -> bool:
    """Whether no link leads out of `inside`."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(inside))
