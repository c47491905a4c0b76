"""Distil: what went on beside the conversation: background tasks and sub-agents."""

from __future__ import annotations

import re
from collections import deque

from msgspec import Struct

from onward.distill import paths
from onward.distill.fold import keep
from onward.distill.shell.looking import is_looking
from onward.distill.shell.split import split
from onward.distill.text import is_log, one_line, sentences, shorten, unfenced
from onward.model import Background, Delegated, Edited, Event, Item, Prompt, Ran, Reply, order_of

_KEPT = 40
_SHOWN = 6
_REPORTS = 4
_MARKUP = ("#", "|", "```", "---")
_LABEL = 12
_GIST = 360
_DRAWN = re.compile("[\u2500-\u257f\u25a0-\u25ff]|\\|.*\\|")
_ROLE = re.compile(r"^you\s+are\s+(?:now\s+)?(?:an?\s+|the\s+)?", re.IGNORECASE)
_SAYING = 30
"""Characters below which a sentence says nothing by itself."""
_CUT_OFF = re.compile(
    r"\W*(?:you've hit your|api error|usage limit|prompt is too long)", re.IGNORECASE
)
_NOTICE = re.compile(r"\W*\w+ ['\"“].{0,120}['\"”] (?:completed|finished|done)\W*")
_OPENING = re.compile(
    r"(?:now\s+i\s+have|now\s+let|i(?:'ve|\s+have)?\s+thoroughly|i(?:'ve)\s+|agentid:|i\s+(?:now\s+)?have|perfect|great|excellent|here\s+is|here's|below\s+is|let\s+me|based\s+on)\b",
    re.IGNORECASE,
)


class Started(Struct, frozen=True, kw_only=True):
    """A background task that was started and of whose end nothing was seen."""

    command: str
    cwd: str
    place: str
    at: int


class Waiting:
    """Collects background tasks by id, and the reports of sub-agents."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self.running: dict[str, Started] = {}
        self.killed: deque[Item[str]] = deque(maxlen=_KEPT)
        self.ended: dict[str, Started] = {}
        """Tasks that were killed and that no act or word of the agent followed: they ended with
        the session, nobody gave them up.
        """
        self.reports: deque[Delegated] = deque(maxlen=_KEPT)
        self.delegated: dict[str, Delegated] = {}

    def see(self, event: Event, at: int) -> None:
        """Take note of starts, ends and reports."""
        if self.ended and isinstance(event, Ran | Edited | Reply) and not event.thread:
            self._given_up()
        match event:
            case Ran(background=task) if task:
                cwd = paths.relative(event.cwd, self._root)
                self.running[task] = Started(
                    command=event.command,
                    cwd="" if cwd == "." else cwd,
                    place=event.place,
                    at=at,
                )
                keep(self.running, _KEPT)
            case Background():
                self._news(event)
            case Prompt(thread=""):
                self.delegated.clear()  # what was cut off is begun anew or given up
                self.ended.clear()
            case Delegated(thread=""):
                self._delegated(event)
            case _:
                pass

    def _news(self, event: Background) -> None:
        started = self.running.get(event.id)
        if event.state == "running":
            return
        self.running.pop(event.id, None)
        if event.state == "killed" and started:
            self.ended[event.place] = started

    def _given_up(self) -> None:
        """Work went on without the tasks that were killed."""
        for place, started in self.ended.items():
            text = f"Stopped in the background: {one_line(started.command, 200)}"
            self.killed.append(Item(text=text, evidence="observed", places=(started.place, place)))
        self.ended.clear()

    def _delegated(self, event: Delegated) -> None:
        key = event.agent or event.task
        if event.state == "running":
            self.delegated[key] = event
            keep(self.delegated, _KEPT)
            return
        self.delegated.pop(key, None)
        if event.state == "done" and _reports(event.report):
            self.reports.append(event)


def _reports(report: str) -> bool:
    """Whether a report says more than that the work was done or cut off."""
    return bool(report.strip()) and not (_CUT_OFF.match(report) or _NOTICE.fullmatch(report))


def was_running(waiting: Waiting) -> list[Item[str]]:
    """Background tasks without an end: said as past, nobody knows what became of them; and
    those that ended with the session. One that only looks serves nobody after it.
    """
    running = [task for task in waiting.running.values() if not _looks(task)]
    ended = [_was(task, ", ended with the session", place) for place, task in waiting.ended.items()]
    return [*(_was(task) for task in reversed(running)), *ended][:_SHOWN]


def _looks(task: Started) -> bool:
    commands = split(task.command)
    return bool(commands) and all(map(is_looking, commands))


def _was(task: Started, end: str = "", place: str = "") -> Item[str]:
    where = f" (in {task.cwd})" if task.cwd else ""
    return Item(
        text=f"Was running in the background{end}: {one_line(task.command, 300)}{where}",
        evidence="observed",
        places=(task.place, place) if place else (task.place,),
    )


def reports(waiting: Waiting, since: float) -> list[Item[str]]:
    """What sub-agents reported after a line of the transcript, newest first, in short: what
    came before is told by what was done with it.
    """
    return [
        Item(
            text=f"Sub-agent{_label(report.task)} reported: {_gist(report.report)}",
            evidence="claimed",
            places=(report.place,),
        )
        for report in reversed(waiting.reports)
        if order_of(report.place) >= since
    ][:_REPORTS]


def _gist(report: str) -> str:
    """The first sentences that state something: headings, openings, tables, drawings and
    lists of labels are left out.
    """
    plain = unfenced(report)
    said = [re.sub(r"\*\*|^[\s*_>•-]+|^\d+[.)]\s+", "", s) for s in sentences(plain) if _states(s)]
    told = [s if s.endswith((".", "!", "\u3002")) else f"{s};" for s in said[:4]]
    return shorten(" ".join(told).rstrip(";") or one_line(plain, _GIST), _GIST)


def _states(sentence: str) -> bool:
    """A whole sentence with a finding: no heading, opening, row or label."""
    bare = sentence.strip("*_ ")
    return not (
        bare.startswith(_MARKUP)
        or bare.endswith((":", "\uff1a"))
        or len(bare) < _SAYING
        or (sentence.startswith("**") and sentence.endswith("**"))
        or _OPENING.match(bare)
        or _DRAWN.search(bare)
        or is_log(bare)
    )


def _label(task: str) -> str:
    """` (what a sub-agent was told, in at most twelve words)`; "" where it was told nothing."""
    said = (said for line in task.splitlines() for said in sentences(line.strip(" #*")))
    told = _ROLE.sub("", next(said, ""))
    split = told.split()
    label = one_line(" ".join(split[:_LABEL]) + (" …" if len(split) > _LABEL else ""), 120)
    return f" ({label})" if label else ""
