"""What the user said and decided, word for word; what the agent said last; the client's own title
and task list; reports of sub-agents.

Sub-agents' prompts and replies are no part of it: they are the agent's words. onward's own
commands, and what the agent said of them, are left out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import (
    Asked,
    Delegated,
    Edited,
    Event,
    Halt,
    Interrupt,
    Item,
    Looked,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Reply,
    Request,
    Searched,
    Source,
    Task,
    Titled,
    TodoList,
    TurnEnded,
    Used,
)
from onward.record.commands import is_looking, normal_form
from onward.record.shell import split
from onward.record.text import bounded, code, command_line, keep, one_line, quoted
from onward.record.written import written
from onward.requests import active, is_reply, is_telling
from onward.slash_commands import is_load, is_ours
from onward.user_input import is_close_signal

_SAID = 40
"""Requests that are kept, the newest."""
_LONGEST = 20_000
"""Characters of one request; a longer one loses whole lines in its middle."""
_MESSAGE, _CLOSING = 1_200, 6_000
"""Characters of a message that a request ended with or answers, and of the last message."""
_COMPARED, _SAME = 1_000, 0.8
"""Characters of two messages that are compared, and from how much of them on they are the same."""
_MID_TURN = frozenset({"queued", "answer", "refusal"})
_UNSEEN = " \n\t\u200b\u200c\u200d\u2060\ufeff"
"""What a message may be made of that nobody can see."""
QUESTION = "Ready to continue?"
"""What onward has the agent ask at a resume."""
_PICTURE = re.compile(r"\[Image #\d+\]\s*")
_DRAFT = re.compile(r"(?:^|[/\\])memory[/\\]\.draft[\w-]*\.json$")
_CALL = re.compile(r"\s*onward slash\b")
_ONWARD = re.compile(r"\s*onward\b")
_AMONG = re.compile(r"(?:^|[;&|\n])\s*onward\s+\w")

_WORK = (Ran, Edited, Delegated, Used, Searched, Looked)


def is_own_act(event: Event) -> bool:
    """Whether the agent only called onward, or wrote a draft for it."""
    if isinstance(event, Edited):
        return _DRAFT.search(event.path) is not None
    return isinstance(event, Ran) and _ONWARD.match(event.command) is not None


def without_own(events: Iterable[Event]) -> Iterator[Event]:
    """The events without onward's commands, the drafts written for them, farewells, and what the
    agent said of these, and without the answer to onward's own question where a tool asked it.
    What it said of a resume stays: the user's answer answers it.
    """
    skipping = False
    for event in events:
        if isinstance(event, Prompt) and not event.thread:
            own = is_ours(event.text)
            leaves = not own and is_close_signal(event.text)
            skipping = leaves or (own and not is_load(event.text))
            if own or leaves:
                continue
        if isinstance(event, Reply) and skipping and not event.thread:
            continue
        if isinstance(event, Asked) and event.answered:
            others = tuple(each for each in event.questions if QUESTION not in each.text)
            if others or not event.questions:
                yield replace(event, questions=others)
            continue
        if isinstance(event, Edited | Used) and _DRAFT.search(event.path):
            continue
        if isinstance(event, Ran):
            # A call of a slash command of ours, or the save that reads this very transcript.
            reads = event.state == "open" and _AMONG.search(event.command)
            if reads or _CALL.match(event.command):
                continue
        yield event


def _changes(event: Event, root: str) -> bool:
    """Whether it changed a file that is no plan, note or scratch file of the agent."""
    if isinstance(event, Edited):
        return not paths.apart(paths.relative(event.path, root))
    return isinstance(event, Ran) and bool(written(event))


class _Said(Struct, kw_only=True):
    request: Request[str]
    answered: bool = False
    """The agent said or did something after it."""


class Conversation:
    """Collects the user's words, and the agent's last message."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._first: _Said | None = None
        self._said: deque[_Said] = deque(maxlen=_SAID)
        self._reply = self._reply_place = self._message = ""

    def see(self, event: Event, _at: int) -> None:
        """Take note of what was said."""
        if event.thread:
            return
        match event:
            case Prompt():
                self._prompt(event)
            case Refusal() if words := event.words.strip():
                self._add(event, words, "refusal", refused(event, self._root))
            case Asked(answered=True):
                for question in filter(lambda each: each.answer, event.questions):
                    self._add(event, question.answer, "answer", question.text)
            case Reply() if event.text.strip(_UNSEEN):
                self._replied(event)
            case Halt():
                for said in list(self._said)[-1:]:  # what is written next answers nothing
                    said.answered = False
            case _ if isinstance(event, _WORK) and self._said:
                last = self._said[-1].request
                # What a sub-agent changed is not seen here.
                known = last.changes is not None and not isinstance(event, Delegated)
                changes = (last.changes or 0) + _changes(event, self._root) if known else None
                self._said[-1].request = replace(last, work=last.work + 1, changes=changes)

    def of_work(self) -> frozenset[str]:
        """The places of the requests that tools were used for, and of the last one as long as it
        has no answer: what was answered in words alone is not what the session is about.
        """
        waits = [each for each in list(self._said)[-1:] if not each.answered]
        worked = [each for each in (self._first, *self._said) if each and each.request.work]
        return frozenset(place for each in (*waits, *worked) for place in each.request.places)

    def requests(self) -> tuple[Request[str], ...]:
        """The user's words, oldest first: the first ones, and the newest 40. What an earlier one
        answers is told only where it is short, and the end of that.
        """
        said = [each.request for each in self._said]
        if self._first is not None and self._first is not self._said[0]:
            said.insert(0, self._first.request)
        at = active(said)
        told = [each if n == at else _earlier(each) for n, each in enumerate(said)]
        # Words in mid-turn do not end the turn of the request before them.
        last = {len(told) - 1, *(n - 1 for n, each in enumerate(told) if each.source in _MID_TURN)}
        return tuple(replace(r, ended=None) if n in last else r for n, r in enumerate(told))

    def closing(self) -> Item[str] | None:
        """The agent's last message."""
        if not self._reply:
            return None
        text = bounded(self._reply, _CLOSING)
        return Item(text=text, evidence="claimed", places=(self._reply_place,))

    def _prompt(self, event: Prompt) -> None:
        text = _PICTURE.sub("", event.text).strip(_UNSEEN)
        if event.source == "shell":
            return
        if event.images and not text:
            text = "(an image)" if event.images == 1 else f"({event.images} images)"
        if not text:
            return
        last = self._said[-1] if self._said else None
        if last and not last.answered and last.request.text == text:
            # Sent again: what follows is done for this one.
            last.request = replace(last.request, places=(event.place,), at=event.at)
            return
        # Behind words that are not answered yet it answers nothing of the agent's.
        self._add(event, text, event.source, self._reply if not last or last.answered else "")

    def _add(self, event: Event, text: str, source: Source, about: str) -> None:
        request = Request(
            text=bounded(text, _LONGEST),
            evidence="claimed" if source == "agent" else "asked",
            places=(event.place,),
            source=source,
            at=event.at,
            about=bounded(about, _CLOSING, end=True) or None,
        )
        said = _Said(request=replace(request, changes=0))
        self._first = self._first or said
        self._said.append(said)

    def _replied(self, event: Reply) -> None:
        text = event.text.strip()
        goes_on = event.message and event.message == self._message and self._reply
        self._reply = f"{self._reply}\n\n{text}" if goes_on else text
        self._reply_place, self._message = event.place, event.message
        if self._said:
            last = self._said[-1]
            last.answered = True
            last.request = replace(last.request, ended=bounded(self._reply, _MESSAGE))


