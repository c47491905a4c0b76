"""What a thread did, from its calls, their results and the news of both.

A command and a patch may be told three times: as a call, by the news while it runs, as a result.
What the news told first is noted in the call, and not told again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

import msgspec

from onward.decode import UNREADABLE
from onward.model import Background, Delegated, Event, Looked, Ran, TodoList, Used
from onward.transcripts import opened, truncation
from onward.transcripts.codex import calls, patch, tools
from onward.transcripts.codex.calls import Call, Result
from onward.transcripts.codex.records import Body, Item, Report, State
from onward.transcripts.opened import HERE

_PENDING: Final = 1_000
"""Calls that wait at most; the client runs about ten at once."""
_FILE_URL: Final = "file://"
_MOST: Final = 100
"""Jobs that are remembered; the client itself ends the oldest of 64."""
_ID: Final = re.compile(r"[\w/-]{1,100}")

_End = Literal["done", "failed", "killed"]
_Report = Literal["done", "failed"]
Events = Callable[[str], Iterator[Event]]
"""What one sub-agent did, by its id; nothing where its rollout is not there."""


class Acts:
    """Those of one thread."""

    def __init__(self, events: Events) -> None:
        self._calls: dict[str, Call] = {}
        self._jobs = Jobs()
        self._helpers = Helpers(events)
        self._tasks = opened.TodoBook()
        self._cut_off = ""

    @property
    def running(self) -> str:
        """What an interrupt interrupts: the last call that waits, else the one that just ended so."""
        return next((call.act for call in reversed(self._calls.values())), self._cut_off)

    def settle(self) -> Iterator[Event]:
        """The agent turned to something else: what still runs does so in the background."""
        yield from self._jobs.tell()

    def abandon(self, state: tools.State) -> Iterator[Event]:
        """Calls that never got a result: the client was ended under them."""
        cut_off, self._calls = self._calls, {}
        for call in cut_off.values():
            if call.questions:
                yield tools.asked(call, None)
            elif not call.ran:
                yield from tools.unfinished(call, state)

    def finish(self) -> Iterator[Event]:
        """At the end of the file: what is still open."""
        yield from self.settle()
        yield from self.abandon("open")
        yield from self._helpers.finish()

    def called(self, line: int, at: str, body: Body, cwd: str) -> Iterator[Event]:
        """A tool call; `cwd` is the thread's folder."""
        call = calls.call(line, at, body, cwd)
        if not call.session:
            yield from self.settle()
        self._calls[call.key] = call
        if len(self._calls) > _PENDING:
            del self._calls[next(iter(self._calls))]

    def came(self, body: Body) -> Iterator[Event]:
        """The result of a call."""
        call = self._calls.pop(body.call_id or "", None)
        if call:
            yield from self._result(call, calls.result(body.output))

    def searched(self, body: Body) -> Iterator[Event]:
        """A search of the web, which the model itself does."""
        detail = truncation.one_line(calls.query(body))
        yield Used(line=HERE, tool="web_search", detail=detail)

    def notice(self, text: str) -> Iterator[Event]:
        """News of a sub-agent."""
        yield from self._helpers.news(text)

    def declined(self, key: str) -> None:
        """The user said no to a call."""
        if call := self._calls.get(key):
            call.declined = True

    def patched(self, key: str, told: Body | Item) -> Iterator[Event]:
        """A patch that was applied."""
        for call in self._whose(key):
            call.edited = True
        yield from tools.edited(patch.told(told.changes or {}))

    def ended(self, key: str, told: Body | Item, cwd: str) -> Iterator[Event]:
        """A command that ended: its result follows, or it came back before its end, or a program
        ran it.
        """
        code, text = told.exit_code, told.aggregated_output or ""
        if call := self._calls.get(key):
            call.declined = told.status == "declined"
            call.code, call.output = code, text
            return
        if _source(told) == "user_shell" or told.status == "declined":
            return
        kind: calls.Kind = "interrupted" if code == -1 else "failed" if code else "done"
        found = self._whose(key)
        if not found:
            yield from self._jobs.ended(key, Result(kind, text, code))
            return
        for call in found:
            call.ran = True
        yield Ran(
            line=HERE,
            command=calls.script(told.command),
            cwd=(told.cwd or cwd).removeprefix(_FILE_URL),
            failed=bool(code),
            exit_code=code,
            output=truncation.output(text),
            state="interrupted" if kind == "interrupted" else "done",
            call_line=found[-1].line,
        )

    def _whose(self, key: str) -> list[Call]:
        """The call that news are of: by its id, else the programs that run."""
        if call := self._calls.get(key):
            return [call]
        return [call for call in self._calls.values() if call.name == calls.PROGRAM]

    def _result(self, call: Call, result: Result) -> Iterator[Event]:
        if call.session:
            stops = call.stops or result.kind == "interrupted"
            yield from self._jobs.news(call.session, result, stops)
            return
        self._cut_off = call.act if result.kind == "interrupted" else ""
        if call.declined or result.kind == "refused":
            yield tools.refusal(call)
        elif result.kind == "running":
            if not call.edited:
                yield from tools.edited(call.changes)
            self._jobs.start(call, result)
        elif call.changes or call.commands:
            yield from self._done(call, result)
        elif call.plan:
            steps = [opened.item(step.step, step.status) for step in call.plan]
            if result.kind != "misuse" and self._tasks.replace(steps):
                yield TodoList(line=HERE, items=self._tasks.items)
        elif call.questions:
            yield tools.asked(call, result)
        else:
            yield from self._other(call, result)

    def _done(self, call: Call, result: Result) -> Iterator[Event]:
        """Commands and patches that ended, well or not."""
        if call.code is not None or call.output:
            kind = result.kind if result.kind in {"interrupted", "timeout"} else "done"
            result = Result(
                "failed" if kind == "done" and call.code else kind, call.output, call.code
            )
        if not call.edited and result.kind == "done":
            yield from tools.edited(call.changes)
        if not call.ran and result.kind != "misuse":
            yield from tools.ran(call, result)

    def _other(self, call: Call, result: Result) -> Iterator[Event]:
        if call.path:
            if result.kind == "done":
                yield Looked(line=HERE, path=call.path)
        elif call.name == calls.SPAWN:
            yield from self._helpers.start(call, result.text)
        elif call.name in calls.REPORTS:
            yield from self._helpers.news(result.text)
        elif call.name in calls.QUIET or call.name in calls.SHELLS or result.kind == "misuse":
            return
        elif not (call.ran or call.edited):
            yield tools.used(call, result)


