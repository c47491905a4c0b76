"""The note that an agent drafts (`save --from DRAFT.json`), laid over the record and checked by it.

    {"task": "…", "next": "…", "why": "…", "progress": ["…"], "blockers": ["…"],
     "decisions": [{"text": "…", "why": "…"}], "constraints": ["…"], "avoid": ["…"],
     "context": ["…"], "tasks": [{"title": "…", "status": "in_progress"}], "memory": ["…"]}

Every field may be left out or null, and no other may be there; a list entry may be a sentence or
an object, and a list of one may be its entry alone. All of it counts as claimed: only the agent
vouches for it. `memory` is for project-memory.md, which outlasts the work.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from shlex import quote
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward import regular
from onward.documents.headings import field_of
from onward.documents.kinds import one_of
from onward.documents.markdown import folded
from onward.documents.protocol_records import status_of
from onward.errors import InputError, NotFoundError
from onward.evidence import order_of
from onward.model import Category, Compacted, Draft, Item, Priority, Request, Task
from onward.record import consistency
from onward.record.text import one_line
from onward.repo import git

_LARGEST = 16_000  # bytes; a note is a page or two, and is quoted whole
_FILES = 20_000  # files of a project among which a misspelt path is looked for
_ALIKE = 0.8
_MISSPELT, _COMMITS = 8, 50  # look-ups for one note: 0.7 s for a path among so many files
A = TypeVar("A")
Hide = Callable[[str], str]
_EXAMPLE = '{"next": "Run pytest tests/test_login.py", "progress": ["Wrote src/login.py"]}'
_UNKNOWN = re.compile(r"unknown field `(?P<key>[^`]*)`(?: - at `\$(?P<where>[^`]*)`)?")
_MEANT = {"next_action": "next", "doing": "tasks", "done_tasks": "tasks", "dead_ends": "avoid"}
"""The fields of the note by those of a checkpoint, where they are called otherwise."""
_NOTHING = Draft(task=Item(text=""))
_NEXT_STEP = re.compile(r"(?ms)^[#* ]*8\.\s.*?^[#* ]*9\.\s[^:\n]*:?[* ]*(?P<text>.+)")
"""The last of the nine numbered sections that a client's summary has (measured)."""
_STEP = 600  # characters of it