def _earlier(request: Request[str]) -> Request[str]:
    if request.about is None or request.source in {"answer", "refusal"}:
        return request
    short = not is_telling(request.text)
    return replace(request, about=bounded(request.about, _MESSAGE, end=True) if short else None)


# ------------------------------------------------------------------ decisions of the user

_KEPT, _MOST = 60, 20
"""Decisions that are kept, and told."""
_PLAN = 4_000
_OPTIONS = 600
_REPORT, _REPORTS = 1_200, 4
_OLD = 3
"""Requests after which an approved plan or a report is no longer what the work is about."""
_TASKS, _LISTED, _TITLE = 40, 300, 300


def _is_again(text: str, before: str) -> bool:
    """Whether a message is the one before it, sent again with a few signs changed."""
    pair = SequenceMatcher(None, before[:_COMPARED], text[:_COMPARED], autojunk=False)
    return pair.quick_ratio() > _SAME and pair.ratio() > _SAME


class Decisions:
    """Collects answered questions, plans that were approved or not, refused calls, and what the user
    wrote right after they interrupted the agent.
    """

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._made: deque[Item[str]] = deque(maxlen=_KEPT)
        self._refused: deque[Refusal] = deque(maxlen=_KEPT)
        self._again: dict[str, str] = {}
        """What was done since after all, by the place of the refusal."""
        self._silent: Refusal | None = None
        """A refusal without words, until something else than an interrupt follows."""
        self._stopped: Interrupt | None = None
        self._typed = ""
        """An interruption of what the agent had begun, until it goes on."""
        self._begun = False
        self._then: dict[str, Prompt] = {}
        """What the user wrote right after one, by its place."""
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
                self._prompt(event)
            case Edited():
                self._done(event, f"edit {event.path}", "the file was edited since")
            case Ran(state="done"):
                exact = event.failed is not False
                self._done(event, event.command, "run since", exact=exact)
            case _:
                pass
        if not isinstance(event, Refusal | Interrupt):
            self._silent = None
        if not isinstance(event, TurnEnded):
            self._stopped = event if isinstance(event, Interrupt) and self._begun else None
        self._begun = isinstance(event, (Reply, *_WORK)) or (
            self._begun and not isinstance(event, Prompt)
        )

    def _prompt(self, event: Prompt) -> None:
        self._since += 1
        typed = event.source in {"typed", "queued"}
        again, self._typed = _is_again(event.text, self._typed), event.text
        if self._stopped and typed and not (is_reply(event.text) or again):
            at = f" at {act_line(self._stopped.act, self._root)}" if self._stopped.act else ""
            text = f"Interrupted the agent{at}, saying: {quoted(bounded(event.text, _OPTIONS))}"
            where = (event.place,)
            made = Item(text=text, evidence="asked", places=where, template="interruption")
            self._made.append(made)
        if self._silent and typed and event.text.strip():
            self._then[self._silent.place] = event
            keep(self._then, _KEPT)
        if self._plan and (not self._plan.approved or self._since > _OLD):
            self._plan = None

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
            text = f"Approved the plan: {quoted(_first_line(event.text))}"
            where = (event.place,)
            made = Item(text=text, evidence="asked", places=where, template="approved plan")
            self._made.append(made)

    def _refusal(self, event: Refusal) -> None:
        if event.act and event.kind in {"command", "edit", "other"}:
            self._refused.append(event)
        self._silent = None if event.words.strip() else event
        if event.words.strip():
            text = f"Refused {refused(event, self._root)}: {quoted(bounded(event.words, _OPTIONS))}"
            where = (event.place,)
            made = Item(text=text, evidence="asked", places=where, template="refusal")
            self._made.append(made)

    def _done(self, event: Event, act: str, told: str, *, exact: bool = False) -> None:
        """The same file edited, or the same program and subcommand run, after all; of a script that
        failed it is not known which of its commands ran: it must be the whole call (`exact`).
        """
        for refusal in [r for r in self._refused if (r.act == act if exact else _is_done(r, act))]:
            self._refused.remove(refusal)
            same = refusal.act == act or not isinstance(event, Ran)
            self._again[refusal.place] = told if same else f"{told} in another form"
            keep(self._again, _KEPT)

    def items(self) -> tuple[Item[str], ...]:
        """The decisions, newest first; `why` holds the options that a question offered."""
        return tuple(map(self._dated, reversed(self._made)))[:_MOST]

    def _dated(self, item: Item[str]) -> Item[str]:
        told = self._again.get(item.places[0]) if item.template == "refusal" else None
        return replace(item, text=f"{item.text} ({told})") if told else item

    def refused(self) -> tuple[Item[str], ...]:
        """Calls that the user refused and that were not done since, newest first; `why` is what
        they said, or wrote right after it: then its place is the second.
        """
        return tuple(map(self._told, reversed(self._refused)))

    def _told(self, refusal: Refusal) -> Item[str]:
        then = None if refusal.words.strip() else self._then.get(refusal.place)
        words = then.text if then else refusal.words
        return Item(
            text=f"Refused by the user: {refused(refusal, self._root)}",
            evidence="asked",
            places=(refusal.place, then.place) if then else (refusal.place,),
            why=bounded(words, _OPTIONS) or None,
        )

    def plan(self) -> Item[str] | None:
        """The plan that waits for the user, that is being worked on, or that they refused last."""
        held = self._plan
        if held is None:
            return None
        # A plan that is taken into a fresh context ends as one that is refused without a word does.
        left = "refused by the user" if held.words else "left without a word"
        asked = {True: None, None: "not approved yet", False: left}
        return Item(
            text=bounded(held.text, _PLAN),
            evidence="asked" if held.approved else "claimed",
            places=(held.place,),
            why=asked[held.approved],
        )

    @property
    def plan_title(self) -> Item[str] | None:
        """The first line of that plan."""
        held = self.plan()
        title = _first_line(held.text) if held else ""
        return replace(held, text=title, why=None) if held and title else None


