"""How the session stood at its last event, from turn ends and open calls alone; what still ran; and
the fixed templates that fill the title and the next action. Each quotes what the record holds, and
says nothing where the record decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.evidence import order_of
from onward.model import (
    Asked,
    Background,
    Delegated,
    Draft,
    Edited,
    Event,
    Evidence,
    Halt,
    Interrupt,
    Item,
    Moved,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Request,
    Run,
    Searched,
    Status,
    StatusKind,
    Task,
    Titled,
    TodoList,
    TurnEnded,
    Used,
    WaitsFor,
)
from onward.record.checks import decisive
from onward.record.commands import is_looking
from onward.record.pasted import opening, pasted
from onward.record.runners import clean
from onward.record.shell import split
from onward.record.text import (
    bounded,
    code,
    command_line,
    keep,
    one_line,
    quoted,
    shorten,
    unfenced,
)
from onward.requests import LOGGED, active, is_log, is_reply, is_short, is_telling, is_typed

_KEPT = 40
_DETAIL = 600
_WORK = (Ran, Edited, Delegated, Used, Searched)
_Last = Literal["", "prompt", "reply", "more", "act", "open", "interrupt", "halt"]


class _Started(Struct, frozen=True, kw_only=True):
    """Work in the background whose end is not known."""

    item: Item[str]
    """`why` is the folder."""
    turn: int
    looks: bool


class Standing:
    """Collects what decides how the session stood: the end of its last turn, if it ended."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._last: _Last = ""
        self._detail = self._place = self._at = ""
        self._ended = self._left = self._idle = False
        """Whether its turn ended, and whether it is a plan that came back without a word."""
        self._said = 0.0
        self._waits: Asked | Planned | None = None
        self._turn = 0
        self._running: dict[str, _Started] = {}
        self._failed: list[Item[str]] = []

    def see(self, event: Event, _at: int) -> None:
        """Take note of one event."""
        self._at = event.at or self._at
        if isinstance(event, Ran | Background | Delegated):
            self._beside(event)
        if event.thread or isinstance(event, Background | Moved | Titled | TodoList):
            return
        match event:
            case TurnEnded():
                self._ended = self._last in {"reply", "act", "more"}
            case Prompt(source="shell"):
                pass
            case Prompt():
                self._turn += 1
                self._waits = None
                self._said = order_of(event.place)
                self._now("prompt", event)
            case Reply():
                self._said = order_of(event.place)
                self._now("more" if event.more else "reply", event)
            case Interrupt():
                self._now("interrupt", event, event.act)
            case Halt():
                self._now("halt", event, event.reason)
            case _:
                self._act(event)

    def _act(self, event: Event) -> None:
        match event:
            case Asked() | Planned():
                is_open = not event.answered if isinstance(event, Asked) else event.approved is None
                self._waits = event if is_open else None
                self._now("act", event)
            case Refusal():
                over = event.kind != "question" or event.words.strip()
                self._waits = None if over and isinstance(self._waits, Asked) else self._waits
                # From words the agent goes on, as from a prompt.
                said = event.words.strip()
                self._now("prompt" if said else "interrupt", event, "" if said else event.act)
                self._left = event.kind == "plan" and not said
            case Ran(state="open"):
                self._open(event, event.command)
            case Ran(state="interrupted"):
                self._now("interrupt", event, event.command)
            case Used(open=True):
                self._open(event, f"{event.tool} {event.detail}".strip())
            case Delegated(state="running"):
                # A call that never came back, and none that was left to run.
                if order_of(event.place) >= order_of(self._place):
                    task = quoted(one_line(event.task.strip().partition("\n")[0], _AGENT))
                    self._now("open", event, f"sub-agent {task}")
            case _:
                if isinstance(event, _WORK):  # the agent went on: it waits no longer
                    self._waits = None
                self._now("act", event)

    def _open(self, event: Event, detail: str) -> None:
        """A call without a result: lost, by a compaction say, where the session went on after it."""
        if order_of(event.place) >= self._said:
            self._now("open", event, detail)

    def _now(self, last: _Last, event: Event, detail: str = "") -> None:
        self._last, self._detail, self._place, self._ended = last, detail, event.place, False
        self._left = self._left and last == "interrupt"
        self._idle = last == "prompt" or (self._idle and last in {"interrupt", "halt"})

    # ------------------------------------------------------------ in the background

    def _beside(self, event: Event) -> None:
        match event:
            case Ran(background=key) if key:
                cwd = paths.relative(event.cwd, self._root)
                looks = all(map(is_looking, split(event.command)))
                self._begin(key, event, event.command.strip(), cwd, looks=looks)
            case Background() if event.state != "running":
                started = self._running.pop(event.id, None)
                # `npm start & sleep 3; lsof -i :80` ends with the status of the look.
                acts = started and not all(map(is_looking, split(started.item.text)[-1:]))
                if started and acts and event.state == "failed":
                    text = f"in the background: {command_line(started.item.text)}"
                    self._note_failure(text, (*started.item.places, event.place), event.output)
            case Delegated(thread=""):
                key, text = event.agent or event.task, f"sub-agent: {one_line(event.task, _DETAIL)}"
                self._running.pop(key, None)
                self._failed = [item for item in self._failed if item.text != f"Failed {text}"]
                if event.state == "running":
                    self._begin(key, event, text)
                elif event.state == "failed":
                    self._note_failure(text, (event.place,), event.report)
            case _:
                pass

    def _begin(
        self, key: str, event: Event, text: str, cwd: str = "", *, looks: bool = False
    ) -> None:
        where = cwd if cwd not in {"", "."} else None
        item = Item(text=text, evidence="observed", places=(event.place,), why=where)
        self._running[key] = _Started(item=item, turn=self._turn, looks=looks)
        keep(self._running, _KEPT)

    def _note_failure(self, text: str, places: tuple[str, ...], output: str) -> None:
        line = next((x for x in reversed(output.splitlines()) if x.strip()), "")
        why = one_line(line, 200) or None
        item = Item(text=f"Failed {text}", evidence="observed", places=places, why=why)
        self._failed = [*self._failed, item][-_KEPT:]

    @property
    def failed(self) -> tuple[Item[str], ...]:
        """Background work that failed, in order of time."""
        return tuple(self._failed)

    def background(self) -> tuple[Item[str], ...]:
        """Commands and sub-agents whose end is not known, newest first; `why` is the folder."""
        cut = self._place if self._last == "open" else ""  # told as the call without a result
        running = (each for each in reversed(self._running.values()) if not each.looks)
        return tuple(each.item for each in running if cut not in each.item.places)

    # --------------------------------------------------------------------- the status

    def status(self) -> Status[str]:
        """How it stood at the last event."""
        if isinstance(self._waits, Planned):
            return self._status("waiting", self._waits.text, self._waits.place, "plan")
        if self._waits is not None:
            text = "\n".join(question.text for question in self._waits.questions)
            return self._status("waiting", text, self._waits.place, "question")
        if not self._last:
            return Status(at=self._at)
        if self._last == "interrupt" or (self._last != "reply" and not self._ended):
            kind: StatusKind = "interrupted" if self._last == "interrupt" else "cut-off"
            return self._status(kind, self._detail, waits_for="plan" if self._left else "")
        begun = [s for s in self._running.values() if s.turn == self._turn and not s.looks]
        if begun:
            last = begun[-1].item
            return self._status("background", last.text, last.places[0])
        return self._status("finished", "")

    def _status(
        self, kind: StatusKind, detail: str, place: str = "", waits_for: WaitsFor = ""
    ) -> Status[str]:
        return Status(
            kind=kind,
            waits_for=waits_for,
            detail=bounded(detail, _DETAIL) or None,
            idle=self._idle and kind in {"interrupted", "cut-off"},
            lost=self._last == "open" and kind == "cut-off",
            at=self._at,
            places=(place or self._place,),
        )


