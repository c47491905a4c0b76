"""Closing and reordering the tasks of session-protocol.json."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from difflib import get_close_matches

from msgspec.structs import replace

from onward.documents import protocol_records as records
from onward.documents import times
from onward.documents.protocol_records import Protocol, TaskRecord
from onward.errors import InputError, NotFoundError, RefusedError
from onward.model import Clean

_NUMBER = re.compile(r"(?:task[_ -]?)?0*(\d{1,9})", re.IGNORECASE)


def close(text: str, wanted: str, now: datetime, clean: Callable[[str], Clean]) -> Clean:
    """The file with a task completed, as of now unless it was before. Raises NotFoundError for an
    id that no task has, InputError for a file that cannot be read.
    """
    protocol, found = _open(text, wanted, clean)
    stamp = times.utc(now)
    if found.task.status == "completed":
        return Clean(text)
    task = replace(found.task, status="completed", completed=stamp)
    other = {name: value for name, value in found.other.items() if name != "status"}
    done = TaskRecord(task=task, other=other)
    left = [record for record in protocol.tasks if record is not found]
    open_ = sum(record.task.status != "completed" for record in left)
    return _encode(protocol, [*left[:open_], done, *left[open_:]], stamp)


def put_first(text: str, wanted: str, now: datetime, clean: Callable[[str], Clean]) -> Clean:
    """The file with an open task before all others. Raises what `close` does, and RefusedError for
    a completed task.
    """
    protocol, found = _open(text, wanted, clean)
    if found.task.status == "completed":
        raise RefusedError(f"{found.task.id} is completed", "onward protocol load")
    left = [record for record in protocol.tasks if record is not found]
    return _encode(protocol, [found, *left], times.utc(now))


def id_of(text: str, wanted: str) -> str:
    """The id of the task that is meant: `TASK_003`, `task-3` or `3`. Raises NotFoundError with the
    one that reads most like it, InputError.
    """
    known = [record.task.id for record in records.decode(text).tasks]
    number = _NUMBER.fullmatch(wanted.strip())
    for name in known:
        other = _NUMBER.fullmatch(name)
        if name == wanted or (number and other and number[1] == other[1]):
            return name
    near = get_close_matches(wanted.upper(), known, n=1, cutoff=0.3)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise NotFoundError(f"no task has the id {wanted}{meant}", "onward protocol load")


def _open(text: str, wanted: str, clean: Callable[[str], Clean]) -> tuple[Protocol, TaskRecord]:
    name, protocol = id_of(text, wanted), records.decode(text, clean)
    if not protocol.has_metadata:
        raise InputError("Cannot load: missing metadata", "onward protocol save")
    return protocol, next(record for record in protocol.tasks if record.task.id == name)


def _encode(protocol: Protocol, tasks: Sequence[TaskRecord], stamp: str) -> Clean:
    changed = replace(protocol, tasks=tuple(tasks), updated=stamp)
    return Clean(records.encode(changed))