def _is_done(refusal: Refusal, act: str) -> bool:
    """Whether an act is the refused one, or of its commands one with all their words: without
    `--force`, or with another file, it is another.
    """
    if refusal.kind != "command" or refusal.act.strip() == act.strip():
        return refusal.act.strip() == act.strip()
    done = list(_forms(act))
    return any(
        of == form and words <= given and "--amend" not in given - words
        for form, words in _forms(refusal.act)
        for of, given in done
    )


def _forms(script: str) -> Iterator[tuple[tuple[str, str], set[str]]]:
    """Program and subcommand of each command that does something, and its words."""
    for command in split(script):
        if not is_looking(command) and (form := normal_form(command.words)):
            yield form[:2], set(command.words)


def act_line(act: str, root: str) -> str:
    """A call that was interrupted or refused, in words: `the edit of src/a.py`, else the command."""
    verb, _, path = act.partition(" ")
    is_edit = verb == "edit" and bool(path)
    return f"the edit of {code(paths.relative(path, root))}" if is_edit else command_line(act)


def refused(refusal: Refusal, root: str) -> str:
    """What the user did not want: the edit, the command, or the plan by its title."""
    if refusal.kind == "plan":
        return f"the plan {quoted(refusal.act)}" if refusal.act else "the plan"
    return act_line(refusal.act, root)


