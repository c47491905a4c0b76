"""session-protocol.json as records: schema 2.0, with whatever else a file holds kept beside.

One table of fields reads and writes an entry. A known field with a value that the schema does not
have (a status `blocked`) is read as its default and kept among the others, so that it is written
back.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from onward.documents import times
from onward.documents.kinds import one_of
from onward.documents.markdown import folded
from onward.errors import InputError
from onward.model import Block, Category, Clean, Priority, Task, TaskStatus

VERSION = "2.0"
Json = dict[str, Any]
E_ = TypeVar("E_", "TaskEntry", "BlockEntry")

_STATUSES: dict[str, TaskStatus] = {
    **dict.fromkeys(("todo", "to_do", "open", "new"), "pending"),
    **dict.fromkeys(("doing", "active", "started", "wip"), "in_progress"),
    **dict.fromkeys(("done", "complete", "finished", "closed"), "completed"),
}
_ID = re.compile(r"TASK_(\d+)$")
_BYTE = re.compile(r"\(byte (\d+)\)")
_KEY = re.compile(r'"(\w+)"\s*:')


class TaskEntry(Task[str], frozen=True, kw_only=True, omit_defaults=True):
    """A task of a file. `other` are the fields of its entry that the schema does not have."""

    title: str = ""
    other: Json = field(default_factory=dict)


class BlockEntry(Block[str], frozen=True, kw_only=True, omit_defaults=True):
    """A context block of a file. `other` as above."""

    title: str = ""
    content: str = ""
    other: Json = field(default_factory=dict)


class Protocol(Struct, frozen=True, kw_only=True):
    """A whole file. `metadata` and `other` are what the schema does not have, in `metadata` and
    beside it.
    """

    created: str = ""
    updated: str = ""
    branch: str | None = None
    commit: str = ""
    has_metadata: bool = False
    metadata: Json = {}
    tasks: tuple[TaskEntry, ...] = ()
    blocks: tuple[BlockEntry, ...] = ()
    other: Json = {}


# ------------------------------------------------------------------- the table of fields


def _text(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    return tuple(text for text in found if isinstance(text, str))


def _stamp(value: Any) -> str:
    """A time as the schema has it; "" where it cannot be read."""
    return times.in_utc(_text(value))


def _count(value: Any) -> int:
    found = re.fullmatch(r"(\d{1,9})(?:\.0)?", _text(value))
    return int(found[1]) if found else 0


def status_of(value: object) -> TaskStatus | None:
    """The status in the schema's words, also where somebody chose other usual ones."""
    said = re.sub(r"[\s_-]+", "_", _text(value).strip().casefold())
    return cast("TaskStatus | None", one_of(TaskStatus, (_STATUSES.get(said, said),)))


_FIELDS: dict[type[Struct], dict[str, Callable[[Any], Any]]] = {
    TaskEntry: {
        "id": _text,
        "title": _text,
        "status": status_of,
        "priority": lambda value: one_of(Priority, (_text(value).strip().upper(),)),
        "category": lambda value: one_of(Category, (_text(value).strip().upper(),)),
        "created": _stamp,
        "completed": _stamp,
        "consolidated": lambda value: value is True,
        "consolidated_count": _count,
        "context": _text,
        "files": _texts,
    },
    BlockEntry: {"title": _text, "content": _text, "updated": _stamp, "related_tasks": _texts},
}
"""The fields of an entry, in the schema's order, and how the value of each is read: as what the schema
has, or as nothing."""
_OPTIONAL = {"priority", "category", "context", "files", "related_tasks"}
_META = ("version", "created", "updated", "git_branch", "git_commit")
_TOP = ("metadata", "tasks", "context_blocks")
_KNOWN = {*_FIELDS[TaskEntry], *_FIELDS[BlockEntry], *_META, *_TOP}


def _entry(kind: type[E_], value: Any, named: str) -> E_:
    """An entry of whatever shape; a single value is its field `named`."""
    entry = value if isinstance(value, dict) else {named: str(value)}
    read = {name: reader(entry.get(name)) for name, reader in _FIELDS[kind].items()}
    other = {
        name: value
        for name, value in entry.items()
        if name not in read
        or (value and name != "id" and not isinstance(value, bool) and not read[name])
    }
    return kind(**{name: value for name, value in read.items() if value}, other=other)


def _written(entry: TaskEntry | BlockEntry) -> Json:
    values = {name: getattr(entry, name) for name in _FIELDS[type(entry)]}
    if "completed" in values:
        values["completed"] = values["completed"] or None
    there = {name: value for name, value in values.items() if value or name not in _OPTIONAL}
    return {**there, **entry.other}


# -------------------------------------------------------------------------- a whole file


