"""Item, task, run, file and context block, each as one entry and back.

`KINDS` says it of every field of a snapshot, once for all three documents. What is read is always
`str`: a user may have edited it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from onward.documents.entry import Entry
from onward.documents.headings import Field
from onward.model import (
    Anchor,
    Author,
    Block,
    Evidence,
    Failure,
    FileFact,
    Item,
    Request,
    Run,
    Task,
)
from onward.model import Status as SessionStatus

T = TypeVar("T", bound=str)
Status = Literal["pending", "in_progress", "completed"]
Priority = Literal["P1", "P2", "P3"]
Category = Literal["BUGFIX", "FEATURE", "CONFIG", "DOCS", "TEST", "REFACTOR"]
Change = Literal["created", "edited", "deleted", "renamed", "read", "named"]
RunKind = Literal["test", "build", "lint", "types", "format", "other"]
Outcome = Literal["passed", "failed", "unseen"]
Source = Literal["typed", "queued", "command", "shell", "answer", "refusal"]
WaitsFor = Literal["question", "plan", "permission"]
StatusKind = Literal["unknown", "waiting", "finished", "interrupted", "cut-off", "background"]

STATUS_WORDS: dict[StatusKind, str] = {
    "waiting": "waiting for the user",
    "finished": "turn finished",
    "interrupted": "interrupted by the user",
    "cut-off": "cut off",
    "background": "work running in the background",
    "unknown": "unknown",
}

_PLACE = re.compile(r"[tc]:")
_BOX = re.compile(r"^\[(.)\](?: |$)")
_BOXES: dict[Status, str] = {"pending": " ", "in_progress": "~", "completed": "x"}
_STATUSES: dict[str, Status] = {
    **{box: status for status, box in _BOXES.items()},
    **dict.fromkeys("Xx✓✔✅☑", "completed"),
    **dict.fromkeys("~-/>⏳🔄🚧▶", "in_progress"),
    **dict.fromkeys("☐⬜", "pending"),
}
_MARKED = re.compile(r"^([✓✔✅☑⏳🔄🚧▶☐⬜])\ufe0f?\s*")
_ID = re.compile(r"^(TASK_\w+)\s*[-:–]?\s+")
_SPAN = re.compile(r"L(\d{1,9})-(\d{1,9})$")
_COUNT = re.compile(r"([+-])(\d{1,9})$")
_FOREIGN_PATH = re.compile(
    r"^(?:`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|(?P<bare>\S+?))"
    r"(?:\s*[:：]\s+|\s+[-–—>→]+\s+|\s+(?=\()|\s*$)(?P<why>.*)$",  # noqa: RUF001
    re.DOTALL,
)
_CODE = re.compile(r"(`+)(.*[^`])\1")
# An earlier version told by `why` how a request ended, or which call the words refused.
_FORMER_END = re.compile(r"Ended: “(.*?)”(.*)$", re.DOTALL)
_FORMER_REFUSAL = re.compile(r"said in place of: (.*)$", re.DOTALL)


def places(tag: Sequence[str]) -> tuple[str, ...]:
    """The places among the words of a tag."""
    return tuple(word for word in tag if _PLACE.match(word))


def evidence(tag: Sequence[str]) -> Evidence:
    """Who vouches for the line; nobody but its writer where it has no tag."""
    return next((word for word in get_args(Evidence) if word in tag[:1]), "claimed")


def show_item(item: Item[T]) -> Entry:
    """An item as an entry."""
    notes = (("why", item.why), ("unverified", item.unverified))
    return Entry(
        text=item.text,
        tag=(item.evidence, *_author(item), *item.places),
        notes=tuple((key, str(text)) for key, text in notes if text is not None),
    )


def read_item(entry: Entry) -> Item[str]:
    """An entry as an item. A foreign check box says nothing that the section does not say."""
    text = entry.text if entry.tag else _BOX.sub("", entry.text)
    return Item(
        text=text,
        evidence=evidence(entry.tag),
        places=places(entry.tag),
        why=entry.note("why"),
        author=author(entry.tag),
        unverified=entry.note("unverified"),
    )


def author(tag: Sequence[str]) -> Author:
    """Who wrote the line, where its tag says so."""
    return next((word for word in get_args(Author) if word and f"by:{word}" in tag), "")


def _author(item: Item[T]) -> tuple[str, ...]:
    return (f"by:{item.author}",) if item.author else ()


def show_request(request: Request[T]) -> Entry:
    """A request as an entry; what it answers and how it ended are notes."""
    source = f"source:{request.source}" if request.source != "typed" else ""
    at = f"at:{request.at}" if request.at else ""
    words = (request.evidence, *_author(request), source, at, *request.places)
    notes = (
        ("about", request.about),
        ("ended", request.ended),
        ("why", request.why),
        ("unverified", request.unverified),
    )
    return Entry(
        text=request.text,
        tag=tuple(word for word in words if word),
        notes=tuple((key, str(text)) for key, text in notes if text is not None),
    )


def read_request(entry: Entry) -> Request[str]:
    """An entry as a request; one without a tag was typed into the file."""
    item = read_item(entry)
    source = "refusal" if _FORMER_REFUSAL.match(item.why or "") else entry.tagged("source")
    ended, refused = _FORMER_END.match(item.why or ""), _FORMER_REFUSAL.match(item.why or "")
    return Request(
        text=item.text,
        evidence=item.evidence,
        places=item.places,
        why=None if ended or refused else item.why,
        author=item.author,
        unverified=item.unverified,
        source=next((each for each in get_args(Source) if each == source), "typed"),
        at=entry.tagged("at"),
        about=refused[1] if refused else entry.note("about"),
        ended="".join(ended.groups()) if ended else entry.note("ended"),
    )


def show_status(status: SessionStatus[T]) -> Entry:
    """How the session stood, as an entry: what it rests on, or the kind in plain words."""
    waits = f"for:{status.waits_for}" if status.waits_for else ""
    at = f"at:{status.at}" if status.at else ""
    words = ("observed", status.kind, waits, at, *status.places)
    text = STATUS_WORDS[status.kind] if status.detail is None else status.detail
    return Entry(text=text, tag=tuple(word for word in words if word))


def read_status(entry: Entry) -> SessionStatus[str]:
    """An entry as a status; one of somebody else's says nothing of how a session stood."""
    kind = next((each for each in STATUS_WORDS if each in entry.tag), None)
    if kind is None:
        return SessionStatus()
    waits = entry.tagged("for")
    return SessionStatus(
        kind=kind,
        waits_for=next((each for each in get_args(WaitsFor) if each == waits), ""),
        detail=None if entry.text == STATUS_WORDS[kind] else entry.text,
        at=entry.tagged("at"),
        places=places(entry.tag),
    )