# ------------------------------------------------------------ title and next action

_TITLE, _THEN = 100, 60
_AGENT = 120
_QUOTE = 240
_MARKUP = re.compile(r"\s*(?:<[^>]*>?|```|~~~|[|+=*_~-]{3,})")
_MARKS = re.compile(r"^[\s#>*_`-]+|[\s*_`]+$")
_RUNS = {
    "test": "test run",
    "build": "build",
    "lint": "lint run",
    "types": "type check",
    "other": "hooks of",
}
FINISHED = "Turn finished; nothing is pending"


def title(
    given: Item[str] | None,
    plan: Item[str] | None,
    tasks: Sequence[Task[str]],
    asked: Sequence[Request[str]],
    of_work: AbstractSet[str],
    *,
    commit: str = "",
) -> Item[str]:
    """What the session is about, in this order: its title, the plan, the task in progress, the first
    line of the newest request at one of the places `of_work`, else of the newest. A title by the
    client and a task list hold until a later request leads; the title is then told with what came
    after it, and so is a request with the one that was answered in words alone. A short one is told with the subject of the session's last `commit`, else with
    the session's first request. An empty one where there is none of these.
    """
    # What is typed while the agent works is most often a word on the running request.
    asked = [each for each in asked if each.source in {"typed", "command", "agent"}]
    worked = [each for each in asked if of_work & set(each.places)]
    since = _since(worked)
    if given is not None and (given.author == "user" or _is_of(given, since)):
        return replace(given, template="title of the session")
    found = plan and replace(plan, template="title of the plan")
    found = found or _of_task(tasks, since)
    if found is None and (found := _of_request(worked) or _of_request(asked)) and given is None:
        last = asked[-1]
        if worked and last.places != worked[-1].places and is_telling(last.text):
            found = _and_then(found, last)
        else:
            found = _in_context(found, worked, commit)
    if given is None:
        return found or Item(text="")
    then = f"{given.text}, then: {shorten(found.text, _THEN)}" if found else given.text
    return replace(given, text=then, template="title of the session and what came after it")


