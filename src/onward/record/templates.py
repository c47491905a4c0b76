"""The fixed templates that fill the title and the next action from the record. No others.

Each quotes what the record holds, and says nothing where the record decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from onward.model import Draft, Evidence, Item, Request, Run, Status, Task, order_of
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
    of_work: AbstractSet[str],
) -> Item[str]:
    """The session's own title, else the plan, else the task in progress, else the first line of
    the newest request at one of the places `of_work`, else of the newest; an empty one where there
    is none of these.
    """
    if given is not None:
        return replace(given, template="title of the session")
    if plan is not None:
        return replace(plan, template="title of the plan")
    doing = next((task for task in tasks if task.status == "in_progress"), None)
    if doing is not None:
        name = "task in progress"
        return _made(name, shorten(doing.title, _TITLE), "claimed", doing.places)
    typed = [each for each in asked if each.source not in {"answer", "refusal"}] or asked
    told = [(line, each) for each in reversed(typed) if (line := first_line(each.text))]
    alone = [(line, each) for line, each in told if not is_reply(each.text)]
    worked = [(line, each) for line, each in alone if of_work & set(each.places)]
    for line, request in worked or alone or told:
        return _made("first line of the request", line, "asked", request.places)
    return Item(text="")


def _made(template: str, text: str, evidence: Evidence, places: tuple[str, ...]) -> Item[str]:
    return Item(text=text, evidence=evidence, places=places, template=template)


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
        return _made("open task", text, "claimed", task.places)
    if status.kind == "finished" and task is None:
        return _made("finished", FINISHED, "observed", status.places)
    if request is None or status.kind not in {"cut-off", "interrupted"}:
        return None
    text = f"Continue the unfinished request: {_told(request)}"
    return _made("unfinished request", text, "asked", request.places)


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
    return _made("waiting", text, "observed", status.places)


def _failing(run: Run[str]) -> Item[str]:
    kind = {"test": "test run", "build": "build", "lint": "lint run", "types": "type check"}
    where = f" in {code(run.cwd)}" if run.cwd else ""
    text = f"{FIX} {kind.get(run.kind, 'run')}: {code(run.command)}{where}"
    return _made("failing check", text, "observed", run.places)


def _open_task(tasks: Sequence[Task[str]]) -> Task[str] | None:
    doing = next((task for task in tasks if task.status == "in_progress"), None)
    return doing or next((task for task in tasks if task.status == "pending"), None)
