"""session-protocol.json: merge a checkpoint into a file, and read one as a draft.

What the schema has no field for (progress, next action, blockers,
decisions …) stands in context blocks of its names, in the line form of the checkpoint file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import cast

from msgspec.structs import replace

from onward.documents import by_hand, consolidate, page, protocol_tasks, times
from onward.documents import protocol_ledger as ledgers
from onward.documents import protocol_records as records
from onward.documents.headings import Field
from onward.documents.markdown import Entry, entry_lines, folded
from onward.documents.protocol_ledger import Ledger
from onward.documents.protocol_records import BlockRecord, Protocol
from onward.errors import InputError
from onward.model import (
    Block,
    Checkpoint,
    Clean,
    Draft,
    FileFact,
    Item,
    Origin,
    RepoState,
    Request,
    Task,
)

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
"""Entries of a lasting block; a user's own lines are not counted."""
# Only these very titles are ours: a block of someone else's "Summary" is their prose.
_FORMER: tuple[tuple[str, Field], ...] = (("Goal", "goal"), ("Deferred", "deferred"))
"""Blocks of an earlier version: read, and left out of the next save, which has what they said."""
_FIELD_OF = {title.casefold(): field for title, field in (*_STATE, *_LASTING, *_FORMER)}


def merge(
    old: str | None, checkpoint: Checkpoint, now: datetime, clean: Callable[[str], Clean]
) -> Clean:
    """The new text of the file: the checkpoint's state over what the old text holds.

    `clean` redacts what a user or another tool wrote into the old text. Raises InputError
    where the old text is no JSON: then nothing may be written.
    """
    stamp = times.utc(now)
    before = records.decode(old, clean) if old and old.strip() else Protocol()
    ledger, session = ledgers.read(before.blocks), checkpoint.origin.session
    # A place in a transcript is one of the session that saved last.
    same = session in {"", next(iter(ledger.marks), "")}
    state, own = _with_hand(before, ledger, cast("Draft", checkpoint), same=same)
    today = protocol_tasks.merge(before.tasks, checkpoint, ledger, stamp)
    outcome = consolidate.consolidate(today.tasks, stamp)
    old_blocks = _by_title(before.blocks)
    kept = old_blocks.pop(folded(ledgers.TITLE), BlockRecord(block=Block(title="", content="")))
    ours, lines = _ours(old_blocks, state, stamp, same=same)
    blocks = [*ours, *_others(old_blocks, checkpoint, stamp)]
    mine = {mark.id for mark in today.marks}
    others = {
        name: tuple(mark for mark in theirs if mark.id not in mine)
        for name, theirs in ledger.marks.items()
        if name != session
    }
    known = Ledger(
        marks={session: today.marks, **others} if session else others,
        last=today.last,
        first=today.first,
        lines=lines,
        own=own,
    )
    book = ledgers.block(known, [record.task for record in outcome.tasks], kept.block.content)
    bare = replace(kept, block=replace(kept.block, related_tasks=()))
    repo = checkpoint.repo
    merged = Protocol(
        created=before.created or stamp,
        updated=stamp,
        branch=repo.branch if repo else before.branch,
        commit=repo.commit if repo else before.commit,
        metadata=before.metadata,
        tasks=outcome.tasks,
        blocks=(
            *(_renamed(block, outcome.renamed) for block in blocks),
            *([_with(bare, book, stamp)] if book.content else []),
        ),
        other=before.other,
    )
    return Clean(records.encode(merged))