def _since(asked: Sequence[Request[str]]) -> float:
    """Where the newest request stands that says by itself what is wanted; 0 if it is the first."""
    telling = [each for each in asked if is_typed(each) and is_telling(each.text)]
    return max(map(order_of, telling[-1].places), default=0) if len(telling) > 1 else 0


def _is_of(item: Item[str] | Task[str], since: float) -> bool:
    return max(map(order_of, item.places), default=since) >= since


def _of_task(tasks: Sequence[Task[str]], since: float) -> Item[str] | None:
    doing = next((task for task in tasks if task.status == "in_progress"), None)
    if doing is None or not _is_of(doing, since):
        return None
    return _made("task in progress", shorten(doing.title, _TITLE), "claimed", doing.places)


def _of_request(asked: Sequence[Request[str]]) -> Item[str] | None:
    """The first line of the newest request that says what is wanted, else of the newest that is
    more than a reply: of a slash command the words behind its name.
    """
    told: dict[bool, Item[str]] = {}
    for request in reversed(asked):
        text = request.text
        if request.source == "command" and text.lstrip().startswith("/"):
            text = text.strip().partition(" ")[2]
        line = _first_line(text)
        if line and not is_reply(text):
            made = _made("first line of the request", line, request.evidence, request.places)
            told.setdefault(is_telling(text), made)
    return told.get(True) or told.get(False)


def _and_then(found: Item[str], last: Request[str]) -> Item[str]:
    """The request that was worked on, and the one after it that was answered in words alone."""
    then = _of_request([last])
    if then is None or then.text == found.text:
        return found
    text = f"{found.text}, then: {shorten(then.text, _THEN)}"
    return replace(found, text=text, template=f"{found.template}, and what came after it")


def _in_context(found: Item[str], asked: Sequence[Request[str]], commit: str) -> Item[str]:
    request = next((each for each in asked if each.places == found.places), None)
    if request and not is_short(request.text):
        return found
    if commit:
        text = f"{found.text} (last commit: {shorten(commit, _THEN)})"
        return replace(found, text=text, template=f"{found.template}, and the last commit")
    first = next((each for each in asked if is_telling(each.text)), None)
    opening = _first_line(first.text) if first and first.places != found.places else ""
    if not opening or opening == found.text:
        return found
    text = f"{found.text} (began with: {shorten(opening, _THEN)})"
    return replace(found, text=text, template=f"{found.template}, and of the first")


def _made(template: str, text: str, evidence: Evidence, places: tuple[str, ...]) -> Item[str]:
    return Item(text=text, evidence=evidence, places=places, template=template)


