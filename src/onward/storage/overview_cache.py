"""What is known of sessions, so that only new ones are read again.

One file, `<data>/overview.json`: redacted text alone, under the device, inode, size and time of each
transcript or checkpoint. It may be deleted at any time; a damaged one counts as none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from onward import __version__
from onward.errors import OnwardError
from onward.open_work import Known
from onward.storage import atomic, reading

_NAME = "overview.json"
_FORMAT = 2
_LARGEST = 256 << 20  # bytes; a hundred thousand sessions have some hundred million


class _File(Struct, frozen=True):
    version: str
    known: dict[str, Known]


def key(status: os.stat_result) -> str:
    """What changes whenever a file may have."""
    return f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


def load(data: Path) -> dict[str, Known]:
    """All that was kept, by `key`; nothing of another version's."""
    path = data / _NAME
    with suppress(OnwardError, msgspec.DecodeError, RecursionError):
        kept = msgspec.json.decode(reading.data(path, most=_LARGEST), type=_File)
        return kept.known if kept.version == _version() else {}
    return {}


def keep(data: Path, known: Mapping[str, Known]) -> None:
    """Keep it. Where the disk says no, the next look reads everything again."""
    told = msgspec.json.encode(_File(_version(), dict(known)))
    with suppress(OnwardError):
        atomic.write_bytes(data / _NAME, told, atomic.PRIVATE)


def _version() -> str:
    return f"{__version__}/{_FORMAT}"
