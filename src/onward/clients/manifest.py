"""`onward.json`: what an installation wrote, so that any clone can be freed of it exactly.

Part of the install room. It lies beside the settings and is committed with them, so it is data
of a repository: what it names is held against our own places before anything is removed.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec
from msgspec import Struct

from onward.errors import InputError

NAME = "onward.json"
VERSION = 1
_EMPTY = re.compile(r"|\{\s*\}|\[\s*\]")


class Manifest(Struct, frozen=True, kw_only=True):
    """`files`: path from the root → digest of what we wrote there (of CLAUDE.md: of our block).
    `settings`: see `settings.Before`; None where it is not known.
    """

    version: int = VERSION
    files: dict[str, str] = {}
    settings: dict[str, str] | None = None


def parse(data: bytes | None, path: Path) -> Manifest:
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


def render(manifest: Manifest) -> bytes:
    """The bytes of the file: one line an entry, sorted, so that merges stay small."""
    built = msgspec.to_builtins(manifest, order="sorted")
    return msgspec.json.format(msgspec.json.encode(built), indent=2) + b"\n"


def digest(data: bytes) -> str:
    """Of a text file's bytes, however git writes the ends of its lines."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()
