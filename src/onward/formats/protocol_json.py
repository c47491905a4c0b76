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
from onward.formats import assemble, consolidate, entry, page, protocol_tasks, times
from onward.formats import protocol_records as records
from onward.formats import protocol_sessions as sessions
from onward.formats.entry import Entry
from onward.formats.headings import Field
from onward.formats.protocol_records import BlockRecord, Protocol
from onward.formats.protocol_sessions import Marks
from onward.formats.protocol_tasks import Merged
from onward.model import Block, Checkpoint, Clean, Draft, FileFact, Item, Origin, RepoState, Task

# Fields in blocks: those that hold today's state, and those that only grow.
_STATE: tuple[tuple[str, Field], ...] = (
    ("Task", "task"),
    ("Status", "status"),
    ("Next Action", "next_action"),
    ("Progress", "progress"),
    ("Blockers", "blockers"),
    ("Repeated Failures", "failures"),
    ("Running in the Background", "background"),
    ("Runs", "runs"),
    ("Last Steps", "trail"),
    ("Requests", "requests"),
    ("Plan", "plan"),
    ("Files", "files"),
    ("Last Words", "closing"),
)
_LASTING: tuple[tuple[str, Field], ...] = (
    ("Key Decisions", "decisions"),
    ("Dead Ends", "dead_ends"),
    ("Constraints", "constraints"),
    ("Commands", "commands"),
    ("Relevant Context", "context"),
)
_GROWING = frozenset(field for _, field in _LASTING)
_MOST = 30
"""Entries of a lasting block; a person's own lines are not counted."""
# Only these very titles are ours: a block of someone else's "Summary" is their prose.
_FORMER: tuple[tuple[str, Field], ...] = (("Goal", "goal"), ("Deferred", "deferred"))
"""Blocks of an earlier version: read, and left out of the next save, which has what they said."""
_FIELD_OF = {title.casefold(): field for title, field in (*_STATE, *_LASTING, *_FORMER)}


def merge(
    old: str | None, checkpoint: Checkpoint, now: datetime, clean: Callable[[str], Clean]
) -> Clean:
    """The new text of the file: the checkpoint's state over what the old text holds.

    `clean` redacts what a person or another tool wrote into the old text. Raises InputError
    where the old text is no JSON: then nothing may be written.
    """
    stamp = times.utc(now)
    before = records.decode(old, clean) if old and old.strip() else Protocol()
    marks, session = sessions.read(before.blocks), checkpoint.origin.session
    today = protocol_tasks.merge(
        before.tasks,
        checkpoint,
        marks,
        sessions.last_number(before.blocks),
        stamp,
    )
    outcome = consolidate.consolidate(today.tasks, stamp)
    old_blocks = _by_title(before.blocks)
    ledger = _ledger(old_blocks, marks, session, today, stamp)
    # A place in a transcript is one of the session that saved last.
    same = session in {"", next(iter(marks), "")}
    blocks = [*_blocks(old_blocks, checkpoint, stamp, same=same), *ledger]
    repo = checkpoint.repo
    merged = Protocol(
        created=before.created or stamp,
        updated=stamp,
        branch=repo.branch if repo else before.branch,
        commit=repo.commit if repo else before.commit,
        metadata=before.metadata,
        tasks=outcome.tasks,
        blocks=tuple(_renamed(block, outcome.renamed) for block in blocks),
        other=before.other,
    )
    return Clean(records.encode(merged))


def parse(text: str) -> Draft:
    """The draft in a file. Raises InputError with the document's two sentences."""
    protocol = records.decode(text)
    if not protocol.has_metadata:
        raise InputError("Cannot load: missing metadata", "onward protocol save")
    read = page.Page(title="", found={}, extra=[])
    blocks: list[Block[str]] = []
    for record in protocol.blocks:
        if record.block.title == sessions.TITLE:
            continue
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
        origin=Origin(session=next(iter(sessions.read(protocol.blocks)), "")),
    )
    return draft if "task" in read.found else _from_tasks(draft)


def next_task(tasks: Iterable[Task[str]]) -> Task[str] | None:
    """The first task that is pending or in progress."""
    return next((task for task in tasks if task.status != "completed"), None)


# ------------------------------------------------------------------------------ blocks


def _by_title(old: Iterable[BlockRecord]) -> dict[str, BlockRecord]:
    """The blocks by title; several of one title are one, untitled ones stay apart."""
    found: dict[str, BlockRecord] = {}
    for record in old:
        key = _plain(record.block.title) or f"\n{record.block.content}"
        first = found.get(key)
        found[key] = _joined(first, record) if first else record
    return found


def _joined(first: BlockRecord, second: BlockRecord) -> BlockRecord:
    one, two = first.block, second.block
    new = "" if two.content in one.content else f"\n{two.content}"
    related = tuple(dict.fromkeys((*one.related_tasks, *two.related_tasks)))
    joined = replace(one, content=f"{one.content}{new}".strip("\n"), related_tasks=related)
    return BlockRecord(block=joined, other={**second.other, **first.other})


def _blocks(
    before: dict[str, BlockRecord], checkpoint: Checkpoint, now: str, *, same: bool
) -> list[BlockRecord]:
    """Our blocks with today's state, then everyone else's, merged by title."""
    ours: list[BlockRecord] = []
    for title, _ in _FORMER:
        before.pop(_plain(title), None)
    for title, field in (*_STATE, *_LASTING):
        record = before.pop(_plain(title), BlockRecord(block=Block(title=title, content="")))
        today = page.fields(checkpoint, field)
        content = _content([*today, *_kept(field, record.block.content, today, same=same)])
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
    rest = (_with(record, record.block, now) for record in before.values())
    return [*ours, *rest]


def _ledger(
    before: dict[str, BlockRecord],
    marks: Marks,
    session: str,
    today: Merged,
    now: str,
) -> list[BlockRecord]:
    """The block of the sessions, taken out of the others: today's session comes first and
    answers for the tasks that it has in common with earlier ones.
    """
    old = before.pop(_plain(sessions.TITLE), BlockRecord(block=Block(title="", content="")))
    mine = {mark.id for mark in today.marks}
    others = {
        name: tuple(mark for mark in theirs if mark.id not in mine)
        for name, theirs in marks.items()
        if name != session
    }
    known = {session: today.marks, **others} if session else others
    block = sessions.block(known, today.tasks, today.last, old.block.content)
    bare = replace(old, block=replace(old.block, related_tasks=()))
    return [_with(bare, block, now)] if block.content else []


def _kept(field: Field, content: str, today: list[Entry], *, same: bool) -> list[Entry]:
    """What stays of an old block of ours: what lasts, within _MOST, without the places of
    another session's transcript; and what a person wrote into it.
    """
    said = {_plain(one.text) for one in today}
    new = [one for one in page.entries_of(field, content) if _plain(one.text) not in said]
    theirs = [one for one in new if not one.tag]
    if field in _GROWING:
        ours = [one for one in new if one.tag][: max(0, _MOST - len(today))]
        return [*(ours if same else map(_without_places, ours)), *theirs]
    return [] if field in page.SINGLE and today else theirs


def _without_places(one: Entry) -> Entry:
    tag = tuple(word for word in one.tag if not word.startswith("t:"))
    return Entry(text=one.text, tag=tag, notes=one.notes)


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