def _source(told: Body | Item) -> str:
    if isinstance(told, Item):
        return told.source or ""
    return bytes(told.source).decode(errors="replace").strip('"')


class Jobs:
    """Commands and programs that still ran when their call came back.

    The client gives a command ten seconds or so and then a session id, which the agent asks after:
    most test runs end in such a later answer. So a command waits here until the agent turns to
    something else; only then it is told as one in the background, and its end as news of it.
    """

    def __init__(self) -> None:
        self._calls: dict[str, Call] = {}
        self._told: set[str] = set()

    def start(self, call: Call, result: Result) -> None:
        """A call came back, and what it began goes on."""
        call.output = truncation.output(result.text)
        self._calls[result.session] = call
        self._told.discard(result.session)
        if len(self._calls) > _MOST:
            gone = next(iter(self._calls))
            del self._calls[gone]
            self._told.discard(gone)

    def news(self, key: str, result: Result, stops: bool) -> Iterator[Event]:
        """An answer to the question after one of them."""
        call = self._calls.get(key)
        if call is None:
            return
        # Shortened as any output is, since a cut anywhere could leave half a secret.
        call.output = truncation.output(f"{call.output}{result.text}")
        if result.kind in {"running", "misuse"}:
            return
        yield from self._ended(key, result, stops)

    def ended(self, key: str, result: Result) -> Iterator[Event]:
        """The client tells the end of what a call began."""
        job = next((job for job, call in self._calls.items() if call.key == key), None)
        if job is not None:
            self._calls[job].output = result.text or self._calls[job].output
            yield from self._ended(job, result, stops=result.kind == "interrupted")

    def tell(self) -> Iterator[Event]:
        """The agent turned to something else: what still runs does so in the background."""
        for key, call in self._calls.items():
            if key in self._told:
                continue
            self._told.add(key)
            for command in call.commands:
                yield tools.run(
                    call,
                    command,
                    line=call.line,
                    at=call.at,
                    failed=False,
                    background=key,
                    output=truncation.output(call.output),
                )

    def _ended(self, key: str, result: Result, stops: bool) -> Iterator[Event]:
        call = self._calls.pop(key)
        end = Result(result.kind, call.output, result.code)
        if key not in self._told:
            yield from tools.ran(call, end)
            return
        self._told.discard(key)
        state: _End = "killed" if stops else "failed" if end.kind == "failed" else "done"
        yield Background(
            line=HERE,
            id=key,
            state=state,
            output=truncation.output(end.text),
        )


class Helpers:
    """Sub-agents of a thread, from the calls that started them to their reports."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self._at_work: dict[str, Call] = {}

    def start(self, call: Call, text: str) -> Iterator[Event]:
        """A sub-agent was started; one whose id is not told can report nothing."""
        report = _report(text)
        key = report.agent_id or report.agent_path or ""
        if _ID.fullmatch(key):
            self._at_work[key] = call
        else:
            yield Delegated(line=HERE, task=call.message, state="running")

    def news(self, text: str) -> Iterator[Event]:
        """A notice, or the answer to a call that waited for some of them."""
        report = _report(text)
        single = report.agent_id or report.agent_path
        if single:
            yield from self._ended(single, bytes(report.status))
            return
        try:
            each = msgspec.json.decode(report.status, type=dict[str, msgspec.Raw])
        except UNREADABLE:
            return
        for key, state in each.items():
            yield from self._ended(key, bytes(state))

    def finish(self) -> Iterator[Event]:
        """At the end of the file: those that never reported."""
        for key, call in self._at_work.items():
            yield from self._events(key)
            yield Delegated(
                line=call.line, at=call.at, task=call.message, agent=key, state="running"
            )
        self._at_work.clear()

    def _ended(self, key: str, raw: bytes) -> Iterator[Event]:
        told = _state(raw)
        report = told.completed or told.errored
        if key not in self._at_work or report is None:
            return
        task = self._at_work.pop(key).message
        yield from self._events(key)
        state: _Report = "failed" if told.completed is None else "done"
        yield Delegated(line=HERE, task=task, report=report, agent=key, state=state)


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
