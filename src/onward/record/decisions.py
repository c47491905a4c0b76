"""What the user decided: answers to questions, plans, refusals; the task list, and reports."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from onward import paths
from onward.model import (
    Asked,
    Delegated,
    Edited,
    Event,
    Evidence,
    Item,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Task,
    Titled,
    TodoList,
)
from onward.record.collector import keep
from onward.record.commands import is_looking, normal_form
from onward.record.shell import split
from onward.record.text import bounded, code, command_line, one_line, quoted

_KEPT = 60
_MOST = 20
_PLAN = 4_000
_OPTIONS = 600
_REPORT, _REPORTS = 1_200, 4
_OLD = 3
"""Requests after which an approved plan or a report is no longer what the work is about."""
_TASKS, _LISTED, _TITLE = 40, 300, 300


class Decisions:
    """Collects answered questions, plans that were approved or not, and refused calls."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._made: deque[Item[str]] = deque(maxlen=_KEPT)
        self._refused: deque[Refusal] = deque(maxlen=_KEPT)
        self._plan: Planned | None = None
        self._since = 0
        """Requests since the plan."""

    def see(self, event: Event, _at: int) -> None:
        """Take note of a decision."""
        if event.thread:
            return
        match event:
            case Asked() if event.answered:
                self._made.extend(_answered(q, event.place) for q in event.questions if q.answer)
            case Planned():
                self._planned(event)
            case Refusal():
                self._refusal(event)
            case Prompt() if event.source != "shell":
                self._since += 1
                if self._plan and (not self._plan.approved or self._since > _OLD):
                    self._plan = None
            case Edited():
                self._done({f"edit {event.path}"})
            case Ran(state="done", failed=False):
                self._done(_forms(event.command))
            case _:
                pass

    def _planned(self, event: Planned) -> None:
        # Clients put an approved plan before the agent again and again; one that waits was asked anew.
        known = (
            self._plan
            and self._plan.approved
            and self._plan.text == event.text
            and event.approved is not None
        )
        if known or not event.text.strip():
            return
        self._plan, self._since = event, 0
        if event.approved:
            text = f"Approved the plan: {quoted(title_of(event))}"
            where = (event.place,)
            made = Item(text=text, evidence="asked", places=where, template="approved plan")
            self._made.append(made)

    def _refusal(self, event: Refusal) -> None:
        if event.act and event.kind in {"command", "edit", "other"}:
            self._refused.append(event)
        if event.words.strip():
            text = f"Refused {act_line(event.act, self._root)}: {quoted(bounded(event.words, _OPTIONS))}"
            self._made.append(Item(text=text, evidence="asked", places=(event.place,)))

    def _done(self, acts: set[object]) -> None:
        """The same file edited, or the same program and subcommand run, after all."""
        for refusal in [r for r in self._refused if acts & _acts(r)]:
            self._refused.remove(refusal)

    def items(self) -> tuple[Item[str], ...]:
        """The decisions, newest first; `why` holds the options that a question offered."""
        return tuple(reversed(self._made))[:_MOST]

    def refused(self) -> tuple[Item[str], ...]:
        """Calls that the user refused and that were not done since, newest first."""
        return tuple(
            Item(
                text=f"Refused by the user: {act_line(each.act, self._root)}",
                evidence="asked",
                places=(each.place,),
                why=bounded(each.words, _OPTIONS) or None,
            )
            for each in reversed(self._refused)
        )

    def plan(self) -> Item[str] | None:
        """The plan that waits for the user, that is being worked on, or that they refused last."""
        held = self._plan
        if held is None:
            return None
        asked = {True: None, None: "not approved yet", False: "refused by the user"}
        return Item(
            text=bounded(held.text, _PLAN),
            evidence="asked" if held.approved else "claimed",
            places=(held.place,),
            why=asked[held.approved],
        )

    @property
    def plan_title(self) -> Item[str] | None:
        """The first line of that plan."""
        held = self._plan
        if held is None or not (title := title_of(held)):
            return None
        evidence: Evidence = "asked" if held.approved else "claimed"
        return Item(text=title, evidence=evidence, places=(held.place,))


def _acts(refusal: Refusal) -> set[object]:
    return _forms(refusal.act) if refusal.kind == "command" else {refusal.act}


def _forms(script: str) -> set[object]:
    doing = [command for command in split(script) if not is_looking(command)]
    return {form[:2] for command in doing if (form := normal_form(command.words))}


def act_line(act: str, root: str) -> str:
    """A call that was refused or interrupted, in words: `the edit of src/a.py`, else the command."""
    verb, _, path = act.partition(" ")
    is_edit = verb == "edit" and bool(path)
    return f"the edit of {code(paths.relative(path, root))}" if is_edit else command_line(act)


