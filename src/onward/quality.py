"""The documents' quality bar as code: is this checkpoint enough to carry on from?

Part of the core: pure, no file is opened; whether a path exists is asked of the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, Literal

from msgspec import Struct

from onward.model import Item, Snapshot, T

MAX_OUTPUT_LINES = 15
"""A longer text in one item is pasted output (the bar of "do not dump raw chat")."""

SectionName = Literal[
    "Task",
    "Progress",
    "Next Action",
    "Blockers",
    "Key Decisions",
    "Relevant Context",
    "Files",
    "Closing Comment",
]
GOOD: dict[SectionName, str] = {
    "Task": "Build login page with OAuth fallback",
    "Progress": "Wrote src/auth.py lines 45-120, login flow complete",
    "Next Action": "Run pytest tests/auth_test.py to verify login",
    "Blockers": "Git conflict in src/main.py lines 80-95",
    "Key Decisions": "Tokens last 1 h, because the mobile client refreshes hourly",
    "Relevant Context": "User prefers verbose error messages",
    "Files": "src/auth.py",
    "Closing Comment": "the one that the next save of this name writes",
}

_PATH = re.compile(r"(?<![\w/:.])(?:~/|\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*\w\.\w{1,8}(?![\w/])")
_CONCRETE = re.compile(
    r"`[^`]+`|[\"“][^\"”]{3,}[\"”]|[\w-]+/[\w.-]+|\b[\w-]+\.[a-z]\w{0,5}\b|\d"
    r"|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+|\w+\(\)|--\w+"
)
_ROLE = re.compile(
    r"^\W{0,3}(?:human|user|assistant|ai|agent|system|用户|助手)\W{0,3}[:：]",  # noqa: RUF001
    re.IGNORECASE | re.MULTILINE,
)
_RECORD = re.compile(r'"(?:type|role)":\s*"(?:user|assistant|human|system)"')
_FOLDER = re.compile(r"\bin ([\w.@+-]+(?:/[\w.@+-]+)*)")
_OF_NOW: tuple[SectionName, ...] = ("Progress", "Blockers")
_FEW = 3
"""Words; a title, a step or a decision of fewer says little."""
_SHORT_BLOCKER = 6
_EMPTY_TASKS = frozenset(("", "task", "work", "save", "untitled", "backup", "tbd", "none"))


class Finding(Struct, Generic[T], frozen=True, kw_only=True):
    """One thing to fix. `line` is the place of the entry in its section, from 1; 0 where
    the section is empty. `good` is a line to imitate.
    """

    section: SectionName
    line: int
    text: T | None
    reason: str
    good: str


def check(checkpoint: Snapshot[T], exists: Callable[[str], bool] | None = None) -> list[Finding[T]]:
    """What a reader of the checkpoint would have to ask about, in the order of the file.

    `exists` tells whether a path of the project is there; without it paths are not checked.
    """
    found = [*_task(checkpoint), *_nothing(checkpoint), *_next(checkpoint)]
    for section, items in (("Task", (checkpoint.task,)), *_sections(checkpoint)):
        # A line of a note says itself why it does not agree with the record.
        found += _each(section, items, lambda item: item.unverified or "")
        for judge in (_JUDGES.get(section), _pasted if section != "Task" else None):
            found += _each(section, items, judge) if judge else ()
    found += _each("Relevant Context", checkpoint.requests, _dialogue)
    found.sort(key=lambda finding: list(GOOD).index(finding.section))
    return [*found, *_paths(checkpoint, exists)] if exists else found


def _each(
    section: SectionName, items: Iterable[Item[T]], judge: Callable[[Item[T]], str]
) -> Iterator[Finding[T]]:
    for place, item in enumerate(items, 1):
        if reason := judge(item):
            yield finding(section, place, item.text, reason)


def finding(section: SectionName, line: int, text: T | None, reason: str) -> Finding[T]:
    """One of a section, with the good form that belongs to that."""
    return Finding(section=section, line=line, text=text, reason=reason, good=GOOD[section])


def _task(checkpoint: Snapshot[T]) -> Iterator[Finding[T]]:
    text = checkpoint.task.text
    if text.strip().casefold() in _EMPTY_TASKS:
        yield finding("Task", 0, None, "the task is missing: say in one line what this work is")
    elif _is_quoted(checkpoint.task) and (text.endswith("…") or _is_short(text)):
        reason = "only quotes a request: say in one line what this work is"
        yield finding("Task", 1, text, reason)


def _is_quoted(item: Item[T]) -> bool:
    """Whether a template of the record made the line, which nobody wrote."""
    return not item.author and bool(item.places)


def _is_short(text: str, words: int = _FEW) -> bool:
    """Whether it is of fewer words, where words are parted by blanks."""
    return len(text.split()) < words and text.isascii()


def _nothing(c: Snapshot[T]) -> Iterator[Finding[T]]:
    """A reader who finds none of these has to ask "what were we doing?"."""
    if not (c.progress or c.tasks or c.plan or c.runs or c.decisions):
        reason = "nothing is recorded that was done, planned or decided"
        yield finding("Progress", 0, None, reason)
    if not (c.context or c.files or c.commands or c.requests or c.dead_ends or c.blocks):
        reason = "nothing to carry on with: name files, preferences, facts of the machine"
        yield finding("Relevant Context", 0, None, reason)


def _next(checkpoint: Snapshot[T]) -> Iterator[Finding[T]]:
    action = checkpoint.next_action
    if action is None or not action.text.strip():
        done = any(task.status == "completed" for task in checkpoint.tasks)
        reason = "a task is marked complete but the next action is not defined"
        yield finding("Next Action", 0, None, reason if done else "the next action is missing")
    elif _is_quoted(action) and checkpoint.status.kind not in {"waiting", "finished"}:
        reason = "only the record says so: say which file, command or decision comes next"
        yield finding("Next Action", 1, action.text, reason)
    elif (
        action.evidence != "asked" and _is_short(action.text) and not _CONCRETE.search(action.text)
    ):
        reason = "not executable as it stands: name the file, command or decision"
        yield finding("Next Action", 1, action.text, reason)


def _unchecked(item: Item[T]) -> str:
    if _CONCRETE.search(item.text) or item.places or item.evidence != "claimed":
        return ""
    return "names no file, command or result that could be checked"


def _without_detail(item: Item[T]) -> str:
    # `KeyError: 'state'`, `Decision pending: the old form or the new one?`
    told = item.places or item.why or ": " in item.text or item.text.rstrip().endswith("?")
    if told or _CONCRETE.search(item.text) or not _is_short(item.text, _SHORT_BLOCKER):
        return ""
    return "names no file, command, number or error message"


def _without_reason(item: Item[T]) -> str:
    # What the user said holds because they said so. A longer line may hold its own reason.
    if item.why or item.evidence == "asked" or not _is_short(item.text):
        return ""
    return "no reason is given: the next session cannot tell whether it still holds"


_JUDGES: dict[SectionName, Callable[[Item[Any]], str]] = {
    "Progress": _unchecked,
    "Blockers": _without_detail,
    "Key Decisions": _without_reason,
}
"""Why a line of the section is not good enough, "" where it is."""


def _sections(c: Snapshot[T]) -> tuple[tuple[SectionName, tuple[Item[T], ...]], ...]:
    """The lines of the document's sections."""
    return (
        ("Progress", c.progress),
        ("Next Action", (c.next_action,) if c.next_action else ()),
        ("Blockers", c.blockers),
        ("Key Decisions", c.decisions),
        ("Relevant Context", (*c.context, *c.dead_ends, *c.constraints)),
    )


