"""The tasks of session-protocol.json: today's over those of earlier saves,
and what a user does to one of them: close it, put it first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from difflib import get_close_matches
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from onward.documents import protocol_records as records
from onward.documents import times
from onward.documents.markdown import folded
from onward.documents.protocol_ledger import Ledger, Mark, checksum, title_hash
from onward.documents.protocol_records import Protocol, TaskRecord
from onward.errors import InputError, NotFoundError, RefusedError
from onward.model import Checkpoint, Clean, Task

_ID = re.compile(r"TASK_(\d+)$")
_NUMBER = re.compile(r"(?:task[_ -]?)?0*(\d{1,9})", re.IGNORECASE)
_UNNAMED = Clean("Session without a stated task")
_REQUESTS = 5
"""Requests of other sessions that stay as open tasks: they stand for work that nobody listed."""


class Merged(Struct, frozen=True, kw_only=True):
    """All tasks, each with an id of its own; the marks of this session's; the highest number that
    was ever given; and the open task that stands first unless the user moved another there.
    """

    tasks: tuple[TaskRecord, ...]
    marks: tuple[Mark, ...]
    last: int
    first: str


class _Given(Struct, frozen=True, kw_only=True):
    """A task of this session, as it goes into the file. `checksum` is kept from the save before
    where the user has changed it since: then it stays theirs.
    """

    task: Task[Clean]
    record: TaskRecord
    checksum: str = ""


def merge(old: Sequence[TaskRecord], checkpoint: Checkpoint, known: Ledger, now: str) -> Merged:
    """Today's tasks over the old ones: open before completed, today's before older.

    What the list of this session no longer has, and nobody touched, goes. What the user changed
    stays as they wrote it. `now` is a UTC stamp.
    """
    session = checkpoint.origin.session
    marks = known.marks.get(session, ())
    if not checkpoint.tasks:
        checkpoint = replace(checkpoint, tasks=_listed_before(old, marks))
    request = _request(checkpoint)
    nothing = Task(title=_UNNAMED, status="in_progress")
    listed = checkpoint.tasks or (() if request else (nothing,))
    left, given = list(old), list[_Given]()
    taken = {record.task.id for record in old}
    for task in (*([request] if request else []), *listed):
        others = [r for r in left if not _is_anothers(r, task, listed)]
        before = _marked(others, task, marks) or _same(others, task)
        if before is None and task is request:
            before = next((r for r in left if any(m.request and m.fits(r) for m in marks)), None)
        if before is None and _is_inside(old, task):
            continue
        if before is not None:
            left.remove(before)
        mark = next((m for m in marks if before and m.id == before.task.id), None)
        is_request = task is request
        if before is None and task.id in taken:  # an id that another task of the file has
            task = replace(task, id="")  # noqa: PLW2901
        given.append(_given(before, task, mark, now, is_request))
    left = [r for r in left if r.task.status == "completed" or not any(m.fits(r) for m in marks)]
    if session:
        left = _stepped_back(left, [m for own in known.marks.values() for m in own if m.request])
    last = max(known.last, _highest(old))
    both = _numbered([_dated(r, now) for r in (*(each.record for each in given), *left)], last)
    ordered = sorted(both, key=lambda record: record.task.status == "completed")
    return Merged(
        tasks=tuple(_moved(ordered, old, known.first)),
        last=max(last, _highest(ordered)),
        first=_first(ordered),
        marks=tuple(
            Mark(
                id=record.task.id,
                checksum=each.checksum or checksum(record),
                request=request is not None and number == 0,
                status=each.task.status,
                title=title_hash(each.task.title),
            )
            for number, (each, record) in enumerate(zip(given, both, strict=False))
        ),
    )


def _listed_before(old: Sequence[TaskRecord], marks: Iterable[Mark]) -> tuple[Task[Clean], ...]:
    """The open tasks that a note of this session gave before, for want of a list of its own."""
    ids = {mark.id for mark in marks if not mark.request}
    mine = (record.task for record in old if record.task.id in ids)
    return tuple(cast("Task[Clean]", task) for task in mine if task.status != "completed")


def _first(records: Iterable[TaskRecord]) -> str:
    """The id of the first open task, "" for none."""
    return next((r.task.id for r in records if r.task.status != "completed"), "")


def _moved(
    ordered: Sequence[TaskRecord], old: Sequence[TaskRecord], first: str
) -> Sequence[TaskRecord]:
    """The records with that one first which the user moved there, while it is open."""
    open_ = {record.task.id for record in old if record.task.status != "completed"}
    chosen = _first(old)
    if first not in open_ or chosen == first:
        return ordered
    front = [r for r in ordered if r.task.id == chosen and r.task.status != "completed"]
    return [*front, *(record for record in ordered if record not in front)]


def _marked(
    old: Sequence[TaskRecord], task: Task[Clean], marks: Iterable[Mark]
) -> TaskRecord | None:
    """The entry that this session gave the task before, whatever the user calls it now."""
    title = title_hash(task.title)
    ids = {mark.id for mark in marks if mark.title == title}
    return next((record for record in old if record.task.id in ids), None)


def _given(
    before: TaskRecord | None, task: Task[Clean], mark: Mark | None, now: str, request: bool
) -> _Given:
    """Today's task over its old entry, where `mark` tells what the user changed in that."""
    own = before is not None and mark is not None and mark.fits(before)
    ours = _updated(before, task, now, own=own and request)
    if before is None:
        return _Given(task=task, record=ours)
    if request and before.task.status == "completed":
        return _Given(task=task, record=before)  # the user ticked it off
    if mark is None or mark.status is None:
        return _Given(task=task, record=ours)
    hand, new = before.task, ours.task
    stays = hand.status == "completed" or task.status == mark.status
    if hand.status != mark.status and stays and not request:
        new = replace(new, status=hand.status, completed=hand.completed)
    if mark.checksum == checksum(before):
        return _Given(task=task, record=replace(ours, task=new))
    new = replace(
        new,
        title=hand.title or new.title,
        priority=hand.priority or new.priority,
        category=hand.category or new.category,
        context=hand.context or new.context,
        files=hand.files or new.files,
    )
    moved = {"status"} if new.status != hand.status else set()
    other = {name: value for name, value in before.other.items() if name not in moved}
    kept = TaskRecord(task=new, other=other)
    return _Given(task=task, record=kept, checksum=mark.checksum)


