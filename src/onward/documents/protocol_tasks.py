"""The tasks of session-protocol.json: today's over those of earlier saves, and the document's
consolidation matrix.

A session's own task list is the truth about its tasks: when the same session saves again, what
its list no longer has may go. What the user changed since is theirs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from msgspec.structs import replace

from onward.documents import times
from onward.documents.markdown import folded
from onward.documents.protocol_records import (
    NOTED,
    Ledger,
    Mark,
    TaskEntry,
    checksum_of,
    highest,
    numbered,
    title_hash,
)
from onward.model import Checkpoint, Clean, Task

_REQUESTS = 5
"""Requests of other sessions that stay as open tasks: they stand for work that nobody listed."""
_UNNAMED = Clean("Session without a stated task")


def merge(
    old: Sequence[TaskEntry], checkpoint: Checkpoint, known: Ledger, now: str
) -> tuple[list[TaskEntry], Ledger]:
    """Today's tasks over the old ones, each with an id of its own, open before completed, today's
    before older; and the ledger for them. `now` is a UTC stamp.

    What the list of this session no longer has, and nobody touched, goes. What the user changed
    stays as they wrote it.
    """
    session = checkpoint.origin.session
    marks = known.marks.get(session, ())
    given, left = _over(old, checkpoint, marks, now)
    if session:
        left = _stepped_back(left, [m for own in known.marks.values() for m in own if m.request])
    last = max(known.last, highest(old))
    every = numbered([*(entry for entry, _ in given), *left], last, now)
    ordered = sorted(every, key=lambda task: task.status == "completed")
    pairs = zip(given, every, strict=False)
    mine = [replace(mark, id=entry.id) for (_, mark), entry in pairs]
    ids = {mark.id for mark in mine}
    others = {
        name: tuple(mark for mark in theirs if mark.id not in ids)
        for name, theirs in known.marks.items()
        if name != session
    }
    ledger = Ledger(
        marks={session: tuple(mine), **others} if session else others,
        last=max(last, highest(ordered)),
        first=_first(ordered),
    )
    # The user moved one to the front, which stays there while it is open.
    chosen, open_ = _first(old), {task.id for task in old if task.status != "completed"}
    if known.first in open_ and chosen != known.first:
        ordered.sort(key=lambda task: task.id != chosen or task.status == "completed")
    return ordered, ledger


def _over(
    old: Sequence[TaskEntry], checkpoint: Checkpoint, marks: Sequence[Mark], now: str
) -> tuple[list[tuple[TaskEntry, Mark]], list[TaskEntry]]:
    """Today's tasks, each with its mark, and those of the old ones that stay beside them."""
    if not checkpoint.tasks:  # those that a note gave it before count as its list
        noted = {mark.id for mark in marks if not mark.request}
        mine = [task for task in old if task.id in noted and task.status != "completed"]
        checkpoint = replace(checkpoint, tasks=tuple(cast("list[Task[Clean]]", mine)))
    request = _request(checkpoint)
    nothing = Task(title=_UNNAMED, status="in_progress")
    listed = checkpoint.tasks or (() if request else (nothing,))
    left, given, ids = list(old), list[tuple[TaskEntry, Mark]](), {task.id for task in old}
    for task in (*([request] if request else []), *listed):
        is_request = task is request
        before = _before(task, listed, left, marks, is_request=is_request)
        if before is not None:
            left.remove(before)
        elif _is_inside(old, task):
            continue
        elif task.id in ids:  # an id that another task of the file has is not this one's
            task = replace(task, id="")  # noqa: PLW2901
        entry, checksum = _laid(before or TaskEntry(), task, marks, now, is_request=is_request)
        mark = Mark(
            id=entry.id,
            checksum=checksum or checksum_of(entry),
            request=is_request,
            status=task.status,
            title=title_hash(task.title),
        )
        given.append((entry, mark))
    return given, [t for t in left if t.status == "completed" or not _fits(t, marks)]


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


def _before(
    task: Task[Clean],
    listed: Iterable[Task[Clean]],
    left: Sequence[TaskEntry],
    marks: Sequence[Mark],
    *,
    is_request: bool,
) -> TaskEntry | None:
    """The entry that a task had: the one that this session gave it before, whatever the user calls
    it now; else the one of its title; else that of its id, if the titles share a word, as an id
    alone may come from another file. A request that changed has the entry of the one before.
    """
    title, words = folded(task.title), set(folded(task.title).split())
    given = {mark.id for mark in marks if mark.title == title_hash(title)}
    # Of two tasks of one title each has the entry of its status.
    taken = {(each.status, folded(each.title)) for each in listed} - {(task.status, title)}
    free = [e for e in left if e.status == task.status or (e.status, folded(e.title)) not in taken]
    titled = [e for e in free if folded(e.title) == title and e.consolidated == task.consolidated]
    named = [
        e for e in free if task.id and e.id == task.id and words & set(folded(e.title).split())
    ]
    marked = (e for e in free if e.id in given)
    asked = (e for e in left if is_request and _fits(e, [m for m in marks if m.request]))
    return next(iter((*marked, *titled, *named, *asked)), None)


