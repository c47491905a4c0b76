"""The fixed templates that fill the title and the next action from the record. No others.

Each quotes what the record holds, and says nothing where the record decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.model import Draft, Item, Request, Run, Status, Task, order_of
from onward.record.conversation import is_reply
from onward.record.text import code, one_line, quoted, shorten, unfenced

_TITLE = 100
_QUOTE = 240
_RECENT = 3
_MARKUP = re.compile(r"\s*(?:<[^>]*>?|```|~~~|[|+=*_~-]{3,})")
_MARKS = re.compile(r"^[\s#>*_`-]+|[\s*_`]+$")
FIX = "Fix the failing"
FINISHED = "Turn finished; nothing is pending"


def title(
    given: Item[str] | None,
    plan: Item[str] | None,
    tasks: Sequence[Task[str]],
    asked: Sequence[Request[str]],
) -> Item[str]:
    """The session's own title, else the plan, else the task in progress, else the first line of
    the active request; an empty one where there is none of these.
    """
    if given is not None:
        return given
    if plan is not None:
        return plan
    doing = next((task for task in tasks if task.status == "in_progress"), None)
    if doing is not None:
        return Item(text=shorten(doing.title, _TITLE), evidence="claimed", places=doing.places)
    typed = [each for each in asked if each.source not in {"answer", "refusal"}] or asked
    told = [(line, each) for each in reversed(typed) if (line := first_line(each.text))]
    alone = [(line, each) for line, each in told if not is_reply(each.text)]
    for line, request in alone or told:
        return Item(text=line, evidence="asked", places=request.places)
    return Item(text="")


def first_line(text: str) -> str:
    """The first line with letters that is no markup, tag or fence, cut at a word."""
    for line in unfenced(text).splitlines():
        bare = _MARKS.sub("", line)
        if not _MARKUP.match(line) and sum(map(str.isalpha, bare)) > 1:
            return shorten(bare, _TITLE)
    return ""


def active(asked: Sequence[Request[str]]) -> Request[str] | None:
    """The request that is worked on: the newest one that is no answer and no refusal."""
    typed = [request for request in asked if request.source not in {"answer", "refusal"}]
    return next(reversed(typed), None) or next(reversed(asked), None)


def next_action(draft: Draft) -> Item[str] | None:
    """What comes next, by the status alone; None where the record does not decide it."""
    status = draft.status
    if status.kind == "waiting":
        return _waits(status)
    request = active(draft.requests)
    start = max(map(order_of, request.places), default=0) if request else 0
    late = (run for run in draft.runs if max(map(order_of, run.places), default=start) >= start)
    failing = next((run for run in late if run.outcome == "failed"), None)
    if failing is not None:
        return _failing(failing)
    task = _open_task(draft.tasks)
    if task is not None and _is_current(task, draft.requests):
        text = f"Continue the task: {task.title}"
        return Item(text=text, evidence="claimed", places=task.places)
    if status.kind == "finished" and task is None:
        return Item(text=FINISHED, evidence="observed", places=status.places)
    if request is None or status.kind not in {"cut-off", "interrupted"}:
        return None
    text = f"Continue the unfinished request: {_told(request)}"
    return Item(text=text, evidence="asked", places=request.places)


def _is_current(task: Task[str], asked: Sequence[Request[str]]) -> bool:
    """Whether the task list was written since the last but two of the requests."""
    typed = [request for request in asked if request.source not in {"answer", "refusal"}]
    since = max(map(order_of, typed[-_RECENT].places), default=0) if typed[_RECENT - 1 :] else 0
    return max(map(order_of, task.places), default=since) >= since


def _told(request: Request[str]) -> str:
    """The request; of a short reply what it answers too."""
    text = quoted(one_line(request.text, _QUOTE))
    if request.about is None or not is_reply(request.text):
        return text
    last = request.about.strip().rpartition("\n")[2]
    return f"{text}, in answer to {quoted(one_line(last, _QUOTE))}"


def _waits(status: Status[str]) -> Item[str]:
    asked = one_line(status.detail or "", _QUOTE)
    text = (
        f"Waiting for the user's answer: {quoted(asked)}"
        if asked
        else "Waiting for the user's answer"
    )
    return Item(text=text, evidence="observed", places=status.places)


def _failing(run: Run[str]) -> Item[str]:
    kind = {"test": "test run", "build": "build", "lint": "lint run", "types": "type check"}
    where = f" in {code(run.cwd)}" if run.cwd else ""
    text = f"{FIX} {kind.get(run.kind, 'run')}: {code(run.command)}{where}"
    return Item(text=text, evidence="observed", places=run.places)


def _open_task(tasks: Sequence[Task[str]]) -> Task[str] | None:
    doing = next((task for task in tasks if task.status == "in_progress"), None)
    return doing or next((task for task in tasks if task.status == "pending"), None)
