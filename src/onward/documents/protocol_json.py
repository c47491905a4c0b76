"""session-protocol.json: merge a checkpoint into a file, read one as a draft, change a task of it, and
report on it in the words of the document's Output Format.

What the schema has no field for (progress, next action, blockers,
decisions …) stands in context blocks of its names, in the line form of the checkpoint file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from difflib import get_close_matches
from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from onward.documents import by_hand, checkpoint_md, page, protocol_tasks, times
from onward.documents.headings import HEADINGS, Field
from onward.documents.kinds import Entry, entry_lines
from onward.documents.markdown import folded, split_lines
from onward.documents.protocol_records import (
    LEDGER,
    BlockEntry,
    Protocol,
    TaskEntry,
    decode,
    encode,
    read_ledger,
    write_ledger,
)
from onward.errors import InputError, NotFoundError, RefusedError
from onward.evidence import escape
from onward.model import (
    Block,
    Checkpoint,
    Clean,
    Draft,
    Drift,
    FileFact,
    Item,
    Origin,
    RepoState,
    T,
    Task,
)

S_ = TypeVar("S_", bound=Struct)
_NUMBER = re.compile(r"(?:task[_ -]?)?0*(\d{1,9})", re.IGNORECASE)
# Only these very titles are ours: a block of someone else's "Summary" is their prose.
TITLES: dict[Field, str] = {
    field: HEADINGS[field]
    for field in ("task", "status", *(field for _, _, field in checkpoint_md.LAYOUT))
    if field not in {"tasks", "blocks", "git"}
}
"""The fields in blocks, by the titles of these."""
_LASTING = frozenset({"decisions", "dead_ends", "constraints", "commands", "context"})
"""Those that only grow; the others hold today's state."""
_MOST = 30  # entries of a lasting block; a user's own lines are not counted
_FORMER: tuple[Field, ...] = ("goal", "deferred")
"""Blocks of an earlier version: read, and left out of the next save, which has what they said."""
_FIELD_OF = {HEADINGS[field].casefold(): field for field in (*TITLES, *_FORMER)}


def merge(
    old: str | None, checkpoint: Checkpoint, now: datetime, clean: Callable[[str], Clean]
) -> Clean:
    """The new text of the file: the checkpoint's state over what the old text holds.

    `clean` redacts what a user or another tool wrote into the old text. Raises InputError
    where the old text is no JSON: then nothing may be written.
    """
    stamp = times.utc(now)
    before = decode(old, clean) if old and old.strip() else Protocol()
    ledger, session = read_ledger(before.blocks), checkpoint.origin.session
    # A place in a transcript is one of the session that saved last.
    same = session in {"", ledger.session}
    # Of the work of another session the user's task and next action are requests.
    ask: tuple[Field, ...] = () if same else ("task", "plan", "next_action")
    read, _ = _opened(before)
    hand = by_hand.keep(
        cast("Draft", checkpoint),
        by_hand.of_page(read, ledger.lines, ledger.own),
        lambda draft: draft,
        drop=() if same else ("closing",),
        ask=ask,
    )
    state, own = hand.snapshot, hand.marks[1]
    today, book = protocol_tasks.merge(before.tasks, checkpoint, ledger, stamp)
    tasks, renamed = protocol_tasks.consolidate(today, stamp)
    old_blocks = _by_title(before.blocks)
    kept = old_blocks.pop(folded(LEDGER), BlockEntry())
    ours, lines = _ours(old_blocks, read, state, stamp, same=same)
    blocks = [
        replace(block, related_tasks=_renamed(block.related_tasks, renamed))
        for block in (*ours, *_others(old_blocks, checkpoint, stamp))
    ]
    shown = write_ledger(replace(book, lines=lines, own=own), tasks, kept.content)
    if shown.content:
        blocks.append(_put(replace(kept, related_tasks=()), shown, stamp))
    repo = checkpoint.repo or before
    return encode(
        replace(
            before,
            created=before.created or stamp,
            updated=stamp,
            branch=repo.branch,
            commit=repo.commit,
            tasks=tasks,
            blocks=tuple(blocks),
        )
    )


