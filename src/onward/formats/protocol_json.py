"""session-protocol.json: merge a checkpoint into a file, and read one as a draft.

Part of the formats room. What the schema has no field for (progress, next action, blockers,
decisions …) stands in context blocks of its names, in the line form of the checkpoint file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime

from msgspec.structs import replace

from onward.errors import InputError
from onward.formats import assemble, consolidate, entry, page, times
from onward.formats import protocol_records as records
from onward.formats.entry import Entry
from onward.formats.headings import Field
from onward.formats.protocol_records import BlockRecord, Protocol, TaskRecord
from onward.model import Block, Checkpoint, Clean, Draft, FileFact, Item, RepoState, Task

# Fields in blocks: those that hold today's state, and those that only grow.
_STATE: tuple[tuple[str, Field], ...] = (
    ("Task", "task"),
    ("Next Action", "next_action"),
    ("Progress", "progress"),
    ("Blockers", "blockers"),
    ("Runs", "runs"),
    ("Goal", "goal"),
    ("Requests", "requests"),
    ("Plan", "plan"),
    ("Files", "files"),
    ("Last Words", "closing"),
)
_LASTING: tuple[tuple[str, Field], ...] = (
    ("Key Decisions", "decisions"),
    ("Dead Ends", "dead_ends"),
    ("Deferred", "deferred"),
    ("Commands", "commands"),
    ("Relevant Context", "context"),
)
_GROWING = frozenset(field for _, field in _LASTING)
# Only these very titles are ours: a block of someone else's "Summary" is their prose.
_FIELD_OF = {title.casefold(): field for title, field in (*_STATE, *_LASTING)}
_ID = re.compile(r"TASK_(\d+)$")
_UNNAMED = Clean("Session without a stated task")


def merge(
    old: str | None, checkpoint: Checkpoint, now: datetime, clean: Callable[[str], Clean]
) -> Clean:
    """The new text of the file: the checkpoint's state over what the old text holds.

    `clean` redacts what a person or another tool wrote into the old text. Raises InputError
    where the old text is no JSON: then nothing may be written.
    """
    stamp = times.utc(now)
    before = records.decode(old, clean) if old and old.strip() else Protocol()
    tasks = _numbered(_tasks(before.tasks, checkpoint, stamp))
    outcome = consolidate.consolidate(tasks, stamp)
    repo = checkpoint.repo
    merged = Protocol(
        created=before.created or stamp,
        updated=stamp,
        branch=repo.branch if repo else before.branch,
        commit=repo.commit if repo else before.commit,
        metadata=before.metadata,
        tasks=outcome.tasks,
        blocks=tuple(
            _renamed(block, outcome.renamed) for block in _blocks(before.blocks, checkpoint, stamp)
        ),
        other=before.other,
    )
    return Clean(records.encode(merged))


def parse(text: str) -> Draft:
    """The draft in a file. Raises InputError with the document's two sentences."""
    protocol = records.decode(text)
    if not protocol.has_metadata:
        raise InputError("Cannot load: missing metadata", "the file needs a `metadata` object")
    read = page.Page(title="", found={}, extra=[])
    blocks: list[Block[str]] = []
    for record in protocol.blocks:
        field = _FIELD_OF.get(_plain(record.block.title))
        if field:
            for one in page.entries_of(field, record.block.content):
                read.add(field, one)
        else:
            blocks.append(record.block)
    tasks = tuple(record.task for record in protocol.tasks)
    draft = replace(
        assemble.draft(read),
        saved=protocol.updated,
        created=protocol.created,
        tasks=tasks,
        blocks=tuple(blocks),
        repo=_repo(protocol),
    )
    return draft if "task" in read.found else _from_tasks(draft)


def next_task(tasks: Iterable[Task[str]]) -> Task[str] | None:
    """The first task that is pending or in progress."""
    return next((task for task in tasks if task.status != "completed"), None)


# ------------------------------------------------------------------------------- tasks


def _tasks(old: tuple[TaskRecord, ...], checkpoint: Checkpoint, now: str) -> list[TaskRecord]:
    """Today's tasks over the old ones: open before completed, today's before older."""
    left = list(old)
    taken = {record.task.id for record in old}
    merged: list[TaskRecord] = []
    for task in checkpoint.tasks or (_only_task(checkpoint),):
        before = _same(left, task)
        if before is None and _is_inside(old, task):
            continue
        if before is not None:
            left.remove(before)
        elif task.id in taken:
            task = replace(task, id="")  # noqa: PLW2901 (another task of the file has that id)
        merged.append(_updated(before, task, now))
    both = [*merged, *left]
    return sorted(both, key=lambda record: record.task.status == "completed")


def _only_task(checkpoint: Checkpoint) -> Task[Clean]:
    """The request, where the session had no task list."""
    asked = checkpoint.requests[-1].text if checkpoint.requests else None
    title = Clean(" ".join((checkpoint.task.text or asked or _UNNAMED).split()))
    context = asked if asked and asked != checkpoint.task.text else None
    return Task(title=title, status="in_progress", context=context)


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