def show_failure(failure: Failure[T]) -> Entry:
    """A command that kept failing, as an entry."""
    notes = [("error", str(line)) for line in failure.lines]
    notes += [] if failure.cwd is None else [("in", str(failure.cwd))]
    return Entry(
        text=_code(failure.command),
        tag=("observed", f"times:{failure.times}", *failure.places),
        notes=tuple(notes),
    )


def read_failure(entry: Entry) -> Failure[str]:
    """An entry as a command that kept failing."""
    return Failure(
        command=_uncode(entry.text),
        times=_count(entry.tagged("times")),
        lines=entry.all_notes("error"),
        cwd=entry.note("in"),
        places=places(entry.tag),
    )


def show_command(item: Item[T]) -> Entry:
    """A command as an entry: in code quotes while it is one line."""
    shown = show_item(item)
    return Entry(text=_code(shown.text), tag=shown.tag, notes=shown.notes)


def read_command(entry: Entry) -> Item[str]:
    """An entry as a command; what follows a foreign one's code quotes is what it is for."""
    foreign = None if entry.tag else re.match(r"^`([^`\n]+)`\s*\W?\s*(\S.*)$", entry.text)
    if foreign and entry.note("why") is None:
        return Item(text=foreign[1], why=foreign[2])
    item = read_item(entry)
    return replace(item, text=_uncode(item.text))


def show_task(task: Task[T]) -> Entry:
    """A task as an entry; all that is not text stands in the tag."""
    named = task.id if re.fullmatch(r"TASK_\w+", task.id) else task.id and f"id:{task.id}"
    words = (
        task.evidence,
        named,
        task.priority or "",
        task.category or "",
        task.created and f"created:{task.created}",
        task.completed and f"done:{task.completed}",
        f"consolidated:{task.consolidated_count}" if task.consolidated else "",
        *task.places,
    )
    notes = [] if task.context is None else [("context", str(task.context))]
    return Entry(
        text=f"[{_BOXES[task.status]}] {task.title.strip()}".strip(),
        tag=tuple(word for word in words if word),
        notes=(*notes, *(("file", path) for path in task.files)),
    )


