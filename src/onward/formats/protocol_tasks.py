"""The tasks of session-protocol.json: today's over those of earlier saves. Formats room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from onward.formats import protocol_sessions as sessions
from onward.formats import times
from onward.formats.protocol_records import TaskRecord
from onward.formats.protocol_sessions import Mark, Marks
from onward.model import Checkpoint, Clean, Task

_ID = re.compile(r"TASK_(\d+)$")
_UNNAMED = Clean("Session without a stated task")
_REQUESTS = 5
"""Requests of other sessions that stay as open tasks: they stand for work that nobody listed."""


class Merged(Struct, frozen=True, kw_only=True):
    """All tasks, each with an id of its own; the marks of those that this session left open;
    the highest number that was ever given.
    """

    tasks: tuple[TaskRecord, ...]
    marks: tuple[Mark, ...]
    last: int


def merge(
    old: Sequence[TaskRecord],
    checkpoint: Checkpoint,
    known: Marks,
    last: int,
    now: str,
) -> Merged:
    """Today's tasks over the old ones: open before completed, today's before older.

    `known` are the marks of the sessions that saved before: what the list of this one no
    longer has, and nobody touched, goes. New ids come after the number `last`; `now` is a
    UTC stamp.
    """
    session, request = checkpoint.origin.session, _request(checkpoint)
    marks = known.get(session, ())
    listed = checkpoint.tasks or (() if request else (_unnamed(),))
    left, merged, last = list(old), list[TaskRecord](), max(last, _highest(old))
    taken = {record.task.id for record in old}
    for task in (*([request] if request else []), *listed):
        before = _same([r for r in left if not _is_anothers(r, task, listed)], task)
        if before is None and task is request:
            before = next((r for r in left if any(m.request and m.fits(r) for m in marks)), None)
        if before is None and _is_inside(old, task):
            continue
        if before is not None:
            left.remove(before)
        if task is request and before is not None and before.task.status == "completed":
            merged.append(before)  # the person ticked it off
            continue
        own = before is not None and _is_untouched(before, marks)
        merged.append(_updated(before, _unclaimed(before, task, taken), now, own=own))
    left = [record for record in left if not _is_untouched(record, marks)]
    if session:
        left = _stepped_back(left, [m for own in known.values() for m in own if m.request])
    both = _numbered([_dated(record, now) for record in (*merged, *left)], last)
    todays = {record.task.id for record in both[: len(merged)]}
    asked = both[0].task.id if request else ""
    ordered = sorted(both, key=lambda record: record.task.status == "completed")
    return Merged(
        tasks=tuple(ordered),
        last=max(last, _highest(ordered)),
        marks=tuple(
            sessions.mark(record, request=record.task.id == asked)
            for record in ordered
            if record.task.id in todays and record.task.status != "completed"
        ),
    )


def _request(checkpoint: Checkpoint) -> Task[Clean] | None:
    """What was asked as a task, where the session's own list leaves nothing to do while
    something is: the file names the next task.
    """
    following = checkpoint.next_action
    if checkpoint.tasks and (
        following is None or any(task.status != "completed" for task in checkpoint.tasks)
    ):
        return None
    asked = checkpoint.requests[-1].text if checkpoint.requests else None
    title = Clean(" ".join((checkpoint.task.text or asked or "").split()))
    context = following.text if following else asked
    if not title or any(_plain(task.title) == _plain(title) for task in checkpoint.tasks):
        return None
    return Task(title=title, status="in_progress", context=context if context != title else None)


def _stepped_back(left: Sequence[TaskRecord], requests: Sequence[Mark]) -> list[TaskRecord]:
    """The tasks without the requests of long ago (`requests`: the newest first); the newest
    wait, for they are no longer in progress.
    """
    live = [mark for mark in requests if any(mark.fits(record) for record in left)]
    kept: list[TaskRecord] = []
    for record in left:
        rank = next((n for n, mark in enumerate(live) if mark.fits(record)), None)
        if rank is None:
            kept.append(record)
        elif rank < _REQUESTS:
            kept.append(replace(record, task=replace(record.task, status="pending")))
    return kept


def _is_untouched(record: TaskRecord, marks: Iterable[Mark]) -> bool:
    return any(mark.fits(record) for mark in marks)


def _unnamed() -> Task[Clean]:
    return Task(title=_UNNAMED, status="in_progress")


def _same(old: list[TaskRecord], task: Task[Clean]) -> TaskRecord | None:
    """The old entry of a task: the one of its title, else the one of its id.

    An id alone may come from another file: the titles must have a word in common.
    """
    words = set(_plain(task.title).split())
    named = [
        r
        for r in old
        if task.id and r.task.id == task.id and words & set(_plain(r.task.title).split())
    ]
    titled = [r for r in old if _plain(r.task.title) == _plain(task.title)]
    singles = [r for r in titled if r.task.consolidated == task.consolidated]
    return next(iter((*singles, *named)), None)


def _is_anothers(record: TaskRecord, task: Task[Clean], today: Iterable[Task[Clean]]) -> bool:
    """Whether another of today's tasks has the entry's very title and status."""
    status, title = record.task.status, _plain(record.task.title)
    return status != task.status and any(
        other.status == status and _plain(other.title) == title for other in today
    )


def _is_inside(old: Iterable[TaskRecord], task: Task[Clean]) -> bool:
    """Whether a completed task went into a consolidated one in an earlier save."""
    title = re.compile(rf"(?:^|: |; ){re.escape(_plain(task.title))}(?: \(|; |\.|$)")
    groups = (_plain(r.task.context or "") for r in old if r.task.consolidated)
    return task.status == "completed" and any(title.search(group) for group in groups)


def _unclaimed(before: TaskRecord | None, task: Task[Clean], taken: set[str]) -> Task[Clean]:
    """The task without an id that another task of the file has."""
    return replace(task, id="") if before is None and task.id in taken else task


def _updated(before: TaskRecord | None, task: Task[Clean], now: str, *, own: bool) -> TaskRecord:
    """Today's task with what it had before; of what we wrote ourselves, today's context holds."""
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
    """A task that a person wrote without times gets those of its first save."""
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


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
