"""session-protocol.json as records: schema 2.0, with whatever else a file holds kept beside.

Part of the formats room. A known field with a value that the schema does not have (a status
`blocked`) is read as its default and kept among the others, so that it is written back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct

from onward.errors import InputError
from onward.formats.kinds import Category, Priority, Status
from onward.model import Block, Clean, Task

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
_MEND = "mend the file by hand, or move it away and save again"


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
    except (msgspec.DecodeError, RecursionError):
        raise InputError("Cannot load: invalid JSON", _MEND) from None
    top = _object(_cleaned("", value, clean) if clean else value)
    meta = _object(top.get("metadata"))
    branch = _text(meta, "git_branch")
    return Protocol(
        created=_text(meta, "created"),
        updated=_text(meta, "updated"),
        branch=None if branch in ("", "HEAD") else branch,
        commit=_text(meta, "git_commit"),
        has_metadata=isinstance(top.get("metadata"), dict),
        metadata=_others(meta, _META_FIELDS),
        tasks=tuple(_task(entry) for entry in _array(top.get("tasks"))),
        blocks=tuple(_block(entry) for entry in _array(top.get("context_blocks"))),
        other=_others(top, _TOP_FIELDS),
    )


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
    count = entry.get("consolidated_count")
    task = Task(
        id=_text(entry, "id"),
        title=_text(entry, "title"),
        status=next((s for s in get_args(Status) if s == entry.get("status")), "pending"),
        priority=next((p for p in get_args(Priority) if p == entry.get("priority")), None),
        category=next((c for c in get_args(Category) if c == entry.get("category")), None),
        created=_text(entry, "created"),
        completed=_text(entry, "completed"),
        consolidated=entry.get("consolidated") is True,
        consolidated_count=count if type(count) is int else 0,
        context=_text(entry, "context") or None,
        files=_texts(entry.get("files")),
    )
    other = _others(entry, _TASK_FIELDS)
    seen = _task_json(TaskRecord(task=task))
    for name in ("status", "priority", "category", "files", "context"):
        kept = entry.get(name)
        if kept and kept != seen.get(name):
            other[name] = kept
    return TaskRecord(task=task, other=other)


def _block(value: Any) -> BlockRecord:
    entry = value if isinstance(value, dict) else {"content": str(value)}
    block = Block(
        title=_text(entry, "title"),
        content=_text(entry, "content"),
        updated=_text(entry, "updated"),
        related_tasks=_texts(entry.get("related_tasks")),
    )
    return BlockRecord(block=block, other=_others(entry, _BLOCK_FIELDS))


def _task_json(record: TaskRecord) -> Json:
    task = record.task
    optional: Json = {"priority": task.priority, "category": task.category}
    tail: Json = {"context": task.context, "files": list(task.files)}
    return {
        "id": task.id,
        "title": task.title,
        "status": task.status,
        **{key: value for key, value in optional.items() if value},
        "created": task.created,
        "completed": task.completed or None,
        "consolidated": task.consolidated,
        "consolidated_count": task.consolidated_count,
        **{key: value for key, value in tail.items() if value},
        **record.other,
    }


def _block_json(record: BlockRecord) -> Json:
    block = record.block
    related = {"related_tasks": list(block.related_tasks)} if block.related_tasks else {}
    return {
        "title": block.title,
        "content": block.content,
        "updated": block.updated,
        **related,
        **record.other,
    }


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _array(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(text for text in _array(value) if isinstance(text, str))


def _others(entry: Json, known: tuple[str, ...]) -> Json:
    return {key: value for key, value in entry.items() if key not in known}


def _cleaned(key: str, value: Any, clean: Callable[[str], Clean]) -> Any:
    """The value with every text redacted; one under a key of someone else's together with it."""
    if isinstance(value, dict):
        return {name: _cleaned(name, inner, clean) for name, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned(key, inner, clean) for inner in value]
    if not isinstance(value, str):
        return value
    if key in _KNOWN or not re.fullmatch(r"[\w.-]+", key):
        return clean(value)
    shown = clean(f"{key}: {value}")
    return shown.removeprefix(f"{key}: ") if shown.startswith(f"{key}: ") else clean(value)