def _first_line(text: str) -> str:
    """The first line with letters that is no markup, tag or fence, of a log the last, of what was
    copied from a terminal the command and the first line that tells of an error, and the next one where it is short and ends in a colon; cut at a word, "" where a cut leaves next to nothing of it (a pasted trace that begins with a long path).
    """
    command, lines = opening(unfenced(text).splitlines())
    if command is not None:
        found = pasted(Prompt(line=0, text=text))
        failed = next((check for check in found if check.outcome == "failed"), None)
        command = failed.command.typed if failed else command
        proof = (*failed.decisive, failed.summary) if failed else decisive(clean(text))
        if command and any(proof[:1]):
            return f"{shorten(command, _THEN)}: {shorten(proof[0], _TITLE)}"
    if is_log(lines):
        own = [line for line in lines if line.strip() and not LOGGED.match(line)]
        lines = own or [LOGGED.sub("", line, count=1) for line in reversed(lines)]
    lead = ""
    for line in lines:
        bare = _MARKS.sub("", line)
        if not _MARKUP.match(line) and sum(map(str.isalpha, bare)) > 1:
            if bare.endswith((":", "\uff1a")) and len(bare) < _THEN:
                lead = f"{bare} "
                continue
            bare = lead + bare
            cut = shorten(bare, _TITLE)
            return "" if cut != bare and is_reply(cut) else cut
    return lead.strip()


def next_action(draft: Draft) -> Item[str] | None:
    """What comes next, by the status alone; None where the record does not decide it. Where a call
    that may change something has no result, to find out what it did comes first.
    """
    found, status = _next(draft), draft.status
    lost = status.lost and status.detail
    if not lost or all(map(is_looking, split(lost))):
        return found
    text = "Find out whether the last call did its work: it has no result"
    if found is None or found.template == "unfinished request":
        return _made("call without a result", text, "observed", status.places)
    return replace(found, text=f"{text}. Then: {found.text}")


def _next(draft: Draft) -> Item[str] | None:
    status = draft.status
    if status.kind == "waiting":
        asked = f": {quoted(one_line(status.detail, _QUOTE))}" if status.detail else ""
        text = f"Waiting for the user's answer{asked}"
        return _made("waiting", text, "observed", status.places)
    at = active(draft.requests)
    request = draft.requests[at] if draft.requests else None
    start = max(map(order_of, request.places), default=0) if request else 0
    late = (run for run in draft.runs if max(map(order_of, run.places), default=start) >= start)
    # One in a scratch folder was a trial.
    failed = (run for run in late if run.outcome == "failed" and not paths.apart(run.cwd or ""))
    failing = next(failed, None)
    if failing is not None:
        return _failing(failing)
    left = [task for task in draft.tasks if task.status != "completed"]
    task = next((task for task in left if task.status == "in_progress"), next(iter(left), None))
    if task is not None and _is_of(task, _since(draft.requests)):
        shown = f" (the task list shows it as {quoted(task.doing)})" if task.doing else ""
        text = f"Continue the task: {task.title}{shown}"
        return _made("open task", text, "claimed", task.places)
    listed = any(each.ticked and each.open for each in draft.checklists)
    if status.kind == "finished" and task is None and not listed:
        return _made("finished", FINISHED, "observed", status.places)
    if request is None or status.kind not in {"cut-off", "interrupted"}:
        return None
    text = f"Continue the unfinished request: {_told(request)}"
    return _made("unfinished request", text, request.evidence, request.places)


def _told(request: Request[str]) -> str:
    """The request; of a short reply what it answers too."""
    text = quoted(one_line(request.text, _QUOTE))
    if request.about is None or not is_reply(request.text):
        return text
    last = request.about.strip().rpartition("\n")[2]
    return f"{text}, in answer to {quoted(one_line(last, _QUOTE))}"


def _failing(run: Run[str]) -> Item[str]:
    where = f" in {code(run.cwd)}" if run.cwd else ""
    what = f"{code(run.command)}{where}"
    if run.edits_after:  # whether they were the repair, only another run tells
        edits = "1 edit" if run.edits_after == 1 else f"{run.edits_after} edits"
        text = f"Run again: {what}, it failed before the last {edits}"
    else:
        text = f"Fix the failing {_RUNS.get(run.kind, 'run')}: {what}"
    return _made("failing check", text, "asked" if run.pasted else "observed", run.places)
