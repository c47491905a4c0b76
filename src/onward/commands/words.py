"""The agent's own words about its work (`save --from DRAFT.json`), laid over the distilled draft.

    {"task": "…", "next": "…", "why": "…", "progress": ["…"], "blockers": ["…"],
     "decisions": [{"text": "…", "why": "…"}], "context": ["…"],
     "tasks": [{"title": "…", "status": "in_progress"}]}

Every field may be left out; a list entry may be a sentence or an object. All of it counts as
claimed: only the agent vouches for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from onward.errors import InputError, NotFoundError
from onward.model import Draft, Item, Task

_LARGEST = 1_000_000  # bytes; a hand-over in the agent's words is a page or two
_EXAMPLE = 'echo \'{"next": "Run pytest tests/test_login.py"}\' > '


class Said(Struct, frozen=True, kw_only=True):
    """One sentence, and the reason for it."""

    text: str
    why: str | None = None


class Planned(Struct, frozen=True, kw_only=True):
    """One entry of the agent's own task list."""

    title: str
    status: Literal["pending", "in_progress", "completed"] = "pending"
    priority: Literal["P1", "P2", "P3"] | None = None
    context: str | None = None


class Words(Struct, frozen=True, kw_only=True):
    """The whole file; fields that it does not name are passed over."""

    task: str = ""
    next: str = ""
    why: str | None = None
    progress: tuple[str | Said, ...] = ()
    blockers: tuple[str | Said, ...] = ()
    decisions: tuple[str | Said, ...] = ()
    context: tuple[str | Said, ...] = ()
    tasks: tuple[str | Planned, ...] = ()


def read(path: Path) -> Words:
    """The words in a file. Raises NotFoundError, or InputError for what is no such JSON."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path}", f"{_EXAMPLE}{path}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", f"ls -l {path}") from None
    if len(raw) > _LARGEST:
        raise InputError(f"{path} is larger than {_LARGEST // 1_000_000} MB", f"{_EXAMPLE}{path}")
    try:
        return msgspec.json.decode(raw.removeprefix(b"\xef\xbb\xbf"), type=Words)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}", f"{_EXAMPLE}{path}") from None


def lay_over(draft: Draft, words: Words) -> Draft:
    """The draft with the words first. Nothing of the draft is lost but the line of the task
    and the next action, where the words have their own.
    """
    changes: dict[str, object] = {
        "progress": draft.progress + _new(words.progress, draft.progress),
        "blockers": _new(words.blockers, draft.blockers) + draft.blockers,
        "decisions": _new(words.decisions, draft.decisions) + draft.decisions,
        "context": _new(words.context, draft.context) + draft.context,
        "tasks": _tasks(draft, words),
    }
    if words.task.strip():
        changes["task"] = Item(text=words.task.strip())
    if words.next.strip():
        changes["next_action"] = Item(text=words.next.strip(), why=words.why)
    return msgspec.structs.replace(draft, **changes)


def _new(said: tuple[str | Said, ...], known: tuple[Item[str], ...]) -> tuple[Item[str], ...]:
    have = {_key(item.text) for item in known}
    entries = [Said(text=entry) if isinstance(entry, str) else entry for entry in said]
    return tuple(
        Item(text=entry.text.strip(), why=entry.why)
        for entry in entries
        if entry.text.strip() and _key(entry.text) not in have
    )


def _tasks(draft: Draft, words: Words) -> tuple[Task[str], ...]:
    """The agent's list in its order, over what the transcript knew of the same titles."""
    known = {_key(task.title): task for task in draft.tasks}
    entries = [Planned(title=entry) if isinstance(entry, str) else entry for entry in words.tasks]
    own = {}
    for entry in entries:
        before = known.get(_key(entry.title), Task(title=entry.title.strip()))
        own[_key(entry.title)] = msgspec.structs.replace(
            before,
            status=entry.status,
            priority=entry.priority or before.priority,
            context=entry.context or before.context,
        )
    return (*own.values(), *(task for key, task in known.items() if key not in own))


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