def read_task(entry: Entry, status: Status = "pending") -> Task[str]:
    """An entry as a task; `status` is what its section says where it has no box."""
    box = _BOX.match(entry.text)
    title = entry.text[box.end() :] if box else entry.text
    mark = box[1] if box else ""
    if not box and (drawn := _MARKED.match(title)):
        mark, title = drawn[1], title[drawn.end() :]
    numbered = None if entry.tag else _ID.match(title)
    ids = [word for word in entry.tag if word.startswith("TASK_")]
    merged = entry.tagged("consolidated")
    return Task(
        title=title[numbered.end() :] if numbered else title,
        status=_STATUSES.get(mark, status),
        id=numbered[1] if numbered else (*ids, entry.tagged("id"))[0],
        priority=next((word for word in get_args(Priority) if word in entry.tag), None),
        category=next((word for word in get_args(Category) if word in entry.tag), None),
        created=entry.tagged("created"),
        completed=entry.tagged("done"),
        context=entry.note("context"),
        files=entry.all_notes("file"),
        consolidated=merged != "",
        consolidated_count=_count(merged),
        evidence=evidence(entry.tag),
        places=places(entry.tag),
    )


def show_run(run: Run[T]) -> Entry:
    """A run as an entry. A machine's result is observed by nature."""
    edits = f"edits:{run.edits_after}" if run.edits_after else ""
    words = ("observed", run.kind, run.outcome, edits, *run.places)
    notes = [
        *([] if run.summary is None else [("summary", str(run.summary))]),
        *(("error", str(line)) for line in run.decisive),
        *([] if run.cwd is None else [("in", str(run.cwd))]),
    ]
    return Entry(
        text=_code(run.command), tag=tuple(word for word in words if word), notes=tuple(notes)
    )


def read_run(entry: Entry) -> Run[str]:
    """An entry as a run; without a tag, one whose outcome nobody saw."""
    edits = entry.tagged("edits")
    return Run(
        command=_uncode(entry.text),
        kind=next((word for word in get_args(RunKind) if word in entry.tag), "other"),
        outcome=next((word for word in get_args(Outcome) if word in entry.tag), "unseen"),
        summary=entry.note("summary"),
        decisive=entry.all_notes("error"),
        edits_after=_count(edits),
        cwd=entry.note("in"),
        places=places(entry.tag),
    )


def show_file(fact: FileFact[T]) -> Entry:
    """A file as an entry; its size and hash stand in the closing comment."""
    words = (
        "observed",
        fact.change,
        f"+{fact.added}" if fact.added else "",
        f"-{fact.removed}" if fact.removed else "",
        *(f"L{first}-{last}" for first, last in fact.spans),
        "since-green" if fact.since_green else "",
        fact.commit and f"commit:{fact.commit}",
        f"uses:{fact.uses}" if fact.uses else "",
        *fact.places,
    )
    notes = [
        *([] if fact.to is None else [("to", str(fact.to))]),
        *([] if fact.why is None else [("why", str(fact.why))]),
        *(("said", str(words)) for words in fact.said),
        *((f"line {anchor.line}", str(anchor.text)) for anchor in fact.anchors),
    ]
    return Entry(text=fact.path, tag=tuple(word for word in words if word), notes=tuple(notes))


def read_file(entry: Entry) -> FileFact[str]:
    """An entry as a file; a foreign line is taken as a path and why it matters."""
    foreign = None if entry.tag else _FOREIGN_PATH.match(_BOX.sub("", entry.text))
    if foreign:
        path = foreign["code"] or foreign["bold"] or foreign["bare"]
        return FileFact(
            path=path.strip("`"), change="named", why=foreign["why"].strip() or entry.note("why")
        )
    counts = {found[1]: int(found[2]) for word in entry.tag if (found := _COUNT.match(word))}
    spans = [found for word in entry.tag if (found := _SPAN.match(word))]
    return FileFact(
        path=entry.text,
        change=next((word for word in get_args(Change) if word in entry.tag), "named"),
        to=entry.note("to"),
        added=counts.get("+", 0),
        removed=counts.get("-", 0),
        spans=tuple((int(span[1]), int(span[2])) for span in spans),
        why=entry.note("why"),
        said=entry.all_notes("said"),
        since_green="since-green" in entry.tag,
        commit=entry.tagged("commit"),
        uses=_count(entry.tagged("uses")),
        anchors=tuple(
            Anchor(line=int(key.split(" ")[1]), text=text)
            for key, text in entry.notes
            if key.startswith("line ")
        ),
        places=places(entry.tag),
    )