def parse(text: str) -> Draft:
    """The draft in a file. Raises InputError with the document's two sentences."""
    protocol = _loaded(text)
    read, blocks = _opened(protocol)
    tasks = tuple(_plain(Task, task) for task in protocol.tasks)
    has_repo = protocol.branch is not None or protocol.commit
    repo = RepoState(root="", branch=protocol.branch, commit=protocol.commit) if has_repo else None
    draft = replace(
        page.draft(read),
        saved=protocol.updated,
        created=protocol.created,
        tasks=tasks,
        blocks=blocks,
        repo=repo,
        origin=Origin(session=read_ledger(protocol.blocks).session),
    )
    return draft if "task" in read.found else _from_tasks(draft)


def _loaded(text: str, clean: Callable[[str], Clean] | None = None) -> Protocol:
    if not (protocol := decode(text, clean)).has_metadata:
        raise InputError("Cannot load: missing metadata", "onward protocol save")
    return protocol


def _plain(kind: type[S_], entry: S_) -> S_:
    """An entry without what the schema does not have."""
    return kind(**{name: getattr(entry, name) for name in kind.__struct_fields__})


# ------------------------------------------------------------------------------ blocks


def _by_title(old: Iterable[BlockEntry]) -> dict[str, BlockEntry]:
    """The blocks by title; several of one title are one, untitled ones stay apart."""
    found: dict[str, BlockEntry] = {}
    for block in old:
        key = folded(block.title) or f"\n{block.content}"
        if first := found.get(key):
            new = "" if block.content in first.content else f"\n{block.content}"
            block = replace(  # noqa: PLW2901
                first,
                content=f"{first.content}{new}".strip("\n"),
                related_tasks=_renamed((*first.related_tasks, *block.related_tasks), {}),
                other={**block.other, **first.other},
            )
        found[key] = block
    return found


def _opened(protocol: Protocol) -> tuple[page.Page, tuple[Block[str], ...]]:
    """Our blocks as a page, and everyone else's."""
    read = page.Page()
    others: list[Block[str]] = []
    for block in protocol.blocks:
        if field := _FIELD_OF.get(folded(block.title)):
            read.section(field, split_lines(block.content))
        elif block.title != LEDGER:
            others.append(_plain(Block, block))
    return read, tuple(others)


def _ours(
    before: dict[str, BlockEntry], read: page.Page, state: Draft, now: str, *, same: bool
) -> tuple[list[BlockEntry], str]:
    """Our blocks, taken out of the old ones, and the hashes of their lines."""
    ours: list[BlockEntry] = []
    hashes: list[str] = []
    for field in _FORMER:
        before.pop(folded(HEADINGS[field]), None)
    for field, title in TITLES.items():
        old = before.pop(folded(title), BlockEntry())
        shown = page.fields(state, field)
        if field in _LASTING:
            shown += _lasting(read.found.get(field, ()), shown, same=same)
        if shown:
            content = "\n".join(line for one in shown for line in entry_lines(one))
            ours.append(_put(old, Block(title=title, content=content), now))
            hashes += map(by_hand.hashed, shown)
    return ours, "".join(hashes)


def _others(
    before: dict[str, BlockEntry], checkpoint: Checkpoint, now: str
) -> Iterator[BlockEntry]:
    """Everyone else's blocks, with those of the checkpoint over them."""
    headed = (Block(title=part.heading, content=part.body) for part in checkpoint.extra)
    for block in (*checkpoint.blocks, *headed):
        key = folded(block.title)
        before[key] = _put(before.get(key, BlockEntry()), cast("Block[str]", block), now)
    return (replace(block, updated=block.updated or now) for block in before.values())


