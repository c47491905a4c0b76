"""What the overview keeps, one JSON file each, of which a damaged one counts as none.

`<data>/overview.json`: what is known of sessions, redacted text alone, under the device, inode, size and
time of each file, so that only new ones are read again. `<data>/done.json`: the threads and saved places
that the user wants to hear of no more, with their times: something newer opens them again.
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

_VERSION = f"{__version__}/2"  # of the program, and of the form
_LARGEST = 256 << 20  # bytes; a hundred thousand sessions have some hundred million
_MOST = 1000  # marks that are kept, the newest


class _File(Struct, frozen=True):
    version: str
    known: dict[str, Known]


def key(status: os.stat_result) -> str:
    """What changes whenever a file may have."""
    return f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


def load(data: Path) -> dict[str, Known]:
    """All that was kept, by `key`; nothing of another version's."""
    kept = reading.kept(data / "overview.json", _File, most=_LARGEST)
    return kept.known if kept and kept.version == _VERSION else {}


def keep(data: Path, known: Mapping[str, Known]) -> None:
    """Keep it. Where the disk says no, the next look reads everything again."""
    told = msgspec.json.encode(_File(_VERSION, dict(known)))
    with suppress(OnwardError):
        atomic.write_bytes(data / "overview.json", told, atomic.PRIVATE)


def marks(data: Path) -> dict[str, str]:
    """What is marked as done or declined, by `mark_key`."""
    found = reading.kept(data / "done.json", dict[str, object]) or {}
    return {name: at for name, at in found.items() if isinstance(at, str)}


def mark_key(root: Path, branch: str) -> str:
    """What a thread is known by."""
    return f"{root}\n{branch}"


def mark(data: Path, thread: str, ended: str) -> None:
    """Mark one as done up to its last event; with "", take the mark back. Raises StorageError."""
    kept = {name: at for name, at in marks(data).items() if name != thread}
    if ended:
        kept[thread] = ended
    told = msgspec.json.encode(dict(list(kept.items())[-_MOST:]))
    atomic.write_bytes(data / "done.json", told, atomic.PRIVATE)


def decline(data: Path, root: Path, file: Path) -> None:
    """Offer a saved place no more, unless it is written again. Raises StorageError."""
    mark(data, mark_key(root, str(file)), _time(file))


def is_declined(known: Mapping[str, str], root: Path, file: Path) -> bool:
    """Whether the user said no to a saved place as it stands."""
    return known.get(mark_key(root, str(file)), "") == _time(file) != ""


def _time(file: Path) -> str:
    with suppress(OSError):
        return str(file.stat().st_mtime_ns)
    return ""