def _answered(question: Question, place: str) -> Item[str]:
    return Item(
        text=f"{one_line(question.text, 300)} → {question.answer}"
        + (f": {one_line(question.meaning, 200)}" if question.meaning else ""),
        evidence="asked",
        places=(place,),
        why=bounded("of " + " / ".join(question.options), _OPTIONS) if question.options else None,
    )


def _first_line(plan: str) -> str:
    """The first line of a plan, without marks of a heading."""
    first = next((line for line in plan.splitlines() if line.strip(" #*-_=")), "")
    return one_line(first.strip(" #*_"), 120)


class Client:
    """Collects what the client itself keeps: the task list and the session's title."""

    def __init__(self) -> None:
        self._list: TodoList | None = None
        self._doing: dict[str, str] = {}
        """What the client was first told to show of each task while it is in progress."""
        self._titled: Titled | None = None

    def see(self, event: Event, _at: int) -> None:
        """Take note of the newest list, and of a title; one by the user stays."""
        if isinstance(event, TodoList) and not event.thread:
            self._list = event
            told = {item.title: item.doing for item in event.items if item.doing}
            self._doing = {title: self._doing.get(title, told[title]) for title in told}
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
        new = (i for i in items if i.status != "completed" and i.doing != self._doing.get(i.title))
        shown = {item.title: one_line(item.doing, _TITLE) for item in new if item.doing}
        return tuple(
            Task(
                title=one_line(item.title, _TITLE),
                status=item.status,
                doing=shown.get(item.title),
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


class Conflicts:
    """Collects the merge conflicts that are open."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}

    def see(self, event: Event, _at: int) -> None:
        """Take note of them, and of what ended them."""
        if not isinstance(event, Ran) or "git" not in event.command:
            return
        ends = ("commit", "--abort", "--continue", "reset --hard")
        if event.failed is False and any(word in event.command for word in ends):
            self._files.clear()
        for line in event.output.splitlines():
            if line.startswith("CONFLICT (") and " in " in line:
                self._files[line.rsplit(" in ", 1)[1].strip()] = event.place

    def items(self) -> tuple[Item[str], ...]:
        """What stands in the way, newest last."""
        return tuple(
            Item(text=f"Merge conflict in {code(path)}", evidence="observed", places=(place,))
            for path, place in self._files.items()
        )


class Reports:
    """Collects the newest reports of sub-agents."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, Delegated]] = deque(maxlen=_REPORTS)
        self._requests = 0

    def see(self, event: Event, _at: int) -> None:
        """Take note of a report."""
        if isinstance(event, Prompt) and event.source != "shell" and not event.thread:
            self._requests += 1
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
