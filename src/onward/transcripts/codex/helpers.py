"""Sub-agents of a thread, from the calls that started them to their reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

import msgspec

from onward.decode import UNREADABLE
from onward.model import Delegated, Event
from onward.transcripts.codex.calls import Call
from onward.transcripts.codex.records import Report, State

_State = Literal["done", "running", "failed"]

_ID: Final = re.compile(r"[\w/-]{1,100}")

Events = Callable[[str], Iterator[Event]]
"""What one sub-agent did, by its id; nothing where its rollout is not there."""


class Helpers:
    """Those of one thread."""

    def __init__(self, thread: str, events: Events) -> None:
        self._thread = thread
        self._events = events
        self._at_work: dict[str, Call] = {}

    def start(self, call: Call, text: str, line: int, at: str) -> Iterator[Event]:
        """A sub-agent was started; one whose id is not told can report nothing."""
        report = _report(text)
        key = report.agent_id or report.agent_path or ""
        if _ID.fullmatch(key):
            self._at_work[key] = call
        else:
            yield self._told(call, line, at, "")

    def news(self, text: str, line: int, at: str) -> Iterator[Event]:
        """A notice, or the answer to a call that waited for some of them."""
        report = _report(text)
        single = report.agent_id or report.agent_path
        if single:
            yield from self._ended(single, bytes(report.status), line, at)
            return
        try:
            each = msgspec.json.decode(report.status, type=dict[str, msgspec.Raw])
        except UNREADABLE:
            return
        for key, state in each.items():
            yield from self._ended(key, bytes(state), line, at)

    def finish(self) -> Iterator[Event]:
        """At the end of the file: those that never reported."""
        for key, call in self._at_work.items():
            yield from self._events(key)
            yield self._told(call, call.line, call.at, key)
        self._at_work.clear()

    def _ended(self, key: str, raw: bytes, line: int, at: str) -> Iterator[Event]:
        state = _state(raw)
        report = state.completed or state.errored
        if key not in self._at_work or report is None:
            return
        call = self._at_work.pop(key)
        yield from self._events(key)
        done = state.completed is not None
        yield self._told(call, line, at, key, report=report, state="done" if done else "failed")

    def _told(
        self,
        call: Call,
        line: int,
        at: str,
        key: str,
        *,
        report: str = "",
        state: _State = "running",
    ) -> Delegated:
        return Delegated(
            line=line,
            at=at,
            thread=self._thread,
            task=call.message,
            report=report,
            agent=key,
            state=state,
        )


def _report(text: str) -> Report:
    try:
        return msgspec.json.decode(text, type=Report)
    except UNREADABLE:
        return Report()


def _state(raw: bytes) -> State:
    try:
        return msgspec.json.decode(raw, type=State)
    except UNREADABLE:
        return State()