class Said(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sentence, and the reason for it."""

    text: str
    why: str | None = None


class Planned(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the agent's own task list, in its own words."""

    title: str
    status: str | None = None  # any usual spelling; what is none counts as pending
    priority: str | None = None  # only the documents' `P1` to `P3` are kept
    category: str | None = None  # only the documents' words (`BUGFIX`, …) are kept
    context: str | None = None
    files: tuple[str, ...] | None = None


Sentences = str | Said | tuple[str | Said, ...] | None


class Note(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    task: str | None = None
    next: str | tuple[str, ...] | None = None  # one step, or several in order
    why: str | None = None
    progress: Sentences = None
    blockers: Sentences = None
    decisions: Sentences = None
    constraints: Sentences = None  # what the user demanded or forbade for good
    avoid: Sentences = None  # what not to repeat
    context: Sentences = None
    tasks: str | Planned | tuple[str | Planned, ...] | None = None
    memory: Sentences = None  # what will still hold when this work is long done


def read(path: Path) -> Note:
    """The words in a file. Raises NotFoundError, or InputError for what is no such JSON."""
    try:
        raw = regular.head(path, _LARGEST + 1)
    except FileNotFoundError:
        folder = "" if path.parent.is_dir() else f"mkdir -p {quote(str(path.parent))} && "
        hint = f"{folder}echo '{_EXAMPLE}' > {quote(str(path))}"
        raise NotFoundError(f"there is no file {path}", hint) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", f"ls -l {path}") from None
    return parse(raw, path)


def parse(raw: bytes, path: Path) -> Note:
    """The words in what a file of that name holds. Raises InputError."""
    fix = f"make {path.name} read like {_EXAMPLE}, then type the same command again"
    if len(raw) > _LARGEST:
        shorter = f"keep in {path.name} what the next agent needs, then type the same command again"
        raise InputError(f"{path} is larger than {_LARGEST // 1000} KB", shorter)
    try:
        # UTF-8; or UTF-16, which is what `>` writes in Windows PowerShell.
        wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = raw.decode("utf-16" if wide else "utf-8-sig")
        words = msgspec.json.decode(text, type=Note)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unknown(str(error), path) or InputError(f"{path}: {error}", fix) from None
    if lay_over(_NOTHING, words) == _NOTHING and not lasting(words):
        raise InputError(f"{path} says nothing about the work", fix)
    return words


def _unknown(message: str, path: Path) -> InputError | None:
    """The error for a field that there is not, with the one that was meant; None for another."""
    found = _UNKNOWN.search(message)
    if not found:
        return None
    where = found["where"] or ""
    kind = Note if not where else Planned if where.startswith(".tasks") else Said
    known = kind.__struct_fields__
    field = field_of(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", found["key"])) or ""
    meant = _MEANT.get(field, field)
    near = get_close_matches(found["key"].casefold(), known, n=1, cutoff=0.4)
    better = meant if meant in known else next(iter(near), "")
    key, again = found["key"], f"in {path.name}, then type the same command again"
    if better:
        told = f"{path}: `{key}` is no field; did you mean `{better}`?"
        return InputError(told, f"write `{better}` instead of `{key}` {again}")
    return InputError(f"{path}: `{key}` is no field", f"write one of {', '.join(known)} {again}")


def lay_over(draft: Draft, words: Note) -> Draft:
    """The draft with the note first; what the user gave stays: their next action as a request."""
    changes: dict[str, object] = {"tasks": _tasks(draft, words)}
    changes["progress"] = draft.progress + _new(words.progress, draft.progress)
    for name in ("blockers", "decisions", "context", "constraints", "dead_ends"):
        known = getattr(draft, name)
        changes[name] = _new(getattr(words, _MEANT.get(name, name)), known) + known
    if words.task and words.task.strip() and draft.task.author != "user":
        changes["task"] = Item(text=words.task.strip(), author="agent")
    steps = words.next if isinstance(words.next, tuple) else (words.next or "",)
    if told := "\n".join(step.strip() for step in steps if step.strip()):
        changes["next_action"] = Item(text=told, why=words.why, author="agent")
        given = draft.next_action
        if given and given.author == "user" and folded(given.text) != folded(told):
            said = Request(text=given.text, evidence="asked", author="user")
            changes["requests"] = (*draft.requests, said)
    return replace(draft, **changes)


def after_summary(
    draft: Draft, compacted: Compacted | None, root: Path | None, clean: Hide
) -> Draft:
    """The draft with the next step of the client's summary, if nothing was asked or done since."""
    told = _NEXT_STEP.search(compacted.summary) if compacted else None
    text = one_line(told["text"], _STEP) if told else ""
    if compacted is None or not text:
        return draft
    asked = max((order_of(p) for each in draft.requests for p in each.places), default=0)
    at = order_of(compacted.place)
    if asked > at or last_work(draft) > at:
        return draft
    step = Item(text=text, places=(compacted.place,), author="client")
    return checked(replace(draft, next_action=step), draft, Note(), root, clean)[0]


def last_work(draft: Draft) -> float:
    """Where the last edit or check of this very session stands in its transcript."""
    changed = (f.places for f in draft.files if f.change not in {"read", "named"})
    ran = (run.places for run in draft.runs)
    return max((order_of(place) for places in (*changed, *ran) for place in places), default=0)


def laid(draft: Draft, note: Note, root: Path | None, clean: Hide) -> tuple[Draft, tuple[str, ...]]:
    """The draft with the note, as `lay_over` and `checked` have it."""
    return checked(lay_over(draft, note), draft, note, root, clean)


def checked(
    draft: Draft, before: Draft, note: Note, root: Path | None, clean: Hide
) -> tuple[Draft, tuple[str, ...]]:
    """The draft with the lines of the note that fail marked, and a line to tell for each. `root` is the
    session's project, None where it is not on this machine: whether a path or a commit is there, is
    not known then, nor of a commit where there is no repository.
    """
    facts = consistency.Facts(hide=clean)
    if root is not None:
        there = root

        def is_commit(name: str) -> bool:
            return git.ask(there, "cat-file", "-e", f"{name}^{{commit}}") is not None

        facts = replace(
            facts,
            exists=lambda path: os.path.lexists(Path(there, path).expanduser()),
            nearest=_at_most(_MISSPELT, _nearest(there), otherwise=""),
        )
        if git.ask(there, "rev-parse", "--git-dir") is not None:
            facts = replace(facts, is_commit=_at_most(_COMMITS, is_commit, otherwise=True))
    marked, found = consistency.check(draft, facts)
    told = _tasks(Draft(task=Item(text="")), note)
    findings = []
    for each in (*found, *consistency.open_in_the_list(told, before.tasks)):
        near = f"; did you mean `{each.meant}`?" if each.meant else ""
        findings.append(clean(f"{each.field}: {each.reason}{near}"))
    return marked, tuple(findings)


def _at_most(times: int, look_up: Callable[[str], A], *, otherwise: A) -> Callable[[str], A]:
    """The same look-up, once for each text and only so many times: a note may be of any size."""
    left = iter(range(times))
    return cache(lambda text: otherwise if next(left, None) is None else look_up(text))


def _nearest(root: Path) -> Callable[[str], str]:
    """Finds the file of the project whose path reads most like another one."""

    @cache
    def files() -> list[str]:
        listed = git.ask(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return git.decode(listed or b"").split("\0")[:_FILES]

    return lambda path: next(iter(get_close_matches(path, files(), n=1, cutoff=_ALIKE)), "")


def lasting(words: Note, hide: Hide = str) -> tuple[str, ...]:
    """What is to last, each in one line with its reason; `hide` takes secrets out."""
    told = [(hide(each.text), hide(each.why or "")) for each in _said(words.memory)]
    lines = ((" ".join(text.split()), " ".join(why.split())) for text, why in told)
    return tuple(f"{text} ({why})" if why else text for text, why in lines)


def _new(said: Sentences, known: tuple[Item[str], ...]) -> tuple[Item[str], ...]:
    have = {folded(item.text) for item in known}
    return tuple(
        Item(text=entry.text.strip(), why=entry.why, author="agent")
        for entry in _said(said)
        if folded(entry.text) not in have
    )


def _said(said: Sentences) -> list[Said]:
    """The entries that say something."""
    entries = said if isinstance(said, tuple) else (said or "",)
    told = [Said(text=entry) if isinstance(entry, str) else entry for entry in entries]
    return [entry for entry in told if entry.text.strip()]


def _tasks(draft: Draft, words: Note) -> tuple[Task[str], ...]:
    """The agent's list in its order, over what the transcript knew of the same titles."""
    known = {folded(task.title): task for task in draft.tasks}
    said = words.tasks if isinstance(words.tasks, tuple) else (words.tasks or "",)
    entries = [Planned(title=entry) if isinstance(entry, str) else entry for entry in said]
    own = {}
    for entry in entries:
        if not entry.title.strip():
            continue
        before = known.get(folded(entry.title), Task(title=entry.title.strip()))
        status = (entry.status or "").strip()
        own[folded(entry.title)] = replace(
            before,
            status=(status_of(status) or "pending") if status else before.status,
            priority=one_of(Priority, (entry.priority,), before.priority),
            category=one_of(Category, ((entry.category or "").upper(),), before.category),
            context=entry.context or before.context,
            files=entry.files or before.files,
        )
    return (*own.values(), *(task for key, task in known.items() if key not in own))
