"""What a thread did, from its calls, their results and the news of both.

A command and a patch may be told three times: as a call, by the news while it runs, as a result.
What the news told first is noted in the call, and not told again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

from onward.model import Background, Delegated, Event, Looked, Ran
from onward.transcripts import tool_calls, truncation
from onward.transcripts.codex import calls
from onward.transcripts.codex.calls import Call, Result
from onward.transcripts.codex.records import Body
from onward.transcripts.edits import HERE
from onward.transcripts.reader import Reading
from onward.transcripts.tool_calls import End
from onward.transcripts.values import decoded, fields, text

_PENDING: Final = 1_000
"""Calls that wait at most; the client runs about ten at once."""
_FILE_URL: Final = "file://"
_MOST: Final = 100
"""Jobs that are remembered; the client itself ends the oldest of 64."""
_ID: Final = re.compile(r"[\w/-]{1,100}")

_End = Literal["done", "failed", "killed"]
Events = Callable[[str], Iterator[Event]]
"""What one sub-agent did, by its id; nothing where its rollout is not there."""


class Acts:
    """Those of one thread."""

    def __init__(self, reading: Reading[Any], events: Events) -> None:
        self._reading = reading
        self._calls: dict[str, Call] = {}
        self._jobs = Jobs()
        self._helpers = Helpers(events)
        self._cut_off = ""

    @property
    def running(self) -> str:
        """What an interrupt interrupts: the last call that waits, else the one that just ended so."""
        return next((call.act for call in reversed(self._calls.values())), self._cut_off)

    def settle(self) -> Iterator[Event]:
        """The agent turned to something else: what still runs does so in the background."""
        yield from self._jobs.tell()

    def abandon(self, state: Literal["open", "interrupted"]) -> Iterator[Event]:
        """Calls that never got a result: the client was ended under them."""
        cut_off, self._calls = self._calls, {}
        for call in cut_off.values():
            if call.kind == "ask":
                yield tool_calls.asked(call, None)
            elif not call.ran:
                for command in call.commands:
                    yield calls.run(command, line=call.line, at=call.at, state=state)

    def finish(self) -> Iterator[Event]:
        """At the end of the file: what is still open."""
        yield from self.settle()
        yield from self.abandon("open")
        yield from self._helpers.finish()

    def called(self, line: int, at: str, body: Body) -> Iterator[Event]:
        """A tool call."""
        call = calls.call(line, at, body, self._reading.cwd)
        if not call.session:
            yield from self.settle()
        self._calls[call.key] = call
        if len(self._calls) > _PENDING:
            del self._calls[next(iter(self._calls))]

    def came(self, body: Body) -> Iterator[Event]:
        """The result of a call."""
        if call := self._calls.pop(body.call_id or "", None):
            yield from self._result(call, calls.result(body))

    def notice(self, text: str) -> Iterator[Event]:
        """News of a sub-agent."""
        yield from self._helpers.news(text)

    def declined(self, key: str) -> None:
        """The user said no to a call."""
        if call := self._calls.get(key):
            call.declined = True

    def patched(self, key: str, told: Body) -> Iterator[Event]:
        """A patch that was applied."""
        for call in self._whose(key):
            call.edited = True
        for path, one in (told.changes or {}).items():
            yield calls.told(path, fields(one)).event()

    def ended(self, key: str, told: Body) -> Iterator[Event]:
        """A command that ended: its result follows, or it came back before its end, or a program
        ran it.
        """
        code, output = told.exit_code, told.aggregated_output or ""
        if call := self._calls.get(key):
            call.declined = told.status == "declined"
            call.code, call.output = code, output
            return
        if bytes(told.source) == b'"user_shell"' or told.status == "declined":
            return
        kind: calls.Kind = "interrupted" if code == -1 else "failed" if code else "done"
        found = self._whose(key)
        if not found:
            yield from self._jobs.ended(key, Result(kind, output, code))
            return
        for call in found:
            call.ran = True
        yield Ran(
            line=HERE,
            command=calls.script(told.command),
            cwd=(told.cwd or self._reading.cwd).removeprefix(_FILE_URL),
            failed=bool(code),
            exit_code=code,
            output=truncation.output(output),
            state="interrupted" if kind == "interrupted" else "done",
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
            yield calls.refusal(call)
        elif result.kind == "running":
            if not call.edited:
                yield from (one.event() for one in call.changes)
            self._jobs.start(call, result)
        elif call.changes or call.commands:
            yield from self._done(call, result)
        elif call.kind == "todo":
            steps = tool_calls.entries(call.given, "plan")
            if steps and result.kind != "misuse":
                yield from self._reading.listed(changed=self._reading.tasks.replace(steps))
        elif call.kind == "ask":
            yield calls.asked(call, result)
        else:
            yield from self._other(call, result)

    def _done(self, call: Call, result: Result) -> Iterator[Event]:
        """Commands and patches that ended, well or not."""
        if call.code is not None or call.output:
            is_cut = result.kind in {"interrupted", "timeout"}
            kind = result.kind if is_cut else "failed" if call.code else "done"
            result = Result(kind, call.output, call.code)
        if not call.edited and result.kind == "done":
            yield from (one.event() for one in call.changes)
        if not call.ran and result.kind != "misuse":
            yield from calls.ran(call, result)

    def _other(self, call: Call, result: Result) -> Iterator[Event]:
        if call.kind == "read":
            if call.path and result.kind == "done":
                yield Looked(line=HERE, path=call.path)
        elif call.kind == "spawn":
            yield from self._helpers.start(call, result.text)
        elif call.kind == "report":
            yield from self._helpers.news(result.text)
        elif call.kind in {"quiet", "shell"} or result.kind == "misuse":
            return
        elif not (call.ran or call.edited):
            end = End(text=result.text, failed=result.kind in {"failed", "misuse"})
            yield tool_calls.used(call, end)


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
                yield calls.run(
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
            yield from calls.ran(call, end)
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

    def start(self, call: Call, told: str) -> Iterator[Event]:
        """A sub-agent was started; one whose id is not told can report nothing."""
        key = text(fields(decoded(told, {})), "agent_id", "agent_path")
        if _ID.fullmatch(key):
            self._at_work[key] = call
        else:
            yield Delegated(line=HERE, task=text(call.given, "message"), state="running")

    def news(self, told: str) -> Iterator[Event]:
        """A notice, or the answer to a call that waited for some of them."""
        report = fields(decoded(told, {}))
        status = fields(report, "status")
        single = text(report, "agent_id", "agent_path")
        for key, state in {single: status}.items() if single else status.items():
            yield from self._ended(key, fields(state))

    def finish(self) -> Iterator[Event]:
        """At the end of the file: those that never reported."""
        for key, call in self._at_work.items():
            yield from self._events(key)
            task = text(call.given, "message")
            yield Delegated(line=call.line, at=call.at, task=task, agent=key, state="running")
        self._at_work.clear()

    def _ended(self, key: str, told: dict[str, Any]) -> Iterator[Event]:
        """One reported: what it completed, or what went wrong; else it is at work."""
        done, wrong = told.get("completed"), text(told, "errored")
        if key not in self._at_work or not (isinstance(done, str) or wrong):
            return
        task = text(self._at_work.pop(key).given, "message")
        yield from self._events(key)
        report = text(told, "completed") or wrong
        state: Literal["done", "failed"] = "done" if isinstance(done, str) else "failed"
        yield Delegated(line=HERE, task=task, report=report, agent=key, state=state)