def _request(checkpoint: Checkpoint) -> Task[Clean] | None:
    """What was asked as a task, if the session's list is done while a next action is known."""
    following = checkpoint.next_action
    if checkpoint.tasks and (
        following is None or any(task.status != "completed" for task in checkpoint.tasks)
    ):
        return None
    asked = checkpoint.requests[-1].text if checkpoint.requests else None
    title = Clean(" ".join((checkpoint.task.text or asked or "").split()))
    context = following.text if following else asked
    if not title or any(folded(task.title) == folded(title) for task in checkpoint.tasks):
        return None
    return Task(title=title, status="in_progress", context=context if context != title else None)


def _stepped_back(left: Sequence[TaskRecord], requests: Sequence[Mark]) -> list[TaskRecord]:
    """The tasks without the oldest open requests (`requests`: newest first); the newest wait."""
    live = [mark for mark in requests if any(mark.fits(record) for record in left)]
    kept: list[TaskRecord] = []
    for record in left:
        rank = next((n for n, mark in enumerate(live) if mark.fits(record)), None)
        if rank is None:
            kept.append(record)
        elif rank < _REQUESTS:
            kept.append(replace(record, task=replace(record.task, status="pending")))
    return kept


def _same(old: list[TaskRecord], task: Task[Clean]) -> TaskRecord | None:
    """The old entry of a task: the one of its title, else the one of its id.

    An id alone may come from another file: the titles must have a word in common.
    """
    words = set(folded(task.title).split())
    named = [
        r
        for r in old
        if task.id and r.task.id == task.id and words & set(folded(r.task.title).split())
    ]
    titled = [r for r in old if folded(r.task.title) == folded(task.title)]
    singles = [r for r in titled if r.task.consolidated == task.consolidated]
    return next(iter((*singles, *named)), None)


def _is_anothers(record: TaskRecord, task: Task[Clean], today: Iterable[Task[Clean]]) -> bool:
    """Whether another of today's tasks has the entry's very title and status."""
    status, title = record.task.status, folded(record.task.title)
    return status != task.status and any(
        other.status == status and folded(other.title) == title for other in today
    )


def _is_inside(old: Iterable[TaskRecord], task: Task[Clean]) -> bool:
    """Whether a completed task went into a consolidated one in an earlier save."""
    title = re.compile(rf"(?:^|: |; ){re.escape(folded(task.title))}(?: \(|; |\.|$)")
    groups = (folded(r.task.context or "") for r in old if r.task.consolidated)
    return task.status == "completed" and any(title.search(group) for group in groups)


def _updated(before: TaskRecord | None, task: Task[Clean], now: str, *, own: bool) -> TaskRecord:
    """Today's task with what it had before; with `own`, what we noted ourselves is as today."""
    was = before.task if before else Task(title="")
    other = dict(before.other) if before else {}
    if was.status != task.status:
        # A status of another tool's own holds as long as ours says the same as before.
        other.pop("status", None)
    for name in ("priority", "category", "context", "files"):
        if getattr(task, name):
            other.pop(name, None)
    done = _utc(task.completed or was.completed or now) if task.status == "completed" else ""
    merged: Task[str] = Task(
        id=was.id or task.id,
        title=task.title,
        status=task.status,
        priority=task.priority or was.priority,
        category=task.category or was.category,
        created=was.created or _utc(task.created or task.completed or now),
        completed=done,
        context=task.context or (None if own else was.context),
        files=task.files or was.files,
        consolidated=task.consolidated,
        consolidated_count=task.consolidated_count,
    )
    return TaskRecord(task=merged, other=other)


def _dated(record: TaskRecord, now: str) -> TaskRecord:
    """A task that a user wrote without times gets those of its first save."""
    task = record.task
    done = task.completed or (now if task.status == "completed" else "")
    return replace(record, task=replace(task, created=task.created or done or now, completed=done))


def _utc(stamp: str) -> str:
    at = times.moment(stamp)
    return times.utc(at) if isinstance(at, datetime) else stamp


def _highest(tasks: Iterable[TaskRecord]) -> int:
    return max((int(found[1]) for r in tasks if (found := _ID.match(r.task.id))), default=0)


def _numbered(tasks: Sequence[TaskRecord], last: int) -> list[TaskRecord]:
    """Every task with an id of its own; those that had a good one keep it."""
    last, taken = max(last, _highest(tasks)), set[str]()
    numbered: list[TaskRecord] = []
    for record in tasks:
        name = record.task.id
        if not _ID.match(name) or name in taken:
            last += 1
            name = f"TASK_{last:03}"
        taken.add(name)
        numbered.append(replace(record, task=replace(record.task, id=name)))
    return numbered


# ----------------------------------------------------------------------------- by a user


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