def _pasted(item: Item[T]) -> str:
    if item.text.count("\n") >= MAX_OUTPUT_LINES:
        return f"more than {MAX_OUTPUT_LINES} lines of one output: keep the decisive ones"
    return _dialogue(item)


def _dialogue(item: Item[T]) -> str:
    if len(_ROLE.findall(item.text)) > 1 or _RECORD.search(item.text):
        return "pasted transcript: say what came of it instead"
    return ""


def named_paths(c: Snapshot[T]) -> list[str]:
    """Paths in the words of a checkpoint that nobody recorded as files: those of lines without
    a place, which a user or another tool wrote. A next action may name what is still to be made.
    """
    items = (*c.progress, *c.blockers, *c.decisions, *c.context)
    known = {fact.path for fact in c.files}
    found = (path for i in items if not i.places for path in _PATH.findall(i.text))
    return list(dict.fromkeys(path for path in found if path not in known))


def _paths(checkpoint: Snapshot[T], exists: Callable[[str], bool]) -> Iterator[Finding[T]]:
    reason = "a path that does not exist"
    for place, fact in enumerate(checkpoint.files, 1):
        # What was only read elsewhere on the machine is nothing to come back to.
        outside = fact.change == "read" and fact.path.startswith(("~", "/"))
        if fact.change not in {"deleted", "renamed"} and not outside and not exists(fact.path):
            yield finding("Files", place, fact.path, reason)
    known = {fact.path for fact in checkpoint.files}
    for section, items in _sections(checkpoint):
        for place, item in enumerate(items, 1):
            # Words quoted from a transcript tell of their own time; what was written into
            # the checkpoint is meant for the next session. Its next action may make a file.
            if section == "Next Action" or (item.places and section not in _OF_NOW):
                continue
            # A command ran where it says: `pytest tests/x.py` in apps/api.
            folders = ("", *(f"{folder}/" for folder in _FOLDER.findall(item.text)))
            named = set(_PATH.findall(item.text)) - known
            if any(not any(exists(folder + path) for folder in folders) for path in named):
                yield finding(section, place, item.text, reason)
