"""What a thread did, from its calls, their results and the news of both.

A command and a patch may be told three times: as a call, by the news while it runs, as a result.
What the news told first is noted in the call, and not told again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from onward.model import Event, Looked, Ran, TodoList, Used
from onward.transcripts import todo, truncation
from onward.transcripts.codex import calls, patch, results, tools
from onward.transcripts.codex.calls import Call
from onward.transcripts.codex.helpers import Events, Helpers
from onward.transcripts.codex.jobs import Jobs
from onward.transcripts.codex.records import Body, Item
from onward.transcripts.codex.results import Result

_PENDING: Final = 1_000
"""Calls that wait at most; the client runs about ten at once."""
_FILE_URL: Final = "file://"


class Acts:
    """Those of one thread; `thread` is "" for the one that was asked for."""

    def __init__(self, thread: str, events: Events) -> None:
        self._thread = thread
        self._calls: dict[str, Call] = {}
        self._jobs = Jobs(thread)
        self._helpers = Helpers(thread, events)
        self._tasks = todo.TodoBook()
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
                yield tools.asked(call, None, call.line, call.at, self._thread)
            elif not call.ran:
                yield from tools.unfinished(call, state, call.line, call.at, self._thread)

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

    def came(self, line: int, at: str, body: Body) -> Iterator[Event]:
        """The result of a call."""
        call = self._calls.pop(body.call_id or "", None)
        if call:
            yield from self._result(call, results.result(body.output), line, at)

    def searched(self, line: int, at: str, body: Body) -> Iterator[Event]:
        """A search of the web, which the model itself does."""
        detail = truncation.one_line(calls.query(body))
        yield Used(line=line, at=at, thread=self._thread, tool="web_search", detail=detail)

    def notice(self, text: str, line: int, at: str) -> Iterator[Event]:
        """News of a sub-agent."""
        yield from self._helpers.news(text, line, at)

    def declined(self, key: str) -> None:
        """The user said no to a call."""
        if call := self._calls.get(key):
            call.declined = True

    def patched(self, line: int, at: str, key: str, told: Body | Item) -> Iterator[Event]:
        """A patch that was applied."""
        for call in self._whose(key):
            call.edited = True
        yield from tools.edited(patch.told(told.changes or {}), line, at, self._thread)

    def ended(self, line: int, at: str, key: str, told: Body | Item, cwd: str) -> Iterator[Event]:
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
        kind: results.Kind = "interrupted" if code == -1 else "failed" if code else "done"
        found = self._whose(key)
        if not found:
            yield from self._jobs.ended(key, Result(kind, text, code), line, at)
            return
        for call in found:
            call.ran = True
        yield Ran(
            line=line,
            at=at,
            thread=self._thread,
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

    def _result(self, call: Call, result: Result, line: int, at: str) -> Iterator[Event]:
        if call.session:
            stops = call.stops or result.kind == "interrupted"
            yield from self._jobs.news(call.session, result, line, at, stops)
            return
        self._cut_off = call.act if result.kind == "interrupted" else ""
        if call.declined or result.kind == "refused":
            yield tools.refusal(call, line, at, self._thread)
        elif result.kind == "running":
            if not call.edited:
                yield from tools.edited(call.changes, line, at, self._thread)
            self._jobs.start(call, result)
        elif call.changes or call.commands:
            yield from self._done(call, result, line, at)
        elif call.plan:
            steps = [todo.item(step.step, step.status) for step in call.plan]
            if result.kind != "misuse" and self._tasks.replace(steps):
                items = self._tasks.items
                yield TodoList(line=line, at=at, thread=self._thread, items=items)
        elif call.questions:
            yield tools.asked(call, result, line, at, self._thread)
        else:
            yield from self._other(call, result, line, at)

    def _done(self, call: Call, result: Result, line: int, at: str) -> Iterator[Event]:
        """Commands and patches that ended, well or not."""
        if call.code is not None or call.output:
            kind = result.kind if result.kind in {"interrupted", "timeout"} else "done"
            result = Result(
                "failed" if kind == "done" and call.code else kind, call.output, call.code
            )
        if not call.edited and result.kind == "done":
            yield from tools.edited(call.changes, line, at, self._thread)
        if not call.ran and result.kind != "misuse":
            yield from tools.ran(call, result, line, at, self._thread)

    def _other(self, call: Call, result: Result, line: int, at: str) -> Iterator[Event]:
        if call.path:
            if result.kind == "done":
                yield Looked(line=line, at=at, thread=self._thread, path=call.path)
        elif call.name == calls.SPAWN:
            yield from self._helpers.start(call, result.text, line, at)
        elif call.name in calls.REPORTS:
            yield from self._helpers.news(result.text, line, at)
        elif call.name in calls.QUIET or call.name in calls.SHELLS or result.kind == "misuse":
            return
        elif not (call.ran or call.edited):
            yield tools.used(call, result, line, at, self._thread)


def _source(told: Body | Item) -> str:
    if isinstance(told, Item):
        return told.source or ""
    return bytes(told.source).decode(errors="replace").strip('"')