def decode(text: str, clean: Callable[[str], Clean] | None = None) -> Protocol:
    """The records of a file; `clean` is applied to every text in it.

    Raises InputError where it is no JSON.
    """
    try:
        value = msgspec.json.decode(text.removeprefix("\ufeff"))
        top = _object(_cleaned("", value, clean) if clean else value)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError("Cannot load: invalid JSON", _fix(text, str(error))) from None
    meta = _object(top.get("metadata"))
    branch = _text(meta.get("git_branch"))
    tasks = _entries(top.get("tasks"), "id", "title")
    blocks = _entries(top.get("context_blocks"), "title", "content")
    return Protocol(
        created=_stamp(meta.get("created")),
        updated=_stamp(meta.get("updated")),
        branch=None if branch in ("", "HEAD") else branch,
        commit=_text(meta.get("git_commit")),
        has_metadata=isinstance(top.get("metadata"), dict),
        metadata={key: value for key, value in meta.items() if key not in _META},
        tasks=tuple(_entry(TaskEntry, each, "title") for each in tasks),
        blocks=tuple(_entry(BlockEntry, each, "content") for each in blocks),
        other={key: value for key, value in top.items() if key not in _TOP},
    )


def encode(protocol: Protocol) -> Clean:
    """The file: one line of JSON without white space. Its texts must be clean."""
    metadata = {
        "version": VERSION,
        "created": protocol.created,
        "updated": protocol.updated,
        "git_branch": protocol.branch,
        "git_commit": protocol.commit or None,
    }
    whole = {
        "metadata": {**metadata, **protocol.metadata},
        "tasks": [_written(task) for task in protocol.tasks],
        "context_blocks": [_written(block) for block in protocol.blocks],
        **protocol.other,
    }
    return Clean(msgspec.json.encode(whole).decode())


def _fix(text: str, fault: str) -> str:
    """What to do about a file that is no JSON: where it breaks, and in which field of ours."""
    plain = text.removeprefix("\ufeff")
    at = _BYTE.search(fault)
    before = plain.encode()[: int(at[1])].decode(errors="ignore") if at else plain
    known = [name for name in _KEY.findall(before) if name in _KNOWN]
    line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
    field = f", in or after `{known[-1]}`" if known else ""
    return f"fix line {line}, column {column}{field}; or move the file away and save again"


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _entries(value: Any, key: str, text: str) -> list[Any]:
    """The entries of a list; of an object, its values, each with its name under `key`."""
    if isinstance(value, dict):
        named = ((name, v if isinstance(v, dict) else {text: v}) for name, v in value.items())
        return [{key: name, **entry} for name, entry in named]
    found = value if isinstance(value, list) else [value]
    return [entry for entry in found if entry is not None]


def _cleaned(key: str, value: Any, clean: Callable[[str], Clean]) -> Any:
    """The value with every text redacted; one under a key of someone else's together with it."""
    if isinstance(value, dict):
        return {
            name if name in _KNOWN else clean(name): _cleaned(name, inner, clean)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_cleaned(key, inner, clean) for inner in value]
    if not isinstance(value, str):
        return value
    if key in _KNOWN or not re.fullmatch(r"[\w.-]+", key):
        return clean(value)
    shown = clean(f"{key}: {value}")
    return shown.removeprefix(f"{key}: ") if shown.startswith(f"{key}: ") else clean(value)


def highest(tasks: Iterable[TaskEntry]) -> int:
    """The highest number that one of the tasks has."""
    return max((int(found[1]) for task in tasks if (found := _ID.match(task.id))), default=0)


def numbered(tasks: Sequence[TaskEntry], last: int, now: str) -> list[TaskEntry]:
    """Every task with an id of its own, which a good one keeps, and with the times of its first
    save where a user wrote it without.
    """
    last, taken = max(last, highest(tasks)), set[str]()
    own: list[TaskEntry] = []
    for task in tasks:
        name = task.id
        if not _ID.match(name) or name in taken:
            last += 1
            name = f"TASK_{last:03}"
        taken.add(name)
        done = task.completed or (now if task.status == "completed" else "")
        dated = replace(task, id=name, created=task.created or done or now, completed=done)
        own.append(dated)
    return own


# ------------------------------------------------------------------- what earlier saves left
#
# For each task of a session's list the block `Saved Sessions` holds the status and the title that
# the session gave, and a checksum of the rest, and for each line of our blocks a short hash
# (`by_hand`): so it is known what the user changed since.
#
#     - 0b1c2d3e-…: request TASK_001 in_progress 5d2c9e01 1f3a77d0, TASK_004 pending 77ab01ff 9c0d11e2
#     - last number: TASK_009
#     - first: TASK_001
#     - lines: 82d4c663fb13

