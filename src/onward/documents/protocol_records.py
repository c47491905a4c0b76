"""session-protocol.json as records: schema 2.0, with whatever else a file holds kept beside.

A known field with a value that the schema does not have (a status
`blocked`) is read as its default and kept among the others, so that it is written back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from onward.documents import times
from onward.documents.kinds import one_of
from onward.errors import InputError
from onward.model import Block, Category, Clean, Priority, Task, TaskStatus

VERSION = "2.0"
Json = dict[str, Any]

_TASK_FIELDS = (
    "id", "title", "status", "priority", "category", "created", "completed", "consolidated",
    "consolidated_count", "context", "files",
)  # fmt: skip
_BLOCK_FIELDS = ("title", "content", "updated", "related_tasks")
_META_FIELDS = ("version", "created", "updated", "git_branch", "git_commit")
_TOP_FIELDS = ("metadata", "tasks", "context_blocks")
_KNOWN = frozenset((*_TASK_FIELDS, *_BLOCK_FIELDS, *_META_FIELDS, *_TOP_FIELDS))
_STATUSES: dict[str, TaskStatus] = {
    **dict.fromkeys(("todo", "to_do", "open", "new"), "pending"),
    **dict.fromkeys(("doing", "active", "started", "wip"), "in_progress"),
    **dict.fromkeys(("done", "complete", "finished", "closed"), "completed"),
}
_BYTE = re.compile(r"\(byte (\d+)\)")
_KEY = re.compile(r'"(\w+)"\s*:')


class TaskRecord(Struct, frozen=True, kw_only=True):
    """A task, and the fields of its entry that the schema does not have."""

    task: Task[str]
    other: Json = {}


class BlockRecord(Struct, frozen=True, kw_only=True):
    """A context block, and the fields of its entry that the schema does not have."""

    block: Block[str]
    other: Json = {}


class Protocol(Struct, frozen=True, kw_only=True):
    """A whole file."""

    created: str = ""
    updated: str = ""
    branch: str | None = None
    commit: str = ""
    has_metadata: bool = False
    metadata: Json = {}
    tasks: tuple[TaskRecord, ...] = ()
    blocks: tuple[BlockRecord, ...] = ()
    other: Json = {}


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
    branch = _text(meta, "git_branch")
    return Protocol(
        created=_stamp(meta, "created"),
        updated=_stamp(meta, "updated"),
        branch=None if branch in ("", "HEAD") else branch,
        commit=_text(meta, "git_commit"),
        has_metadata=isinstance(top.get("metadata"), dict),
        metadata=_others(meta, _META_FIELDS),
        tasks=tuple(_task(entry) for entry in _entries(top.get("tasks"), "id", "title")),
        blocks=tuple(
            _block(entry) for entry in _entries(top.get("context_blocks"), "title", "content")
        ),
        other=_others(top, _TOP_FIELDS),
    )


def _fix(text: str, fault: str) -> str:
    """What to do about a file that is no JSON: where it breaks, and in which field of ours."""
    plain = text.removeprefix("\ufeff")
    at = _BYTE.search(fault)
    before = plain.encode()[: int(at[1])].decode(errors="ignore") if at else plain
    known = [name for name in _KEY.findall(before) if name in _KNOWN]
    line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
    field = f", in or after `{known[-1]}`" if known else ""
    return f"fix line {line}, column {column}{field}; or move the file away and save again"


def encode(protocol: Protocol) -> str:
    """The file: one line of JSON without white space."""
    return msgspec.json.encode(
        {
            "metadata": {
                "version": VERSION,
                "created": protocol.created,
                "updated": protocol.updated,
                "git_branch": protocol.branch,
                "git_commit": protocol.commit or None,
                **protocol.metadata,
            },
            "tasks": [_task_json(record) for record in protocol.tasks],
            "context_blocks": [_block_json(record) for record in protocol.blocks],
            **protocol.other,
        }
    ).decode()


def _task(value: Any) -> TaskRecord:
    entry = value if isinstance(value, dict) else {"title": str(value)}
    count = re.fullmatch(r"(\d{1,9})(?:\.0)?", _text(entry, "consolidated_count"))
    task = Task(
        id=_text(entry, "id"),
        title=_text(entry, "title"),
        status=status_of(_text(entry, "status")) or "pending",
        priority=one_of(Priority, (_upper(entry, "priority"),)),
        category=one_of(Category, (_upper(entry, "category"),)),
        created=_stamp(entry, "created"),
        completed=_stamp(entry, "completed"),
        consolidated=entry.get("consolidated") is True,
        consolidated_count=int(count[1]) if count else 0,
        context=_text(entry, "context") or None,
        files=_texts(entry.get("files")),
    )
    seen = _task_json(TaskRecord(task=task))
    return TaskRecord(task=task, other=_kept(entry, _TASK_FIELDS, seen))


def _block(value: Any) -> BlockRecord:
    entry = value if isinstance(value, dict) else {"content": str(value)}
    block = Block(
        title=_text(entry, "title"),
        content=_text(entry, "content"),
        updated=_stamp(entry, "updated"),
        related_tasks=_texts(entry.get("related_tasks")),
    )
    seen = _block_json(BlockRecord(block=block))
    return BlockRecord(block=block, other=_kept(entry, _BLOCK_FIELDS, seen))


def status_of(text: str) -> TaskStatus | None:
    """The status in the schema's words, also where somebody chose other usual ones."""
    said = re.sub(r"[\s_-]+", "_", text.strip().casefold())
    known: TaskStatus | None = one_of(TaskStatus, (_STATUSES.get(said, said),))
    return known