def _is_inside(old: Iterable[TaskRecord], task: Task[Clean]) -> bool:
    """Whether a completed task went into a consolidated one in an earlier save."""
    groups = (_plain(r.task.context or "") for r in old if r.task.consolidated)
    return task.status == "completed" and any(_plain(task.title) in group for group in groups)


def _updated(before: TaskRecord | None, task: Task[Clean], now: str) -> TaskRecord:
    was = before.task if before else Task(title="")
    other = dict(before.other) if before else {}
    if was.status != task.status:
        # A status of another tool's own holds as long as ours says the same as before.
        other.pop("status", None)
    done = _utc(task.completed or was.completed or now) if task.status == "completed" else ""
    merged: Task[str] = Task(
        id=was.id or task.id,
        title=task.title,
        status=task.status,
        priority=task.priority or was.priority,
        category=task.category or was.category,
        created=was.created or _utc(task.created or task.completed or now),
        completed=done,
        context=task.context or was.context,
        files=task.files or was.files,
        consolidated=task.consolidated,
        consolidated_count=task.consolidated_count,
    )
    return TaskRecord(task=merged, other=other)


def _utc(stamp: str) -> str:
    at = times.moment(stamp)
    return times.utc(at) if at else stamp


def _numbered(tasks: Iterable[TaskRecord]) -> list[TaskRecord]:
    """Every task with an id of its own; those that had a good one keep it."""
    all_tasks = list(tasks)
    numbers = [int(found[1]) for r in all_tasks if (found := _ID.match(r.task.id))]
    last, taken = max(numbers, default=0), set[str]()
    numbered: list[TaskRecord] = []
    for record in all_tasks:
        name = record.task.id
        if not _ID.match(name) or name in taken:
            last += 1
            name = f"TASK_{last:03}"
        taken.add(name)
        numbered.append(replace(record, task=replace(record.task, id=name)))
    return numbered


# ------------------------------------------------------------------------------ blocks


def _blocks(old: tuple[BlockRecord, ...], checkpoint: Checkpoint, now: str) -> list[BlockRecord]:
    """Our blocks with today's state, then everyone else's, merged by title."""
    before = {_plain(record.block.title): record for record in old}
    ours: list[BlockRecord] = []
    for title, field in (*_STATE, *_LASTING):
        record = before.pop(_plain(title), BlockRecord(block=Block(title=title, content="")))
        today = page.fields(checkpoint, field)
        content = _content([*today, *_kept(field, record.block.content, today)])
        if content:
            ours.append(_with(record, Block(title=title, content=content), now))
    own: Iterable[Block[Clean]] = (
        *checkpoint.blocks,
        *(Block(title=part.heading, content=part.body) for part in checkpoint.extra),
    )
    for block in own:
        record = before.get(_plain(block.title), BlockRecord(block=Block(title="", content="")))
        text = Block(
            title=str(block.title),
            content=str(block.content),
            updated=block.updated,
            related_tasks=block.related_tasks,
        )
        before[_plain(block.title)] = _with(record, text, now)
    return [*ours, *before.values()]


def _kept(field: Field, content: str, today: list[Entry]) -> list[Entry]:
    """What stays of an old block of ours: all that lasts, and what a person wrote into it."""
    said = {_plain(one.text) for one in today}
    new = [one for one in page.entries_of(field, content) if _plain(one.text) not in said]
    if field in _GROWING:
        return new
    return [] if field in page.SINGLE and today else [one for one in new if not one.tag]


def _with(record: BlockRecord, block: Block[str], now: str) -> BlockRecord:
    """The record with a new content; its time moves only if the content did."""
    same = record.block.content == block.content
    updated = (record.block.updated if same else block.updated) or now
    related = block.related_tasks or record.block.related_tasks
    return replace(record, block=replace(block, updated=updated, related_tasks=related))


def _content(found: Iterable[Entry]) -> str:
    return "\n".join(line for one in found for line in entry.lines(one))


def _renamed(record: BlockRecord, names: dict[str, str]) -> BlockRecord:
    """References to consolidated tasks lead to what they became."""
    related = dict.fromkeys(names.get(name, name) for name in record.block.related_tasks)
    return replace(record, block=replace(record.block, related_tasks=tuple(related)))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


# ------------------------------------------------------------------------------ reading


def _repo(protocol: Protocol) -> RepoState[str] | None:
    if protocol.branch is None and not protocol.commit:
        return None
    return RepoState(root="", branch=protocol.branch, commit=protocol.commit)


def _from_tasks(draft: Draft) -> Draft:
    """Task, next action and files of a file without our blocks, from its tasks."""
    open_task = next_task(draft.tasks)
    first = open_task or next(iter(draft.tasks), Task(title=""))
    paths = dict.fromkeys(
        re.sub(r":\d+(-\d+)?$", "", path) for task in draft.tasks for path in task.files
    )
    known = {fact.path for fact in draft.files}
    named = (FileFact(path=path, change="named") for path in paths if path not in known)
    action = Item(text=open_task.title, why=open_task.context) if open_task else None
    return replace(
        draft,
        task=Item(text=first.title),
        next_action=draft.next_action or action,
        files=(*draft.files, *named),
    )
