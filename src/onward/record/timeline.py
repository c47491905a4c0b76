"""What happened in a session, in order of time: requests, messages, edits, checks, commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from onward.model import (
    Asked,
    Compacted,
    Edited,
    Event,
    Halt,
    Interrupt,
    Prompt,
    Ran,
    Refusal,
    Reply,
    TodoList,
)
from onward.record.checks import checks, decisive
from onward.record.commits import Commits
from onward.record.runners import clean
from onward.record.steps import checked, step_of
from onward.record.text import bounded
from onward.slash_commands import is_ours

Kind = Literal[
    "request", "message", "tasks", "edit", "check", "commit", "decision", "compaction", "stop"
]
_WHOLE = 4_000
"""Characters kept of a text."""


class Moment(Struct, frozen=True, kw_only=True):
    """One line of the timeline. `detail` are the lines that prove a failure, a summary, or tasks."""

    kind: Kind
    place: str
    at: str
    text: str
    detail: str = ""
    outcome: Literal["", "passed", "failed", "unseen"] = ""
    path: str = ""
    """Of an edit, as the tool had it."""


def timeline(events: Iterable[Event], root: str = "") -> Iterator[Moment]:
    """The moments of the main thread, and the edits of its sub-agents. Raw text."""
    commits, known = Commits(), 0
    for number, event in enumerate(events):
        if not event.thread or isinstance(event, Edited):
            yield from _told(event, root)
        commits.see(event, number)
        made = commits.items()
        for item in made[known:]:
            yield _moment("commit", event, item.text)
        known = len(made)


def _told(event: Event, root: str) -> Iterator[Moment]:
    match event:
        case Prompt() if event.text.strip() and not is_ours(event.text):
            yield _moment("request", event, event.text)
        case Reply() if event.text.strip():
            yield _moment("message", event, event.text)
        case TodoList() if event.items:
            counted = Counter(task.status.replace("_", " ") for task in event.items)
            told = ", ".join(f"{count} {status}" for status, count in sorted(counted.items()))
            each = (f"{task.status.replace('_', ' ')}: {task.title}" for task in event.items)
            yield _moment("tasks", event, f"Task list: {told}", "\n".join(each))
        case Compacted():
            yield _moment("compaction", event, "The context was compacted", event.summary)
        case Ran():
            for check in checks(event, root):
                failed = check.outcome == "failed"
                lines = "\n".join(decisive(clean(event.output))) if failed else ""
                yield _moment("check", event, checked(check), lines, outcome=check.outcome)
        case Edited() if step := step_of(event, root):
            yield _moment("edit", event, step.item().text, path=event.to or event.path)
        case Asked() | Refusal() if step := step_of(event, root):
            yield _moment("decision", event, step.item().text)
        case Halt() | Interrupt() if step := step_of(event, root):
            yield _moment("stop", event, step.item().text)


def _moment(
    kind: Kind,
    event: Event,
    text: str,
    detail: str = "",
    *,
    outcome: Literal["", "passed", "failed", "unseen"] = "",
    path: str = "",
) -> Moment:
    return Moment(
        kind=kind,
        place=event.place,
        at=event.at,
        text=bounded(text, _WHOLE),
        detail=bounded(detail, _WHOLE),
        outcome=outcome,
        path=path,
    )
