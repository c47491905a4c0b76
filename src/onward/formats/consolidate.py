"""The consolidation matrix of session-protocol.json. Part of the formats room.

The five newest completed tasks stay individual, and so does what the matrix protects: a
critical fix, a pitfall of its own, less than three days old, named by open work. The rest
is grouped by area; a group becomes one entry when three of the matrix' four conditions hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from onward.formats import times
from onward.formats.protocol_records import TaskRecord
from onward.model import Task

INDIVIDUAL = 5
RELATED = 5
DAYS = 3
_AREA_SIZE = 3
"""Tasks that must share a folder or a word before it counts as an area."""
_FILES = 20
OTHER = "Other completed work"

_LESSON = re.compile(
    r"pitfall|gotcha|lesson|critical|caution|beware|never |must not|workaround|root cause"
    r"|security|data loss|陷阱|教训|注意",
    re.IGNORECASE,
)
_COMMON_WORDS = (
    "added adding build built change changed check cleanup code completed create created "
    "delete deleted done file files finish fixed from implement implemented improve into "
    "make move moved refactor remove removed rename renamed setup task tasks test tests "
    "that this update updated using verify with write wrote when page "
)
_COMMON = frozenset(_COMMON_WORDS.split())


class Outcome(Struct, frozen=True, kw_only=True):
    """The tasks after consolidation, and which id each consolidated one now goes by."""

    tasks: tuple[TaskRecord, ...]
    renamed: dict[str, str]


def consolidate(records: Sequence[TaskRecord], now: str) -> Outcome:
    """Group what the matrix lets be grouped; `now` is a UTC stamp. Ids must be unique."""
    tasks = [record.task for record in records]
    done = [task for task in tasks if task.status == "completed" and not task.consolidated]
    ranked = sorted(done, key=lambda task: task.completed, reverse=True)
    kept = {task.id for task in ranked[:INDIVIDUAL]}
    kept |= {record.task.id for record in records if record.other}
    kept |= {task.id for task in done if _is_protected(task, tasks, now)}
    groups = {task.title.casefold(): task for task in tasks if task.consolidated}
    renamed: dict[str, str] = {}
    merged: dict[str, Task[str]] = {}
    for area, members in _areas(done):
        old = [task for task in members if task.id not in kept]
        group = groups.get((area or OTHER).casefold())
        if len(old) + (group is not None) < 2 or _conditions(area, members, now) < 3:
            continue
        if not old:
            continue
        one = _merged(area or OTHER, old, group)
        merged[one.id] = one
        renamed |= {task.id: one.id for task in old}
    return Outcome(tasks=tuple(_applied(records, merged, renamed)), renamed=renamed)


def _applied(
    records: Iterable[TaskRecord], merged: dict[str, Task[str]], renamed: dict[str, str]
) -> Iterable[TaskRecord]:
    for record in records:
        if record.task.id in merged:
            yield TaskRecord(task=merged[record.task.id], other=record.other)
        elif record.task.id not in renamed:
            yield record


def _conditions(area: str, members: Sequence[Task[str]], now: str) -> int:
    """How many of the matrix' four conditions hold for a group."""
    ages = [times.days_between(task.completed, now) for task in members]
    known = [age for age in ages if age is not None]
    return sum(
        (
            area != "",
            len(members) > RELATED,
            not any(_is_lesson(task) for task in members),
            not known or min(known) > DAYS,
        )
    )


def _is_lesson(task: Task[str]) -> bool:
    """A critical bug with its fix, or a lesson that a summary would lose."""
    critical = task.priority == "P1" and task.category == "BUGFIX"
    return critical or bool(_LESSON.search(f"{task.title} {task.context or ''}"))


def _is_protected(task: Task[str], tasks: Sequence[Task[str]], now: str) -> bool:
    age = times.days_between(task.completed, now)
    if _is_lesson(task) or (age is not None and age < DAYS):
        return True
    title = task.title.casefold()
    for other in tasks:
        words = f"{other.title} {other.context or ''}".casefold()
        if other.status != "completed" and (task.id.casefold() in words or title in words):
            return True
    return False


def _areas(tasks: Sequence[Task[str]]) -> list[tuple[str, list[Task[str]]]]:
    """The tasks by the folder or word that most of them share; "" for those that share none."""
    left = list(tasks)
    groups: list[tuple[str, list[Task[str]]]] = []
    while left:
        shared = Counter(mark for task in left for mark in _marks(task))
        area, count = max(shared.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
        if count < _AREA_SIZE:
            groups.append(("", left))
            break
        groups.append((area, [task for task in left if area in _marks(task)]))
        left = [task for task in left if area not in _marks(task)]
    return groups


def _marks(task: Task[str]) -> set[str]:
    folders = {"/".join(path.split("/")[:-1][:2]) for path in task.files}
    words = re.findall(r"[^\W\d_]{4,}", task.title)
    return {mark for mark in (*folders, *(w.capitalize() for w in words)) if mark} - {
        word.capitalize() for word in _COMMON
    }


def _merged(area: str, tasks: Sequence[Task[str]], group: Task[str] | None) -> Task[str]:
    """One consolidated task: of the first one's id, or grown from the group that was there."""
    files = dict.fromkeys(path for task in tasks for path in task.files)
    # Every title stays: it is how a later save knows that the task is in here.
    summary = "; ".join(task.title for task in tasks)
    done = max(task.completed for task in tasks)
    if group is not None:
        return replace(
            group,
            consolidated_count=group.consolidated_count + len(tasks),
            context=f"{group.context or 'Summary:'} {summary}.",
            files=tuple(dict.fromkeys((*group.files, *files)))[:_FILES],
            completed=max(done, group.completed),
        )
    see = f" See: {', '.join(list(files)[:3])}" if files else ""
    categories = {task.category for task in tasks}
    return Task(
        id=min(task.id for task in tasks),
        title=area,
        status="completed",
        category=categories.pop() if len(categories) == 1 else None,
        created=min(task.created for task in tasks),
        completed=done,
        consolidated=True,
        consolidated_count=len(tasks),
        context=f"Summary: {summary}.{see}",
        files=tuple(files)[:_FILES],
    )
