"""What the user wants to hear of no more: `<data>/done.json`, by its folder and branch the time of the
last event of a thread that is done, by its project and file the time of a saved place that they said
no to. Something newer there opens it again; nothing of it is deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from onward.errors import OnwardError
from onward.storage import atomic, reading

_NAME = "done.json"
_MOST = 1000
"""Marks that are kept, the newest."""


def load(data: Path) -> dict[str, str]:
    """The marks by `key`; a damaged file counts as none."""
    with suppress(OnwardError, msgspec.DecodeError, RecursionError):
        return msgspec.json.decode(reading.data(data / _NAME), type=dict[str, str])
    return {}


def key(root: Path, branch: str) -> str:
    """What a thread is known by."""
    return f"{root}\n{branch}"


def decline(data: Path, root: Path, file: Path) -> None:
    """Offer a saved place no more, unless it is written again. Raises StorageError."""
    mark(data, key(root, str(file)), _time(file))


def is_declined(marks: Mapping[str, str], root: Path, file: Path) -> bool:
    """Whether the user said no to a saved place as it stands."""
    return marks.get(key(root, str(file)), "") == _time(file) != ""


def _time(file: Path) -> str:
    with suppress(OSError):
        return str(file.stat().st_mtime_ns)
    return ""


def mark(data: Path, thread: str, ended: str) -> None:
    """Mark one as done up to its last event; with "", take the mark back. Raises StorageError."""
    marks = {name: at for name, at in load(data).items() if name != thread}
    if ended:
        marks[thread] = ended
    kept = dict(list(marks.items())[-_MOST:])
    atomic.folder(data)
    atomic.write_bytes(data / _NAME, msgspec.json.encode(kept), atomic.PRIVATE)
