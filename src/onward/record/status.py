"""How the session stood at its last event, from turn ends and open calls alone; what still ran."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from onward import paths
from onward.model import (
    Asked,
    Background,
    Delegated,
    Edited,
    Event,
    Halt,
    Interrupt,
    Item,
    Moved,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Searched,
    Status,
    Titled,
    TodoList,
    TurnEnded,
    Used,
    order_of,
)
from onward.record.collector import keep
from onward.record.commands import is_looking
from onward.record.shell import split
from onward.record.text import bounded, command_line, one_line

_KEPT = 40
_DETAIL = 600
_WORK = (Ran, Edited, Delegated, Used, Searched)
_Last = Literal["", "prompt", "reply", "more", "act", "open", "interrupt", "halt"]


class _Started(Struct, frozen=True, kw_only=True):
    """Work in the background whose end is not known."""

    text: str
    cwd: str
    place: str
    turn: int
    looks: bool = False


class Standing:
    """Collects what decides how the session stood: the end of its last turn, if it ended."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._last: _Last = ""
        self._detail = self._place = self._at = ""
        self._ended = False
        self._said = 0.0
        self._question: Asked | None = None
        self._plan: Planned | None = None
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
                self._question = self._plan = None
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
                self._question = event if isinstance(event, Asked) and not event.answered else None
                pending = isinstance(event, Planned) and event.approved is None
                self._plan = event if isinstance(event, Planned) and pending else None
                self._now("act", event)
            case Refusal():
                if event.kind != "question" or event.words.strip():
                    self._question = None
                # From words the agent goes on, as from a prompt.
                said = event.words.strip()
                self._now("prompt" if said else "interrupt", event, "" if said else event.act)
            case Ran(state="open"):
                self._open(event, event.command)
            case Ran(state="interrupted"):
                self._now("interrupt", event, event.command)
            case Used(open=True):
                self._open(event, f"{event.tool} {event.detail}".strip())
            case Delegated(state="running"):
                if self._is_cut(event):
                    self._now("open", event, event.task)
            case _:
                if isinstance(event, _WORK):  # the agent went on: it waits no longer
                    self._question = self._plan = None
                self._now("act", event)

    def _open(self, event: Event, detail: str) -> None:
        """A call without a result: lost, by a compaction say, where the session went on after it."""
        if order_of(event.place) >= self._said:
            self._now("open", event, detail)

    def _now(self, last: _Last, event: Event, detail: str = "") -> None:
        self._last, self._detail, self._place, self._ended = last, detail, event.place, False

    def _is_cut(self, event: Delegated) -> bool:
        """A call of a sub-agent that never came back, and none that was left to run."""
        return order_of(event.place) >= order_of(self._place)

    # ------------------------------------------------------------ in the background

    def _beside(self, event: Event) -> None:
        match event:
            case Ran(background=key) if key:
                cwd = paths.relative(event.cwd, self._root)
                self._running[key] = _Started(
                    text=event.command.strip(),
                    cwd="" if cwd == "." else cwd,
                    place=event.place,
                    turn=self._turn,
                    looks=all(map(is_looking, split(event.command))),
                )
                keep(self._running, _KEPT)
            case Background() if event.state != "running":
                started = self._running.pop(event.id, None)
                if started and event.state == "failed":
                    self._fails(started, event)
            case Delegated(thread=""):
                self._delegated(event)
            case _:
                pass

    def _delegated(self, event: Delegated) -> None:
        key = event.agent or event.task
        self._running.pop(key, None)
        if event.state == "running":
            text = f"sub-agent: {one_line(event.task, _DETAIL)}"
            self._running[key] = _Started(text=text, cwd="", place=event.place, turn=self._turn)
            keep(self._running, _KEPT)

    def _fails(self, started: _Started, news: Background) -> None:
        line = next((x for x in reversed(news.output.splitlines()) if x.strip()), "")
        item = Item(
            text=f"Failed in the background: {command_line(started.text)}",
            evidence="observed",
            places=(started.place, news.place),
            why=one_line(line, 200) or None,
        )
        self._failed = [*self._failed, item][-_KEPT:]

    @property
    def failed(self) -> tuple[Item[str], ...]:
        """Background work that failed, in order of time."""
        return tuple(self._failed)

    def background(self) -> tuple[Item[str], ...]:
        """Commands and sub-agents whose end is not known, newest first; `why` is the folder."""
        return tuple(
            Item(text=each.text, evidence="observed", places=(each.place,), why=each.cwd or None)
            for each in reversed(self._running.values())
            if not each.looks
        )

    # --------------------------------------------------------------------- the status

    def status(self) -> Status[str]:
        """How it stood at the last event."""
        waits = self._waits()
        if waits is not None or not self._last:
            return waits or Status(at=self._at)
        if self._last == "interrupt":
            return self._status("interrupted", self._detail)
        if self._last != "reply" and not self._ended:
            return self._status("cut-off", self._detail)
        begun = [s for s in self._running.values() if s.turn == self._turn and not s.looks]
        if begun:
            return self._status("background", begun[-1].text, begun[-1].place)
        return self._status("finished", "")

    def _status(
        self,
        kind: Literal["finished", "interrupted", "cut-off", "background"],
        detail: str,
        place: str = "",
    ) -> Status[str]:
        return Status(
            kind=kind,
            detail=bounded(detail, _DETAIL) or None,
            at=self._at,
            places=(place or self._place,),
        )

    def _waits(self) -> Status[str] | None:
        """What waits for the user's answer."""
        if self._question is not None:
            text = "\n".join(q.text for q in self._question.questions)
            return self._waiting("question", text, self._question.place)
        if self._plan is not None:
            return self._waiting("plan", self._plan.text, self._plan.place)
        return None

    def _waiting(self, what: Literal["question", "plan"], detail: str, place: str) -> Status[str]:
        return Status(
            kind="waiting",
            waits_for=what,
            detail=bounded(detail, _DETAIL) or None,
            at=self._at,
            places=(place,),
        )
