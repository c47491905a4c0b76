"""Threads that the user marked as done: `<data>/done.json`, the time of each one's last event by its
folder and branch. Something newer there opens it again; nothing of it is deleted.
"""

from __future__ import annotations

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


def mark(data: Path, thread: str, ended: str) -> None:
    """Mark one as done up to its last event; with "", take the mark back. Raises StorageError."""
    marks = {name: at for name, at in load(data).items() if name != thread}
    if ended:
        marks[thread] = ended
    kept = dict(list(marks.items())[-_MOST:])
    atomic.folder(data)
    atomic.write_bytes(data / _NAME, msgspec.json.encode(kept), atomic.PRIVATE)
