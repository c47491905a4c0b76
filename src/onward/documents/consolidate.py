"""The consolidation matrix of session-protocol.json.

The five newest completed tasks stay individual, and so does what the matrix protects: a
critical fix, a pitfall of its own, less than three days old, named by open work. The rest
is grouped by area; a group becomes one entry when three of the matrix' four conditions hold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf

from msgspec.structs import replace

from onward.documents import times
from onward.documents.markdown import folded
from onward.documents.protocol_records import TaskEntry

INDIVIDUAL = 5
RELATED = 5
DAYS = 3
_AREA_SIZE = 3
"""Tasks that must share a folder or a word before it counts as an area."""
_FILES = 20
_SHORTEST = 4
"""Letters of a word that may name an area."""
_NOTE = 100
_CONTEXT = 4000
"""Characters: what a task noted, in the summary of its group; a whole summary."""
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


def consolidate(
    tasks: Sequence[TaskEntry], now: str
) -> tuple[tuple[TaskEntry, ...], dict[str, str]]:
    """Group what the matrix lets be grouped; `now` is a UTC stamp. Ids must be unique. The tasks, and
    which id each that went into a group now goes by.
    """
    done = [task for task in tasks if task.status == "completed" and not task.consolidated]
    ranked = sorted(done, key=lambda task: task.completed, reverse=True)
    kept = {task.id for task in ranked[:INDIVIDUAL]}
    kept |= {task.id for task in done if task.other or _is_protected(task, tasks, now)}
    groups = {t.id: t for t in tasks if t.consolidated and t.status == "completed"}
    renamed: dict[str, str] = {}
    for area, members in _areas(done):
        old = sorted((t for t in members if t.id not in kept), key=lambda task: task.completed)
        group = _group_of(area, groups.values())
        is_many = old and len(old) + (group is not None) >= 2
        if is_many and _conditions(area, members, now) >= 3:
            one = _merged(_name(area, members), old, group)
            groups[one.id] = one
            renamed |= {task.id: one.id for task in old}
    left = [groups.get(t.id, t) for t in tasks if t.id in groups or t.id not in renamed]
    if not renamed:
        return _ordered(left), {}
    # Until nothing changes: a new group may take what is still single.
    whole, again = consolidate(left, now)
    return whole, {old: again.get(new, new) for old, new in renamed.items()} | again


def _ordered(tasks: Iterable[TaskEntry]) -> tuple[TaskEntry, ...]:
    """Open tasks as they stand, then completed ones, the newest first, then groups."""

    def done_at(task: TaskEntry) -> str:
        return (task.completed or "?") if task.status == "completed" else ""

    newest_first = sorted(tasks, key=done_at, reverse=True)
    return tuple(sorted(newest_first, key=lambda task: (done_at(task) != "", task.consolidated)))


def _conditions(area: str, members: Sequence[TaskEntry], now: str) -> int:
    """How many of the matrix' four conditions hold for a group."""
    return sum(
        (
            area != "",
            len(members) > RELATED,
            not any(_is_lesson(task) for task in members),
            all(_age(task, now) > DAYS for task in members),
        )
    )


def _age(task: TaskEntry, now: str) -> float:
    """Days since it was completed, infinite where that is unknown."""
    days = times.days_between(task.completed, now)
    return inf if days is None else days


def _is_lesson(task: TaskEntry) -> bool:
    """A critical bug with its fix, or a lesson that a summary would lose."""
    critical = task.priority == "P1" and task.category == "BUGFIX"
    return critical or bool(_LESSON.search(f"{task.title} {task.context or ''}"))


def _is_protected(task: TaskEntry, tasks: Sequence[TaskEntry], now: str) -> bool:
    if _is_lesson(task) or _age(task, now) < DAYS:
        return True
    open_ = (other for other in tasks if other.status != "completed")
    words = (f"{other.title} {other.context or ''}".casefold() for other in open_)
    named = (task.id.casefold(), task.title.casefold())
    return any(name in text for text in words for name in named)


def _areas(tasks: Sequence[TaskEntry]) -> list[tuple[str, list[TaskEntry]]]:
    """The tasks by the folder or word that most of them share; "" for those that share none."""
    left = list(tasks)
    groups: list[tuple[str, list[TaskEntry]]] = []
    while left:
        shared = Counter(mark for task in left for mark in _marks(task))
        area, count = max(shared.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
        if count < _AREA_SIZE:
            groups.append(("", left))
            break
        groups.append((area, [task for task in left if area in _marks(task)]))
        left = [task for task in left if area not in _marks(task)]
    return groups


def _marks(task: TaskEntry) -> set[str]:
    folders = {"/".join(path.split("/")[:-1][:2]) for path in task.files}
    return {mark for mark in folders if mark} | _words(task.title)


def _words(title: str) -> set[str]:
    """The words of a title that may name an area."""
    words = {word.casefold() for word in re.findall(rf"[^\W\d_]{{{_SHORTEST},}}", title)}
    return {word.capitalize() for word in words - _COMMON}


def _group_of(area: str, groups: Iterable[TaskEntry]) -> TaskEntry | None:
    """The consolidated task of an earlier save that the area's tasks go into."""
    for group in groups:
        title = group.title.casefold()
        if title == (area or OTHER).casefold():
            return group
        if area and title != OTHER.casefold() and area in _words(group.title):
            return group
    return None


def _name(area: str, tasks: Sequence[TaskEntry]) -> str:
    """The area in the tasks' own words: those that all share and that say something."""
    if not area or area not in _words(tasks[0].title):
        return area or OTHER
    titles = [folded(task.title).split() for task in tasks]
    words = (word for word in tasks[0].title.split() if len(word) >= _SHORTEST)
    return " ".join(w for w in words if all(w.casefold() in each for each in titles)) or area


def _merged(area: str, tasks: Sequence[TaskEntry], group: TaskEntry | None) -> TaskEntry:
    """One consolidated task: of the first one's id, or grown from the group that was there."""
    files = tuple(dict.fromkeys(path for task in tasks for path in task.files))
    see = f" See: {', '.join(files[:3])}." if files and not group else ""
    if group is None:
        categories = {task.category for task in tasks}
        group = TaskEntry(
            id=min((task.id for task in tasks), key=lambda name: (len(name), name)),
            title=area,
            status="completed",
            category=categories.pop() if len(categories) == 1 else None,
            created=min(task.created for task in tasks),
            consolidated=True,
        )
    before = (group.context or "").strip().rstrip(".")
    # Every title stays: it is how a later save knows that the task is in here.
    summary = "; ".join(map(_told, tasks))
    told = f"{before}. Also: {summary}." if before else f"Summary: {summary}.{see}"
    return replace(
        group,
        completed=max(group.completed, *(task.completed for task in tasks)),
        consolidated_count=group.consolidated_count + len(tasks),
        context=_bounded(told),
        files=tuple(dict.fromkeys((*group.files, *files)))[:_FILES],
    )


def _told(task: TaskEntry) -> str:
    """A task in the summary: its title, and the beginning of what was noted about it."""
    note = " ".join((task.context or "").split())
    if len(note) > _NOTE:
        note = note[:_NOTE].rsplit(" ", 1)[0] + " …"
    return f"{task.title} ({note})" if note else task.title


def _bounded(context: str) -> str:
    """A summary within _CONTEXT characters: what is oldest in it goes first."""
    if len(context) <= _CONTEXT:
        return context
    _, _, rest = context[-_CONTEXT:].partition("; ")
    return f"Summary: … {rest}" if rest else context[-_CONTEXT:]