def show_block(block: Block[T]) -> Entry:
    """A context block as an entry: its title, and its content as a note."""
    related = (name if name.startswith("TASK_") else f"id:{name}" for name in block.related_tasks)
    words = ("claimed", block.updated and f"updated:{block.updated}", *related)
    return Entry(
        text=block.title,
        tag=tuple(word for word in words if word),
        notes=(("content", block.content),),
    )


def read_block(entry: Entry) -> Block[str]:
    """An entry as a context block."""
    return Block(
        title=entry.text,
        content=entry.note("content") or "",
        updated=entry.tagged("updated"),
        related_tasks=tuple(
            word.removeprefix("id:") for word in entry.tag if word.startswith(("TASK_", "id:"))
        ),
    )


class Kind(Struct, frozen=True):
    """How an entry of a field is shown and read back, and which notes it may have."""

    show: Callable[[Any], Entry] = show_item
    read: Callable[[Entry], Any] = read_item
    notes: tuple[str, ...] = ("why", "unverified")
    is_single: bool = False
    by_hand: Literal["", "added", "instead"] = "added"
    """What becomes of a line that the user wrote: nothing, it is kept beside ours, or it is the
    newer state and takes the place of ours that says the same.
    """


_ITEMS = Kind()
_SINGLE = Kind(is_single=True)
_REQUESTS = Kind(show_request, read_request, ("about", "ended", "why", "unverified"))
_TASKS = Kind(show_task, read_task, ("context", "file"), by_hand="instead")
KINDS: dict[Field, Kind] = {
    "task": _SINGLE,
    "plan": _SINGLE,
    "next_action": _SINGLE,
    "closing": _SINGLE,
    "requests": _REQUESTS,
    "constraints": _ITEMS,
    "tasks": _TASKS,
    "progress": _ITEMS,
    "blockers": _ITEMS,
    "failures": Kind(show_failure, read_failure, ("error", "in")),
    "background": _ITEMS,
    "decisions": _ITEMS,
    "dead_ends": _ITEMS,
    "context": _ITEMS,
    "files": Kind(show_file, read_file, ("to", "why", "said", "line"), by_hand="instead"),
    "commands": Kind(show_command, read_command),
    "runs": Kind(show_run, read_run, ("summary", "error", "in"), by_hand="instead"),
    "blocks": Kind(show_block, read_block, ("content",), by_hand="instead"),
    "trail": _ITEMS,
    "status": Kind(show_status, read_status, is_single=True, by_hand=""),
    "doing": replace(_TASKS, by_hand=""),
    "done_tasks": replace(_TASKS, by_hand=""),
    "goal": replace(_REQUESTS, notes=_ITEMS.notes, by_hand=""),
    "deferred": replace(_ITEMS, by_hand=""),
}
"""Every field that is text, in the order in which its lines are hashed (`by_hand`)."""
BY_HAND: tuple[Field, ...] = tuple(field for field, kind in KINDS.items() if kind.by_hand)
"""The fields of a snapshot in which a user's lines outlive the next save."""


def kind_of(field: Field) -> Kind:
    """The kind of a field; one that is no text is read as items are."""
    return KINDS.get(field, _ITEMS)


def _count(word: str) -> int:
    """A number in a tag; 0 where it is none, or too long to be meant."""
    return int(word) if word.isdecimal() and len(word) < 10 else 0


def _code(text: str) -> str:
    """The text in code quotes, with as many ticks as it takes; several lines stay bare."""
    if "\n" in text or not text:
        return text
    if "`" not in text:
        return f"`{text}`"
    ticks = "`" * (max(len(run) for run in re.findall("`+", text)) + 1)
    return f"{ticks} {text} {ticks}"


def _uncode(text: str) -> str:
    quoted = _CODE.fullmatch(text)
    if quoted is None:
        return text
    return quoted[2][1:-1] if len(quoted[1]) > 1 else quoted[2]