def parse(text: str) -> Draft:
    """The draft in a file. Raises InputError with the document's two sentences."""
    protocol = records.decode(text)
    if not protocol.has_metadata:
        raise InputError("Cannot load: missing metadata", "onward protocol save")
    read, blocks = _opened(protocol)
    tasks = tuple(record.task for record in protocol.tasks)
    has_repo = protocol.branch is not None or protocol.commit
    repo = RepoState(root="", branch=protocol.branch, commit=protocol.commit) if has_repo else None
    draft = replace(
        page.draft(read),
        saved=protocol.updated,
        created=protocol.created,
        tasks=tasks,
        blocks=blocks,
        repo=repo,
        origin=Origin(session=next(iter(ledgers.read(protocol.blocks).marks), "")),
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
        key = folded(record.block.title) or f"\n{record.block.content}"
        first = found.get(key)
        found[key] = _joined(first, record) if first else record
    return found


def _joined(first: BlockRecord, second: BlockRecord) -> BlockRecord:
    one, two = first.block, second.block
    new = "" if two.content in one.content else f"\n{two.content}"
    related = tuple(dict.fromkeys((*one.related_tasks, *two.related_tasks)))
    joined = replace(one, content=f"{one.content}{new}".strip("\n"), related_tasks=related)
    return BlockRecord(block=joined, other={**second.other, **first.other})


def _with_hand(before: Protocol, ledger: Ledger, today: Draft, *, same: bool) -> tuple[Draft, str]:
    """Today's state with what the user wrote into our blocks, and the hashes of those lines. Of the
    work of another session their task and next action are requests.
    """
    written = by_hand.of_page(_opened(before)[0], ledger.lines, ledger.own)
    hand = by_hand.yielding(written.draft, today)
    if not same:
        single = [item for item in (hand.task, hand.plan, hand.next_action) if item and item.text]
        said = (Request(text=item.text, evidence="asked", author="user") for item in single)
        hand = replace(
            hand,
            task=Item(text=""),
            plan=None,
            next_action=None,
            closing=None,
            requests=(*said, *hand.requests),
        )
    snapshot = by_hand.lay_over(today, hand, written)
    return snapshot, by_hand.marks(snapshot, hand)[1]


def _opened(protocol: Protocol) -> tuple[page.Page, tuple[Block[str], ...]]:
    """Our blocks as a page, and everyone else's."""
    read = page.Page(title="", found={}, extra=[])
    others: list[Block[str]] = []
    for record in protocol.blocks:
        field = _FIELD_OF.get(folded(record.block.title))
        for one in page.entries_of(field, record.block.content) if field else ():
            read.add(field or "context", one)
        if field is None and record.block.title != ledgers.TITLE:
            others.append(record.block)
    return read, tuple(others)


def _ours(
    before: dict[str, BlockRecord], state: Draft, now: str, *, same: bool
) -> tuple[list[BlockRecord], str]:
    """Our blocks, taken out of the old ones, and the hashes of their lines."""
    ours: list[BlockRecord] = []
    hashes: list[str] = []
    for title, _ in _FORMER:
        before.pop(folded(title), None)
    for title, field in (*_STATE, *_LASTING):
        record = before.pop(folded(title), BlockRecord(block=Block(title=title, content="")))
        shown = page.fields(state, field)
        if field in _GROWING:
            shown += _lasting(field, record.block.content, shown, same=same)
        if shown:
            content = "\n".join(line for one in shown for line in entry_lines(one))
            ours.append(_with(record, Block(title=title, content=content), now))
            hashes += map(by_hand.hashed, shown)
    return ours, "".join(hashes)


def _others(
    before: dict[str, BlockRecord], checkpoint: Checkpoint, now: str
) -> Iterator[BlockRecord]:
    """Everyone else's blocks, with those of the checkpoint over them."""
    own: Iterable[Block[Clean]] = (
        *checkpoint.blocks,
        *(Block(title=part.heading, content=part.body) for part in checkpoint.extra),
    )
    for block in own:
        record = before.get(folded(block.title), BlockRecord(block=Block(title="", content="")))
        before[folded(block.title)] = _with(record, cast("Block[str]", block), now)
    return (_with(record, record.block, now) for record in before.values())


def _lasting(field: Field, content: str, today: list[Entry], *, same: bool) -> list[Entry]:
    """Our lines of a growing block, at most _MOST; of another session without their places."""
    said = {folded(one.text) for one in today}
    old = [one for one in page.entries_of(field, content) if folded(one.text) not in said]
    new = sum("by:user" not in one.tag for one in today)
    ours = [one for one in old if one.tag][: max(0, _MOST - new)]
    if same:
        return ours
    tags = ([word for word in one.tag if not word.startswith("t:")] for one in ours)
    return [replace(one, tag=tuple(tag)) for one, tag in zip(ours, tags, strict=True)]


def _with(record: BlockRecord, block: Block[str], now: str) -> BlockRecord:
    """The record with a new content; its time moves only if the content did."""
    same = record.block.content == block.content
    updated = (record.block.updated if same else block.updated) or now
    related = block.related_tasks or record.block.related_tasks
    return replace(record, block=replace(block, updated=updated, related_tasks=related))


def _renamed(record: BlockRecord, names: dict[str, str]) -> BlockRecord:
    """References to consolidated tasks lead to what they became."""
    related = dict.fromkeys(names.get(name, name) for name in record.block.related_tasks)
    return replace(record, block=replace(record.block, related_tasks=tuple(related)))


# ------------------------------------------------------------------------------ reading


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