LEDGER = "Saved Sessions"
_SESSIONS = 30  # sessions whose open tasks are told apart; those of older ones stay as they are
_MARK = (
    r"(?P<request>request )?(?P<id>TASK_\d+) (?:(?P<status>pending|in_progress|completed) )?"
    r"(?P<checksum>[0-9a-f]{8})(?: (?P<title>[0-9a-f]{8}))?"
)
_UNGROUPED = re.sub(r"\?P<\w+>", "?:", _MARK)
_LINE = re.compile(
    r"- (?:last number: TASK_(?P<last>\d{1,9})|first: (?P<first>TASK_\d{1,9})"
    r"|lines: (?P<lines>[0-9a-f]+)|own: (?P<own>[0-9a-f]+)"
    rf"|(?P<session>[\w.-]+):(?P<tasks>(?: {_UNGROUPED},?)*))$"
)
NOTED = ("priority", "category", "context", "files")  # what may be noted with a task


class Mark(Struct, frozen=True, kw_only=True):
    """A task as a session gave it. `request`: it stands for what was asked, for want of a list.

    A mark of an earlier version has neither `status` nor `title`, and only open tasks have one.
    """

    id: str
    checksum: str
    request: bool = False
    status: TaskStatus | None = None
    title: str = ""

    @classmethod
    def of(cls, words: dict[str, Any]) -> Mark:
        """The mark in the words of a line."""
        told = {name: word for name, word in words.items() if word}
        return cls(**{**told, "request": "request" in told})

    def __str__(self) -> str:
        words = ("request" * self.request, self.id, self.status, self.checksum, self.title)
        return " ".join(filter(None, words))

    def fits(self, task: TaskEntry) -> bool:
        """Whether the user changed nothing of the task since. A request of another session that
        waits now is as that one left it.
        """
        if self.id != task.id:
            return False
        waits = self.request and "completed" not in {self.status, task.status}
        return self.checksum == checksum_of(task) and (self.status == task.status or waits)


class Ledger(Struct, frozen=True, kw_only=True):
    """The block. `marks` are the tasks by session, in the order of its list; the session that saved
    last comes first. `last` is the highest number that a task ever had, `first` the task that would
    stand first if the user had moved none; `lines` and `own` are those of a closing comment.
    """

    marks: Mapping[str, tuple[Mark, ...]] = {}
    last: int = 0
    first: str = ""
    lines: str = ""
    own: str = ""

    @property
    def session(self) -> str:
        """The session that saved last, "" if none is known."""
        return next(iter(self.marks), "")


def read_ledger(blocks: Iterable[BlockEntry]) -> Ledger:
    """The ledger of a file; lines that are not ours are passed over."""
    content = "\n".join(block.content for block in blocks if block.title == LEDGER)
    marks: dict[str, tuple[Mark, ...]] = {}
    told: dict[str, str] = {}
    for line in filter(None, map(_LINE.match, content.split("\n"))):
        if line["session"]:
            found = (each.groupdict() for each in re.finditer(_MARK, line["tasks"]))
            marks[line["session"]] = tuple(map(Mark.of, found))
        told |= {key: line[key] for key in ("last", "first", "lines", "own") if line[key]}
    last = int(told.pop("last", 0))
    return Ledger(marks=marks, last=last, **told)


def write_ledger(ledger: Ledger, tasks: Iterable[TaskEntry], old: str) -> Block[str]:
    """The block for the tasks of a file, with the lines of `old` that are the user's; empty where
    no session is known. Of earlier sessions only open tasks are kept.
    """
    status = {task.id: task.status for task in tasks}
    lines: list[str] = []
    related: dict[str, None] = {}
    for number, (session, own) in enumerate(list(ledger.marks.items())[:_SESSIONS]):
        left = [mark for mark in own if status.get(mark.id, "completed") != "completed"]
        if number and not left:
            continue
        kept = left if number else [mark for mark in own if mark.id in status]
        lines.append(f"- {session}: {', '.join(map(str, kept))}".rstrip())
        related |= dict.fromkeys(mark.id for mark in left)
    if lines:
        lines.append(f"- last number: TASK_{ledger.last:03}")
        more = (("first", ledger.first), ("lines", ledger.lines), ("own", ledger.own))
        lines += [f"- {key}: {value}" for key, value in more if value]
    lines += [line for line in old.split("\n") if line and not _LINE.match(line)]
    return Block(title=LEDGER, content="\n".join(lines), related_tasks=tuple(related))


def checksum_of(task: TaskEntry) -> str:
    """What tells whether anything but the status of a task was changed."""
    return _crc((task.title, *(getattr(task, name) for name in NOTED), *sorted(task.other)))


def title_hash(title: str) -> str:
    """What a task of a session's list is found by, whatever its title in the file is now."""
    return _crc(folded(title))


def _crc(value: object) -> str:
    return f"{zlib.crc32(repr(value).encode('utf-8', 'replace')):08x}"