def _answered(question: Question, place: str) -> Item[str]:
    return Item(
        text=f"{one_line(question.text, 300)} → {question.answer}",
        evidence="asked",
        places=(place,),
        why=bounded(" / ".join(question.options), _OPTIONS) or None,
    )


def title_of(plan: Planned) -> str:
    """The first line of a plan, without marks of a heading."""
    first = next((line for line in plan.text.splitlines() if line.strip(" #*-_=")), "")
    return one_line(first.strip(" #*_"), 120)


class Client:
    """Collects what the client itself keeps: the task list and the session's title."""

    def __init__(self) -> None:
        self._list: TodoList | None = None
        self._titled: Titled | None = None

    def see(self, event: Event, _at: int) -> None:
        """Take note of the newest list, and of a title; one by the user stays."""
        if isinstance(event, TodoList) and not event.thread:
            self._list = event
        elif isinstance(event, Titled) and event.text.strip():
            stays = self._titled is not None and self._titled.by_user and not event.by_user
            self._titled = self._titled if stays else event

    def tasks(self) -> tuple[Task[str], ...]:
        """The list as it last stood: in progress, pending, completed."""
        if self._list is None:
            return ()
        order = {"in_progress": 0, "pending": 1, "completed": 2}
        once = {" ".join(item.title.split()).casefold(): item for item in self._list.items}
        items = sorted(once.values(), key=lambda item: order[item.status])
        return tuple(
            Task(
                title=one_line(item.title, _TITLE),
                status=item.status,
                places=(self._list.place,),
            )
            for item in items[:_TASKS]
        )

    def title(self) -> Item[str] | None:
        """The session's title, by the user or by the client."""
        if self._titled is None:
            return None
        by_user = self._titled.by_user
        return Item(
            text=one_line(self._titled.text, 120),
            evidence="asked" if by_user else "claimed",
            places=(self._titled.place,),
            author="user" if by_user else "client",
        )


def listed(events: Iterable[Event]) -> dict[str, Task[str]]:
    """Everything that ever stood on the task list, by title, those seen last at the end. `created`
    is when an entry was first seen, `completed` when it was ticked off. Clients replace a list
    that is done by the next one; a file of all tasks keeps both.
    """
    found: dict[str, Task[str]] = {}
    for event in events:
        if event.thread or not isinstance(event, TodoList):
            continue
        for item in event.items:
            title = one_line(item.title, _TITLE)
            before = found.pop(title, Task(title=title, created=event.at))
            is_done = item.status == "completed"
            found[title] = Task(
                title=title,
                status=item.status,
                created=before.created,
                completed=(before.completed or event.at) if is_done else "",
                places=before.places if is_done and before.completed else (event.place,),
            )
        keep(found, _LISTED)
    return found


class Obstacles:
    """Collects merge conflicts that are open and commands that a rule did not permit."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._denied: dict[str, str] = {}

    def see(self, event: Event, _at: int) -> None:
        """Take note of them, and of what ended them."""
        if not isinstance(event, Ran):
            return
        if event.state == "denied":
            self._denied[event.command] = event.place
            keep(self._denied, _KEPT)
        elif event.state == "done":
            self._denied.pop(event.command, None)
        if "git" in event.command:
            self._git(event)

    def _git(self, ran: Ran) -> None:
        ends = ("commit", "--abort", "--continue", "reset --hard")
        if ran.failed is False and any(word in ran.command for word in ends):
            self._files.clear()
        for line in ran.output.splitlines():
            if line.startswith("CONFLICT (") and " in " in line:
                self._files[line.rsplit(" in ", 1)[1].strip()] = ran.place

    def items(self) -> tuple[Item[str], ...]:
        """What stands in the way, newest last."""
        conflicts = [
            Item(text=f"Merge conflict in {code(path)}", evidence="observed", places=(place,))
            for path, place in self._files.items()
        ]
        denied = [
            Item(
                text=f"Not permitted by a rule: {command_line(command)}",
                evidence="observed",
                places=(place,),
            )
            for command, place in list(self._denied.items())[-4:]
        ]
        return (*conflicts, *denied)


class Reports:
    """Collects the newest reports of sub-agents."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, Delegated]] = deque(maxlen=_REPORTS)
        self._requests = 0

    def see(self, event: Event, _at: int) -> None:
        """Take note of a report."""
        self._requests += isinstance(event, Prompt) and event.source != "shell"
        if isinstance(event, Delegated) and event.state == "done" and event.report.strip():
            self._kept += [] if event.thread else [(self._requests, event)]

    def items(self) -> tuple[Item[str], ...]:
        """What they reported, newest first; `why` is what they were told."""
        return tuple(
            Item(
                text=bounded(each.report, _REPORT),
                evidence="claimed",
                places=(each.place,),
                why=f"report of the sub-agent {quoted(one_line(each.task, 160))}",
            )
            for request, each in reversed(self._kept)
            if self._requests - request < _OLD
        )
