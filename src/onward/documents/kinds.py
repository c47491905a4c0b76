"""Item, task, run, file and context block, each as one entry and back.

`KINDS` says it of every field of a snapshot, once for all three documents. What is read is always
`str`: a user may have edited it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
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


def one_of(kind: Any, words: Sequence[str | None], otherwise: Any = None) -> Any:
    """The first value of a `Literal` that is among the words."""
    return next((value for value in get_args(kind) if value in words), otherwise)


def _entry(
    text: str, words: Iterable[str | None], notes: Iterable[tuple[str, str | None]] = ()
) -> Entry:
    """The entry of what there is of a tag's words and of notes."""
    told = tuple((key, str(note)) for key, note in notes if note is not None)
    return Entry(text=text, tag=tuple(word for word in words if word), notes=told)


def _word(key: str, value: object) -> str:
    """`key:value` for a tag; "" for what there is not."""
    return f"{key}:{value}" if value else ""


def _each(key: str, texts: Iterable[str]) -> list[tuple[str, str]]:
    return [(key, text) for text in texts]


def show_item(item: Item[T]) -> Entry:
    """An item as an entry."""
    words = (item.evidence, _word("by", item.author), *item.places)
    return _entry(item.text, words, (("why", item.why), ("unverified", item.unverified)))


def read_item(entry: Entry) -> Item[str]:
    """An entry as an item. A foreign check box says nothing that the section does not say."""
    text = entry.text if entry.tag else _BOX.sub("", entry.text)
    return Item(
        text=text,
        evidence=one_of(Evidence, entry.tag[:1], "claimed"),
        places=places(entry.tag),
        why=entry.note("why"),
        author=next((word for word in get_args(Author) if _word("by", word) in entry.tag), ""),
        unverified=entry.note("unverified"),
    )


def show_request(request: Request[T]) -> Entry:
    """A request as an entry; what it answers and how it ended are notes."""
    source = request.source if request.source != "typed" else ""
    by, at = _word("by", request.author), _word("at", request.at)
    notes = (
        ("about", request.about),
        ("ended", request.ended),
        ("why", request.why),
        ("unverified", request.unverified),
    )
    words = (request.evidence, by, _word("source", source), at, *request.places)
    return _entry(request.text, words, notes)


def read_request(entry: Entry) -> Request[str]:
    """An entry as a request; one without a tag was typed into the file."""
    item = read_item(entry)
    ended, refused = _FORMER_END.match(item.why or ""), _FORMER_REFUSAL.match(item.why or "")
    return Request(
        text=item.text,
        evidence=item.evidence,
        places=item.places,
        why=None if ended or refused else item.why,
        author=item.author,
        unverified=item.unverified,
        source="refusal" if refused else one_of(Source, (entry.tagged("source"),), "typed"),
        at=entry.tagged("at"),
        about=refused[1] if refused else entry.note("about"),
        ended="".join(ended.groups()) if ended else entry.note("ended"),
    )


def show_status(status: SessionStatus[T]) -> Entry:
    """How the session stood, as an entry: what it rests on, or the kind in plain words."""
    text = STATUS_WORDS[status.kind] if status.detail is None else status.detail
    waits, at = _word("for", status.waits_for), _word("at", status.at)
    return _entry(text, ("observed", status.kind, waits, at, *status.places))


def read_status(entry: Entry) -> SessionStatus[str]:
    """An entry as a status; one of somebody else's says nothing of how a session stood."""
    kind = next((each for each in STATUS_WORDS if each in entry.tag), None)
    if kind is None:
        return SessionStatus()
    return SessionStatus(
        kind=kind,
        waits_for=one_of(WaitsFor, (entry.tagged("for"),), ""),
        detail=None if entry.text == STATUS_WORDS[kind] else entry.text,
        at=entry.tagged("at"),
        places=places(entry.tag),
    )


def show_failure(failure: Failure[T]) -> Entry:
    """A command that kept failing, as an entry."""
    words = ("observed", f"times:{failure.times}", *failure.places)
    return _entry(
        _code(failure.command), words, [*_each("error", failure.lines), ("in", failure.cwd)]
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
    words = (
        task.evidence,
        task.id if re.fullmatch(r"TASK_\w+", task.id) else _word("id", task.id),
        task.priority,
        task.category,
        _word("created", task.created),
        _word("done", task.completed),
        f"consolidated:{task.consolidated_count}" if task.consolidated else "",
        *task.places,
    )
    text = f"[{_BOXES[task.status]}] {task.title.strip()}".strip()
    return _entry(text, words, [("context", task.context), *_each("file", task.files)])


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
        priority=one_of(Priority, entry.tag),
        category=one_of(Category, entry.tag),
        created=entry.tagged("created"),
        completed=entry.tagged("done"),
        context=entry.note("context"),
        files=entry.all_notes("file"),
        consolidated=merged != "",
        consolidated_count=_count(merged),
        evidence=one_of(Evidence, entry.tag[:1], "claimed"),
        places=places(entry.tag),
    )


def show_run(run: Run[T]) -> Entry:
    """A run as an entry. A machine's result is observed by nature."""
    words = ("observed", run.kind, run.outcome, _word("edits", run.edits_after), *run.places)
    notes = [("summary", run.summary), *_each("error", run.decisive), ("in", run.cwd)]
    return _entry(_code(run.command), words, notes)


def read_run(entry: Entry) -> Run[str]:
    """An entry as a run; without a tag, one whose outcome nobody saw."""
    return Run(
        command=_uncode(entry.text),
        kind=one_of(RunKind, entry.tag, "other"),
        outcome=one_of(Outcome, entry.tag, "unseen"),
        summary=entry.note("summary"),
        decisive=entry.all_notes("error"),
        edits_after=_count(entry.tagged("edits")),
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
        _word("commit", fact.commit),
        _word("uses", fact.uses),
        *fact.places,
    )
    notes = [("to", fact.to), ("why", fact.why), *_each("said", fact.said)]
    anchors = [(f"line {anchor.line}", anchor.text) for anchor in fact.anchors]
    return _entry(fact.path, words, [*notes, *anchors])


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
        change=one_of(Change, entry.tag, "named"),
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
    words = ("claimed", _word("updated", block.updated), *related)
    return _entry(block.title, words, [("content", block.content)])


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
