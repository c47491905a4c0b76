"""The agent's own words about its work (`save --from DRAFT.json`), laid over the distilled draft.

    {"task": "…", "next": "…", "why": "…", "progress": ["…"], "blockers": ["…"],
     "decisions": [{"text": "…", "why": "…"}], "context": ["…"],
     "tasks": [{"title": "…", "status": "in_progress"}], "memory": ["…"]}

Every field may be left out or null, and no other may be there; a list entry may be a sentence or
an object, and a list of one may be its entry alone. All of it counts as claimed: only the agent
vouches for it. `memory` is for project-memory.md, which outlasts the work.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from onward.errors import InputError, NotFoundError
from onward.formats.headings import field_of
from onward.formats.kinds import Priority
from onward.model import Draft, Item, Task

_LARGEST = 1_000_000  # bytes; a hand-over in the agent's words is a page or two
_EXAMPLE = '{"next": "Run pytest tests/test_login.py", "progress": ["Wrote src/login.py"]}'
_UNKNOWN = re.compile(r"unknown field `(?P<key>[^`]*)`(?: - at `\$(?P<where>[^`]*)`)?")
_MEANT: Mapping[str, str] = {
    **{name: name for name in ("task", "progress", "blockers", "decisions", "context", "tasks")},
    "next_action": "next",
    "doing": "tasks",
    "done_tasks": "tasks",
    "dead_ends": "context",
}
_NOTHING = Draft(task=Item(text=""))
_STATUSES: Mapping[str, Literal["in_progress", "completed"]] = {
    **dict.fromkeys(("completed", "complete", "done", "finished"), "completed"),
    **dict.fromkeys(("in_progress", "doing", "active", "started", "wip"), "in_progress"),
}


class Said(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sentence, and the reason for it."""

    text: str
    why: str | None = None


class Planned(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the agent's own task list, in its own words."""

    title: str
    status: str | None = None
    """Any usual spelling (`done`, `in-progress`); what is none counts as pending."""
    priority: str | None = None
    """Only the documents' `P1` to `P3` are kept."""
    context: str | None = None


Sentences = str | Said | tuple[str | Said, ...] | None


class Words(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    task: str | None = None
    next: str | None = None
    why: str | None = None
    progress: Sentences = None
    blockers: Sentences = None
    decisions: Sentences = None
    context: Sentences = None
    tasks: str | Planned | tuple[str | Planned, ...] | None = None
    memory: Sentences = None
    """What will still hold when this work is long done."""


def read(path: Path) -> Words:
    """The words in a file. Raises NotFoundError, or InputError for what is no such JSON."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        hint = f"echo '{_EXAMPLE}' > {path}"
        raise NotFoundError(f"there is no file {path}", hint) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", f"ls -l {path}") from None
    mend = f"make {path.name} read like {_EXAMPLE}, then type the same command again"
    if len(raw) > _LARGEST:
        raise InputError(f"{path} is larger than {_LARGEST // 1_000_000} MB", mend)
    try:
        words = msgspec.json.decode(_text(raw), type=Words)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unknown(str(error), path) or InputError(f"{path}: {error}", mend) from None
    if lay_over(_NOTHING, words) == _NOTHING and not lasting(words):
        raise InputError(f"{path} says nothing about the work", mend)
    return words


def _unknown(message: str, path: Path) -> InputError | None:
    """The error for a field that there is not, with the one that was meant; None for another."""
    found = _UNKNOWN.search(message)
    if not found:
        return None
    where = found["where"] or ""
    kind = Words if not where else Planned if where.startswith(".tasks") else Said
    known = kind.__struct_fields__
    meant = _MEANT.get(field_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", found["key"])) or "", "")
    near = get_close_matches(found["key"].casefold(), known, n=1, cutoff=0.4)
    better = meant if meant in known else next(iter(near), "")
    key, again = found["key"], f"in {path.name}, then type the same command again"
    if better:
        told = f"{path}: `{key}` is no field; did you mean `{better}`?"
        return InputError(told, f"write `{better}` instead of `{key}` {again}")
    return InputError(f"{path}: `{key}` is no field", f"write one of {', '.join(known)} {again}")


def _text(raw: bytes) -> str:
    """UTF-8; or UTF-16, which is what `>` writes in Windows PowerShell."""
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return raw.decode("utf-16" if wide else "utf-8-sig")


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
    if words.task and words.task.strip():
        changes["task"] = Item(text=words.task.strip())
    if words.next and words.next.strip():
        changes["next_action"] = Item(text=words.next.strip(), why=words.why)
    return msgspec.structs.replace(draft, **changes)


def lasting(words: Words) -> tuple[str, ...]:
    """What is to last, each in one line with its reason; all of it, however much."""
    told = [(" ".join(each.text.split()), each.why) for each in _said(words.memory)]
    return tuple(f"{text} ({' '.join(why.split())})" if why else text for text, why in told)


def _new(said: Sentences, known: tuple[Item[str], ...]) -> tuple[Item[str], ...]:
    have = {_key(item.text) for item in known}
    return tuple(
        Item(text=entry.text.strip(), why=entry.why)
        for entry in _said(said)
        if _key(entry.text) not in have
    )


def _said(said: Sentences) -> list[Said]:
    """The entries that say something."""
    entries = said if isinstance(said, tuple) else (said or "",)
    told = [Said(text=entry) if isinstance(entry, str) else entry for entry in entries]
    return [entry for entry in told if entry.text.strip()]


def _tasks(draft: Draft, words: Words) -> tuple[Task[str], ...]:
    """The agent's list in its order, over what the transcript knew of the same titles."""
    known = {_key(task.title): task for task in draft.tasks}
    said = words.tasks if isinstance(words.tasks, tuple) else (words.tasks or "",)
    entries = [Planned(title=entry) if isinstance(entry, str) else entry for entry in said]
    own = {}
    for entry in entries:
        if not entry.title.strip():
            continue
        before = known.get(_key(entry.title), Task(title=entry.title.strip()))
        status = (entry.status or "").strip().casefold().replace("-", "_").replace(" ", "_")
        priority = next((p for p in get_args(Priority) if p == entry.priority), before.priority)
        own[_key(entry.title)] = msgspec.structs.replace(
            before,
            status=_STATUSES.get(status, "pending"),
            priority=priority,
            context=entry.context or before.context,
        )
    return (*own.values(), *(task for key, task in known.items() if key not in own))


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
