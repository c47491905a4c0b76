"""What a thread did, from its calls, their results and the news of both.

A command and a patch may be told three times: as a call, by the news while it runs, as a result.
What the news told first is noted in the call, and not told again.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Final, Literal

from onward.model import Background, Delegated, Event, Looked
from onward.transcripts import reader, tool_calls, truncation
from onward.transcripts.codex import calls
from onward.transcripts.codex.calls import Call, Command, Result
from onward.transcripts.codex.records import Body, Line
from onward.transcripts.edits import HERE
from onward.transcripts.reader import PENDING, Transcript, remember
from onward.transcripts.tool_calls import End, Helped
from onward.transcripts.values import decoded, fields, text

_FILE_URL: Final = "file://"
_JOBS: Final = 100
"""Jobs that are remembered; the client itself ends the oldest of 64."""
_ID: Final = re.compile(r"[\w/-]{1,100}")


class Activity(reader.Reading[Line]):
    """The fold over one rollout, as far as it is about what was done."""

    def __init__(self, files: Transcript[Line], thread: str = "") -> None:
        super().__init__(files, thread)
        self._line = 0
        self._at = ""
        self._calls: dict[str, Call] = {}
        self._jobs: dict[str, Call] = {}
        """Commands and programs that still ran when their call came back.

        The client gives a command ten seconds or so and then a session id, which the agent asks
        after: most test runs end in such a later answer. So a command waits here until the agent
        turns to something else; only then it is told as one in the background, and its end as news
        of it.
        """
        self._helpers: dict[str, Call] = {}
        """Sub-agents at work, with the calls that started them."""
        self._cut_off = ""

    def running(self) -> str:
        """What an interrupt interrupts: the last call that waits, else the one that just ended so."""
        return next((call.act for call in reversed(self._calls.values())), self._cut_off)

    def settle(self) -> Iterator[Event]:
        """The agent turned to something else: what still runs does so in the background."""
        for key, call in self._jobs.items():
            for command in () if call.told else call.commands:
                yield calls.run(
                    command,
                    line=call.line,
                    at=call.at,
                    failed=False,
                    background=key,
                    output=truncation.output(call.output),
                )
            call.told = True

    def abandon(self, state: Literal["open", "interrupted"]) -> Iterator[Event]:
        """Calls that never got a result: the client was ended under them."""
        cut_off, self._calls = self._calls, {}
        for call in cut_off.values():
            if call.kind == "ask":
                yield tool_calls.asked(call, None)
            elif not call.ran:
                for command in call.commands:
                    yield calls.run(command, line=call.line, at=call.at, state=state)

    def left(self) -> Iterator[Event]:
        """At the end of the file: what is still open."""
        yield from self.settle()
        yield from self.abandon("open")
        for key, call in self._helpers.items():
            yield from tool_calls.delegated(self, call, key, "running")

    @abstractmethod
    def release(self) -> Iterator[Event]:
        """What the model was sent before, and no screen was told."""

    def called(self, body: Body) -> Iterator[Event]:
        """A tool call."""
        yield from self.release()
        call = calls.call(self._line, self._at, body, self.cwd)
        if not call.session:
            yield from self.settle()
        remember(self._calls, call.key, call, PENDING)

    def came(self, body: Body) -> Iterator[Event]:
        """The result of a call."""
        if call := self._calls.pop(body.call_id or "", None):
            yield from self._result(call, calls.result(body))

    def patched(self, told: Body) -> Iterator[Event]:
        """A patch that was applied."""
        for call in self._whose(told.call_id or told.id or ""):
            call.edited = True
        for path, one in (told.changes or {}).items():
            yield calls.told(path, fields(one)).event()

    def command_ended(self, told: Body) -> Iterator[Event]:
        """A command that ended: its result follows, or it came back before its end, or a program
        ran it.
        """
        key, code, output = (
            told.call_id or told.id or "",
            told.exit_code,
            told.aggregated_output or "",
        )
        if call := self._calls.get(key):
            call.declined = told.status == "declined"
            call.code, call.output = code, output
            return
        if bytes(told.source) == b'"user_shell"' or told.status == "declined":
            return
        kind: calls.Kind = "interrupted" if code == -1 else "failed" if code else "done"
        found = self._whose(key)
        if not found:
            job = next((job for job, call in self._jobs.items() if call.key == key), None)
            if job is not None:
                self._jobs[job].output = output or self._jobs[job].output
                yield from self._job_ended(job, Result(kind, output, code))
            return
        for call in found:
            call.ran = True
        folder = (told.cwd or self.cwd).removeprefix(_FILE_URL)
        yield calls.run(
            Command(calls.script(told.command), folder),
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
            yield from self._job_news(call, result)
            return
        self._cut_off = call.act if result.kind == "interrupted" else ""
        if call.declined or result.kind == "refused":
            yield calls.refusal(call)
        elif result.kind == "running":
            if not call.edited:
                yield from (one.event() for one in call.changes)
            call.output = truncation.output(result.text)
            remember(self._jobs, result.session, call, _JOBS)
        elif call.changes or call.commands:
            yield from self._done(call, result)
        elif call.kind == "todo":
            steps = tool_calls.entries(call.given, "plan")
            if steps and result.kind != "misuse":
                yield from self.listed(changed=self.tasks.replace(steps))
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
            key = text(fields(decoded(result.text, {})), "agent_id", "agent_path")
            if _ID.fullmatch(key):
                self._helpers[key] = call
            else:  # one whose id is not told can report nothing
                yield Delegated(line=HERE, task=text(call.given, "message"), state="running")
        elif call.kind == "report":
            yield from self.helper_news(result.text)
        elif call.kind in {"quiet", "shell"} or result.kind == "misuse":
            return
        elif not (call.ran or call.edited):
            end = End(text=result.text, failed=result.kind == "failed")
            yield tool_calls.used(call, end)

    def _job_news(self, call: Call, result: Result) -> Iterator[Event]:
        """An answer to the question after something that still runs."""
        job = self._jobs.get(call.session)
        if job is None:
            return
        # Shortened as any output is, since a cut anywhere could leave half a secret.
        job.output = truncation.output(f"{job.output}{result.text}")
        if result.kind not in {"running", "misuse"}:
            yield from self._job_ended(call.session, result, stops=call.stops)

    def _job_ended(self, key: str, result: Result, *, stops: bool = False) -> Iterator[Event]:
        job = self._jobs.pop(key)
        if not job.told:
            yield from calls.ran(job, Result(result.kind, job.output, result.code))
            return
        state: Literal["done", "failed", "killed"] = "failed" if result.kind == "failed" else "done"
        if stops or result.kind == "interrupted":
            state = "killed"
        yield Background(line=HERE, id=key, state=state, output=truncation.output(job.output))

    def helper_news(self, told: str) -> Iterator[Event]:
        """A notice of sub-agents, or the answer to a call that waited for some of them."""
        report = fields(decoded(told, {}))
        status = fields(report, "status")
        single = text(report, "agent_id", "agent_path")
        for key, state in {single: status}.items() if single else status.items():
            yield from self._helper_ended(key, fields(state))

    def _helper_ended(self, key: str, told: dict[str, Any]) -> Iterator[Event]:
        """One reported: what it completed, or what went wrong; else it is at work."""
        done, wrong = told.get("completed"), text(told, "errored")
        if key not in self._helpers or not (isinstance(done, str) or wrong):
            return
        report = text(told, "completed") or wrong
        state: Helped = "done" if isinstance(done, str) else "failed"
        yield from tool_calls.delegated(self, self._helpers.pop(key), key, state, report)