def _lasting(before: Iterable[Entry], today: list[Entry], *, same: bool) -> list[Entry]:
    """Our lines of a growing block, each once and at most _MOST; of another session without places."""
    said = {folded(one.text) for one in today}
    new = sum("by:user" not in one.tag for one in today)
    old = [one for one in before if one.tag and folded(one.text) not in said]
    once = dict[object, Entry]()
    for one in old:
        once.setdefault((folded(one.text), one.notes), one)
    kept = [*once.values()][: max(0, _MOST - new)]
    if same:
        return kept
    return [one._replace(tag=tuple(w for w in one.tag if not w.startswith("t:"))) for one in kept]


def _put(old: BlockEntry, block: Block[str], now: str) -> BlockEntry:
    """A block over the one of its title; its time moves only if its content did."""
    updated = old.updated if old.content == block.content else block.updated
    related = block.related_tasks or old.related_tasks
    return replace(
        old, title=block.title, content=block.content, updated=updated or now, related_tasks=related
    )


def _renamed(ids: Iterable[str], names: dict[str, str]) -> tuple[str, ...]:
    """Each once, those of consolidated tasks as what these became."""
    return tuple(dict.fromkeys(names.get(name, name) for name in ids))


# ------------------------------------------------------------------------------ reading


def _from_tasks(draft: Draft) -> Draft:
    """Task, next action and files of a file without our blocks, from its tasks."""
    open_task = next((task for task in draft.tasks if task.status != "completed"), None)
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


# ----------------------------------------------------------------------------- by a user


def edited(
    text: str, wanted: str, now: datetime, clean: Callable[[str], Clean], *, first: bool
) -> Clean:
    """The file with a task completed, as of now unless it was before; or, to be `first`, with an open
    one before all others. Raises NotFoundError for an id that no task has, RefusedError for a completed
    task that is to be first, InputError for a file that cannot be read.
    """
    name, protocol, stamp = id_of(text, wanted), _loaded(text, clean), times.utc(now)
    task = next(each for each in protocol.tasks if each.id == name)
    tasks, place = [each for each in protocol.tasks if each is not task], 0
    if task.status == "completed":
        if first:
            raise RefusedError(f"{task.id} is completed", "onward protocol load")
        return Clean(text)
    if not first:
        other = {name: value for name, value in task.other.items() if name != "status"}
        task = replace(task, status="completed", completed=stamp, other=other)
        place = sum(each.status != "completed" for each in tasks)
    tasks.insert(place, task)
    return encode(replace(protocol, tasks=tuple(tasks), updated=stamp))


def id_of(text: str, wanted: str) -> str:
    """The id of the task that is meant: `TASK_003`, `task-3` or `3`. Raises NotFoundError with the
    one that reads most like it, InputError.
    """
    known = [task.id for task in decode(text).tasks]
    number = _NUMBER.fullmatch(wanted.strip())
    for name in known:
        other = _NUMBER.fullmatch(name)
        if name == wanted or (number and other and number[1] == other[1]):
            return name
    near = get_close_matches(wanted.upper(), known, n=1, cutoff=0.3)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise NotFoundError(f"no task has the id {wanted}{meant}", "onward protocol load")


_CHANGED = "Git state changed"


class Tally(Struct, frozen=True, kw_only=True):
    """The counts of a file. `originals` is how many tasks the consolidated ones were."""

    pending: int
    priorities: tuple[tuple[str, int], ...]
    in_progress: int
    individual: int
    groups: int
    originals: int
    branch: str | None
    commit: str
    created: str
    next_id: str
    next_title: str


def tally(text: str, clean: Callable[[str], Clean] | None = None) -> Tally:
    """The counts of a file's text; a user may have written its titles, so `clean` is applied to all
    of it. Raises InputError where it is no JSON.
    """
    protocol = decode(text, clean)
    pending, working, done = (
        [task for task in protocol.tasks if task.status == status]
        for status in ("pending", "in_progress", "completed")
    )
    levels = Counter(task.priority for task in pending if task.priority)
    groups = [task for task in done if task.consolidated]
    following = next((t for t in protocol.tasks if t.status != "completed"), TaskEntry())
    return Tally(
        pending=len(pending),
        priorities=tuple(sorted(levels.items())),
        in_progress=len(working),
        individual=len(done) - len(groups),
        groups=len(groups),
        originals=sum(task.consolidated_count for task in groups),
        branch=protocol.branch,
        commit=protocol.commit,
        created=protocol.created,
        next_id=following.id,
        next_title=" ".join(following.title.split()),
    )


