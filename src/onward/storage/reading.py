"""Reading what people, other tools and other sessions may be changing at the same time."""

from __future__ import annotations

import os
from pathlib import Path

from onward.errors import StorageError


def data(path: Path) -> bytes:
    """A file's bytes. Raises StorageError."""
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        hint = f"make {path} readable, then type the same command again"
        raise StorageError(f"{path} cannot be read: {reason}", hint) from error


def text(path: Path) -> str:
    """A file's text, whatever editor it comes from; what is no UTF-8 becomes `U+FFFD`."""
    return data(path).decode("utf-8-sig", "replace").replace("\r\n", "\n")


def files(folder: Path, pattern: str) -> dict[Path, os.stat_result]:
    """The regular, visible files of a folder; none for a folder that is not there."""
    found = {}
    for path in folder.glob(pattern):
        try:
            if path.is_file() and not path.name.startswith("."):
                found[path] = path.stat()
        except OSError:  # another session removed it a moment ago
            continue
    return found