def _kept(entry: Json, known: tuple[str, ...], seen: Json) -> Json:
    """The fields of someone else's, and the values of ours that the schema does not have."""
    other = _others(entry, known)
    for name in known:
        value = entry.get(name)
        if name != "id" and value and not isinstance(value, bool) and not seen.get(name):
            other[name] = value
    if entry.get("status") and "status" in seen and status_of(_text(entry, "status")) is None:
        other["status"] = entry["status"]
    return other


def _task_json(record: TaskRecord) -> Json:
    task = record.task
    return {
        "id": task.id,
        "title": task.title,
        "status": task.status,
        **_there(priority=task.priority, category=task.category),
        "created": task.created,
        "completed": task.completed or None,
        "consolidated": task.consolidated,
        "consolidated_count": task.consolidated_count,
        **_there(context=task.context, files=task.files),
        **record.other,
    }


def _block_json(record: BlockRecord) -> Json:
    block = record.block
    return {
        "title": block.title,
        "content": block.content,
        "updated": block.updated,
        **_there(related_tasks=block.related_tasks),
        **record.other,
    }


def _there(**fields: object) -> Json:
    return {name: value for name, value in fields.items() if value}


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _entries(value: Any, key: str, text: str) -> list[Any]:
    """The entries of a list; of an object, its values, each with its name under `key`."""
    if isinstance(value, dict):
        named = ((name, v if isinstance(v, dict) else {text: v}) for name, v in value.items())
        return [{key: name, **entry} for name, entry in named]
    found = value if isinstance(value, list) else [value]
    return [entry for entry in found if entry is not None]


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


def _stamp(entry: Mapping[str, Any], key: str) -> str:
    """A time as the schema has it; "" where it cannot be read."""
    at = times.moment(_text(entry, key))
    return times.utc(at) if at else ""


def _upper(entry: Mapping[str, Any], key: str) -> str:
    return _text(entry, key).strip().upper()


def _texts(value: Any) -> tuple[str, ...]:
    found = value if isinstance(value, list) else [value]
    return tuple(text for text in found if isinstance(text, str))


def _others(entry: Json, known: tuple[str, ...]) -> Json:
    return {key: value for key, value in entry.items() if key not in known}


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