def gone(old: str, new: str) -> list[str]:
    """The ids of the open tasks that a save took out of the file."""
    if not old.strip():
        return []
    left = {task.id for task in decode(new).tasks}
    tasks = (task for task in decode(old).tasks if task.status != "completed")
    return [t.id for t in tasks if re.fullmatch(r"TASK_\d+", t.id) and t.id not in left]


def saved(count: Tally, file: str, *, short: bool = False) -> str:
    """The block after a save (`Saved → sp.json`, counts, git, next); `short`: `Saved 3 pend, 3 done
    (5 consolidated). Next: TASK_001 - Fix auth`.
    """
    if short:
        grouped = f" ({count.originals} consolidated)" if count.groups else ""
        return " ".join((f"Saved {_short(count)}{grouped}.", *_next(count)))
    levels = ", ".join(f"{number} {level}" for level, number in count.priorities)
    pending = f"- {count.pending} pend" + (f" ({levels})" if levels else "") + _working(count)
    done = _done(count, f"{count.individual} individual, ")
    return "\n".join([f"Saved → {file}", pending, f"- {done}", *_git(count), *_next(count)])


def loaded(count: Tally, file: str, age: str, drift: Drift[T], *, short: bool = False) -> str:
    """The block after a load, `age` as `2d`, with the document's warnings below the git line; `short`:
    `Loaded (2d old): 3 pend, 3 done (5 consolidated into 1). Next: … Git: state changed …`.
    """
    moved, said = _moved(drift), warnings(drift)
    if short:
        grouped = f" ({count.originals} consolidated into {count.groups})" if count.groups else ""
        changed = "Git: state changed" + (f" ({moved})" if moved else "")
        told = (changed if each == _CHANGED else each for each in said)
        return ". ".join([f"Loaded ({age} old): {_short(count)}{grouped}", *_next(count), *told])
    counts = f"- {count.pending} pend, {count.in_progress} prog, {_done(count)}"
    lines = [f"Loaded {file} ({age} old)", counts, *_git(count, moved)]
    return "\n".join([*lines, *(f"- {each}" for each in said), *_next(count)])


def warnings(drift: Drift[T]) -> list[str]:
    """`Git state changed` and `Branch: saved → current`, where they hold."""
    said = [_CHANGED] if drift.commit_was != drift.commit_now else []
    if drift.branch_was or drift.branch_now:
        was, now = drift.branch_was or page.DETACHED, drift.branch_now or page.DETACHED
        said.append(f"Branch: {was} → {now}")
    return said


def _short(count: Tally) -> str:
    return f"{count.pending} pend{_working(count)}, {count.individual} done"


def _working(count: Tally) -> str:
    return f", {count.in_progress} prog" if count.in_progress else ""


def _done(count: Tally, parts: str = "") -> str:
    groups = f" ({parts}{count.groups} consolidated from {count.originals})" if count.groups else ""
    return f"{count.individual + count.originals} done{groups}"


def _git(count: Tally, moved: str = "") -> list[str]:
    where = f"{count.branch or page.DETACHED} @ {count.commit[:7] or page.NO_COMMIT}"
    shown = f"- Git: {where} ({moved})" if moved else f"- Git: {where}"
    return [shown] if count.commit or count.branch else []


def _next(count: Tally) -> list[str]:
    title = escape(count.next_title)
    return [f"Next: {count.next_id} - {title}"] if title else []


def _moved(drift: Drift[T]) -> str:
    if drift.commit_gone:
        return "saved commit gone"
    ahead = f"{drift.ahead} commit{'s' if drift.ahead > 1 else ''} ahead" if drift.ahead else ""
    behind = f"{drift.behind} behind" if drift.behind else ""
    return ", ".join(part for part in (ahead, behind) if part)