def _laid(
    before: TaskEntry, task: Task[Clean], marks: Iterable[Mark], now: str, *, is_request: bool
) -> tuple[TaskEntry, str]:
    """Today's task over its old entry, and the checksum to be kept where the user changed that."""
    if is_request and before.status == "completed":
        return before, ""  # the user ticked it off
    mark = next((mark for mark in marks if mark.id == before.id), None)
    own = mark is not None and mark.fits(before)
    ours = _updated(before, task, now, own=own and is_request)
    if mark is None or mark.status is None:
        return ours, ""
    stays = before.status == "completed" or task.status == mark.status
    if before.status != mark.status and stays and not is_request:
        ours = replace(ours, status=before.status, completed=before.completed)
    if mark.checksum == checksum_of(before):
        return ours, ""
    gone = {"status"} if ours.status != before.status else set[str]()
    other = {key: value for key, value in before.other.items() if key not in gone}
    theirs = {name: getattr(before, name) or getattr(ours, name) for name in ("title", *NOTED)}
    return replace(ours, other=other, **theirs), mark.checksum


def _updated(was: TaskEntry, task: Task[Clean], now: str, *, own: bool) -> TaskEntry:
    """Today's task with what it had before; with `own`, what we noted ourselves is as today."""
    noted: dict[str, Any] = {name: getattr(task, name) or getattr(was, name) for name in NOTED}
    if own:
        noted["context"] = task.context
    # A value of another tool's own holds as long as ours says the same as before, or nothing.
    mine = {name for name in NOTED if getattr(task, name)}
    mine |= {"status"} if was.status != task.status else set()
    done, created = task.completed or was.completed or now, task.created or task.completed or now
    return TaskEntry(
        id=was.id or task.id,
        title=task.title,
        status=task.status,
        created=was.created or times.in_utc(created) or created,
        completed=(times.in_utc(done) or done) if task.status == "completed" else "",
        consolidated=task.consolidated,
        consolidated_count=task.consolidated_count,
        other={name: value for name, value in was.other.items() if name not in mine},
        **noted,
    )


def _fits(task: TaskEntry, marks: Iterable[Mark]) -> bool:
    return any(mark.fits(task) for mark in marks)


def _is_inside(old: Iterable[TaskEntry], task: Task[Clean]) -> bool:
    """Whether a completed task went into a consolidated one in an earlier save."""
    title = re.compile(rf"(?:^|: |; ){re.escape(folded(task.title))}(?: \(|; |\.|$)")
    groups = (folded(each.context or "") for each in old if each.consolidated)
    return task.status == "completed" and any(title.search(group) for group in groups)


def _stepped_back(left: Sequence[TaskEntry], requests: Sequence[Mark]) -> list[TaskEntry]:
    """The tasks without the oldest open requests (`requests`: newest first); the newest wait."""
    live = [mark for mark in requests if any(map(mark.fits, left))]
    kept = (task for task in left if not _fits(task, live[_REQUESTS:]))
    return [replace(t, status="pending") if _fits(t, live[:_REQUESTS]) else t for t in kept]


def _first(tasks: Iterable[TaskEntry]) -> str:
    """The id of the first open task, "" for none."""
    return next((task.id for task in tasks if task.status != "completed"), "")


INDIVIDUAL = 5
RELATED = 5
DAYS = 3
_AREA_SIZE = 3  # tasks that must share a folder or a word before it counts as an area
_FILES = 20
_SHORTEST = 4  # letters of a word that may name an area
_NOTE = 100
_CONTEXT = 4000  # characters: what a task noted, in the summary of its group; a whole summary
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
        conditions = (
            area != "",
            len(members) > RELATED,
            not any(_is_lesson(task) for task in members),
            all(_age(task, now) > DAYS for task in members),
        )
        is_many = old and len(old) + (group is not None) >= 2
        if is_many and sum(conditions) >= 3:  # of the four of the matrix
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


def _age(task: TaskEntry, now: str) -> float:
    """Days since it was completed, very many where that is unknown."""
    return (times.seconds(now) - times.seconds(task.completed)) / 86400


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


def _areas(left: Sequence[TaskEntry]) -> Iterator[tuple[str, list[TaskEntry]]]:
    """The tasks by the folder or word that most of them share; "" for those that share none."""
    while left:
        shared = Counter(mark for task in left for mark in _marks(task))
        area, count = max(shared.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
        area = area if count >= _AREA_SIZE else ""
        yield area, [task for task in left if not area or area in _marks(task)]
        left = [task for task in left if area and area not in _marks(task)]


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
        title, other = group.title.casefold(), OTHER.casefold()
        shared = area and title != other and area in _words(group.title)
        if shared or title == (area.casefold() or other):
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
    if len(told) > _CONTEXT:  # what is oldest in it goes first
        told = told[-_CONTEXT:]
        _, _, rest = told.partition("; ")
        told = f"Summary: … {rest}" if rest else told
    return replace(
        group,
        completed=max(group.completed, *(task.completed for task in tasks)),
        consolidated_count=group.consolidated_count + len(tasks),
        context=told,
        files=tuple(dict.fromkeys((*group.files, *files)))[:_FILES],
    )


def _told(task: TaskEntry) -> str:
    """A task in the summary: its title, and the beginning of what was noted about it."""
    note = " ".join((task.context or "").split())
    if len(note) > _NOTE:
        note = note[:_NOTE].rsplit(" ", 1)[0] + " …"
    return f"{task.title} ({note})" if note else task.title
