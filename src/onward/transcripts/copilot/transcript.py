"""A file of events: whose it is, what its ends tell, its events, its lines.

Measured with 1.0.102, but for the names of a refused call, of an interrupt and of going back,
which no run without a user writes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from onward.decode import Records, bounded
from onward.model import (
    Background,
    Compacted,
    Delegated,
    Event,
    Halt,
    Injection,
    Interrupt,
    Moved,
    Prompt,
    Reply,
    TurnEnded,
)
from onward.transcripts import compression, opened, said, tool_events, truncation
from onward.transcripts.hook_call import text
from onward.transcripts.opened import HERE, placed
from onward.transcripts.sessions import Gathered, SessionInfo, ends
from onward.transcripts.shown import Shown, shown
from onward.transcripts.shown import fields as shown_fields
from onward.transcripts.tool_events import Call, End, Kind, fields, whole

MARK: Final = "type"
KINDS: Final[dict[str, Kind]] = {
    "bash": "shell",
    "powershell": "shell",
    "edit": "edit",
    "str_replace": "edit",
    "create": "write",
    "apply_patch": "patch",
    "view": "read",
    "grep": "search",
    "rg": "search",
    "glob": "search",
    "ask_user": "ask",
    **dict.fromkeys(
        ("read_bash", "list_bash", "report_intent", "task", "read_agent", "list_agents"), "quiet"
    ),
}
_START: Final = "session.start"
_BEGINNING: Final = b'{"type":"session.start"'
_PENDING: Final = 1_000
"""Calls that wait at most."""
_SHELL: Final = re.compile(r"<(?:command started in background with )?shellId: (\w+)")
_SHELL_ENDED: Final = re.compile(r"\n?<shellId: (\w+) completed with exit code (-?\d{1,9})>\s*\Z")
_REFUSED: Final = frozenset({"rejected", "denied"})
_CHOSEN: Final = re.compile(r"\AUser (?:selected|responded|chose): ")


class Line(Struct, frozen=True, kw_only=True):
    """One event as the client wrote it."""

    type: str = ""
    data: dict[str, Any] = {}
    id: str = ""
    timestamp: str = ""
    agentId: str = ""  # noqa: N815 - the client's name


def recognises(path: Path) -> bool:
    """Whether the first line of a file is this client's."""
    with compression.opened(path) as stream:
        return is_ours(stream.read(512))


def is_ours(head: bytes) -> bool:
    """Whether a file that begins so is this client's."""
    return head.replace(b'": ', b'":').startswith(_BEGINNING)


def look(path: Path, agent: str) -> SessionInfo | None:
    """What the ends of one file tell; None where nobody spoke."""
    stream, complete = ends(path)
    found = Gathered()
    for _, line in Records(Line, lambda _: None, MARK).read(stream):
        found.moment(line.timestamp)
        if line.type == _START:
            context = fields(line.data, "context")
            found.session = text(line.data, "sessionId") or path.parent.name
            found.branch = text(context, "branch")
            found.folder(text(context, "cwd"))
        elif words := prompt(line):
            found.spoke = True
            found.prompts += 1
            found.said(words)
    return found.info(agent, path, whole=complete)


def prompt(line: Line) -> str:
    """What the user said in a line; "" for what another agent or the client put there."""
    if line.type != "user.message" or line.agentId or text(line.data, "source"):
        return ""
    words = text(line.data, "content").strip()
    return "" if said.is_ours(words) else words


class Opened(opened.Opened):
    """One session opened for reading; iterate once."""

    def events(self) -> Iterator[Event]:
        """As `opened.Opened`."""
        reading = Reading()
        records = Records(Line, self.note, MARK)
        yield from opened.standing(self._fed(reading, records), _taken_back(self.path), int)
        self.close(reading, records.line)

    def _fed(self, reading: Reading, records: Records[Line]) -> Iterator[Event]:
        with compression.opened(self.path) as stream:
            for number, line in records.read(stream):
                # Of a sub-agent's beginning and end the main thread is told.
                thread = "" if line.type.startswith("subagent.") else line.agentId
                told = reading.feed(number, line)
                yield from placed(told, number, line.timestamp, thread)
        yield from reading.finish()


def _taken_back(path: Path) -> list[tuple[int, int]]:
    """Lines that the user went back behind: from the event that the client names to its news."""
    gone: list[tuple[int, int]] = []
    places: dict[str, int] = {}
    with compression.opened(path) as stream:
        for number, line in Records(Line, lambda _: None, MARK).read(stream):
            if line.type == "user.message":
                places[line.id] = number
            elif line.type == "session.snapshot_rewind":
                first = places.get(text(line.data, "upToEventId"))
                gone += [(first, number)] if first else []
    return gone


class Reading:
    """The fold over one file."""

    def __init__(self) -> None:
        self.session = self.cwd = self.branch = self.version = self.started = self.ended = ""
        self._tasks = opened.TodoBook()
        self._calls: dict[str, Call] = {}
        self._helpers: dict[str, tuple[Call, str]] = {}
        """Sub-agents at work: the call of each, and what it said last."""
        self._shells: set[str] = set()
        self._goes_on = False
        self._kinds: dict[str, Callable[[int, Line], Iterator[Event]]] = {
            _START: self._began,
            "session.resume": self._began,
            "user.message": self._says,
            "assistant.message": self._replies,
            "assistant.turn_end": self._turn_ended,
            "tool.execution_start": self._called,
            "tool.execution_complete": self._came,
            "subagent.started": self._helps,
            "subagent.completed": self._helped,
            "subagent.failed": self._helped,
            "session.compaction_complete": self._compacted,
            "session.error": self._halted,
            "system.notification": self._notified,
            "abort": self._aborted,
        }

    def feed(self, number: int, line: Line) -> Iterator[Event]:
        """The events of one line."""
        self.started = self.started or line.timestamp
        self.ended = line.timestamp or self.ended
        read = self._kinds.get(line.type)
        return read(number, line) if read else iter(())

    def finish(self) -> Iterator[Event]:
        """At the end of the file: what is still open."""
        for call in self._calls.values():
            yield from tool_events.unfinished(call)
        for helper, (call, _) in self._helpers.items():
            task = text(call.given, "prompt", "description")
            yield Delegated(line=call.line, at=call.at, task=task, agent=helper, state="running")

    def _began(self, _: int, line: Line) -> Iterator[Event]:
        context = fields(line.data, "context")
        self.session = self.session or text(line.data, "sessionId")
        self.cwd = text(context, "cwd") or self.cwd
        self.branch = text(context, "branch") or self.branch
        self.version = text(line.data, "copilotVersion") or self.version
        yield Moved(line=HERE, cwd=self.cwd, branch=self.branch, version=self.version)

    def _says(self, _: int, line: Line) -> Iterator[Event]:
        words = prompt(line)
        if words:
            late = text(line.data, "delivery") not in {"", "idle"}
            yield Prompt(line=HERE, text=words, source="queued" if late else "typed")

    def _replies(self, _: int, line: Line) -> Iterator[Event]:
        words = text(line.data, "content").strip()
        asks = bool(line.data.get("toolRequests"))
        if line.agentId in self._helpers:
            self._helpers[line.agentId] = (self._helpers[line.agentId][0], words)
        elif not line.agentId:
            self._goes_on = asks
        if words:
            yield Reply(line=HERE, text=words, more=asks)

    def _turn_ended(self, _: int, line: Line) -> Iterator[Event]:
        if not line.agentId and not self._goes_on:
            yield TurnEnded(line=HERE)

    # ---------------------------------------------------------------------- tools

    def _called(self, number: int, line: Line) -> Iterator[Event]:
        name = text(line.data, "toolName")
        self._calls[text(line.data, "toolCallId")] = Call(
            name=name,
            kind=KINDS.get(name, "other"),
            given=fields(line.data, "arguments"),
            line=number,
            at=line.timestamp,
            cwd=self.cwd,
        )
        if len(self._calls) > _PENDING:
            del self._calls[next(iter(self._calls))]
        yield from ()

    def _came(self, _: int, line: Line) -> Iterator[Event]:
        call = self._calls.pop(text(line.data, "toolCallId"), None)
        if call is None:
            return
        end = ended(line.data)
        if call.kind == "shell" and end.background:
            self._shells.add(end.background)
        if call.name == "read_bash":
            yield from self._shell_ended(text(fields(line.data, "result"), "content"))
        yield from tool_events.events(call, end, self._tasks)

    def _notified(self, _: int, line: Line) -> Iterator[Event]:
        told = fields(line.data, "kind")
        if text(told, "type") == "shell_completed":
            yield from self._gone(text(told, "shellId"), whole(told.get("exitCode")), "")

    def _shell_ended(self, told: str) -> Iterator[Event]:
        if end := _SHELL_ENDED.search(told):
            yield from self._gone(end[1], int(end[2]), told[: end.start()])

    def _gone(self, shell: str, code: int | None, output: str) -> Iterator[Event]:
        if shell in self._shells:
            self._shells.discard(shell)
            told = truncation.output(output)
            yield Background(line=HERE, id=shell, state="failed" if code else "done", output=told)

    # ----------------------------------------------------------------- its sub-agents

    def _helps(self, _: int, line: Line) -> Iterator[Event]:
        call = self._calls.get(text(line.data, "toolCallId"))
        if call and line.agentId:
            self._helpers[line.agentId] = (call, "")
        yield from ()

    def _helped(self, _: int, line: Line) -> Iterator[Event]:
        found = self._helpers.pop(line.agentId, None)
        if found is None:
            return
        call, report = found
        yield Delegated(
            line=HERE,
            task=text(call.given, "prompt", "description"),
            report=report or text(line.data, "error"),
            agent=line.agentId,
            state="failed" if line.type == "subagent.failed" else "done",
        )

    # ------------------------------------------------------------------ the session

    def _compacted(self, _: int, line: Line) -> Iterator[Event]:
        if line.data.get("success") is True and not line.agentId:
            automatic = text(line.data, "trigger") != "manual"
            summary = text(line.data, "summaryContent")
            yield Compacted(line=HERE, summary=summary, automatic=automatic)

    def _halted(self, _: int, line: Line) -> Iterator[Event]:
        if not line.agentId:
            yield Halt(line=HERE, reason=text(line.data, "message", "errorType") or "an error")

    def _aborted(self, _: int, line: Line) -> Iterator[Event]:
        waiting, self._calls = self._calls, {}
        act = next((call.act for call in reversed(waiting.values())), "")
        for call in waiting.values():
            yield from tool_events.unfinished(call, "interrupted")
        if not line.agentId:
            yield Interrupt(line=HERE, act=act)


def ended(data: dict[str, Any]) -> End:
    """How a call ended: `success` says that the tool ran, the exit status how the command ended."""
    result, error = fields(data, "result"), fields(data, "error")
    told = text(result, "content") or text(error, "message")
    code = whole(fields(data, "shellExecution").get("exitCode"))
    is_over = _SHELL_ENDED.search(told)
    shell = None if is_over or code is not None else _SHELL.search(told[:200] + told[-200:])
    diff = text(result, "detailedContent")
    return End(
        state="refused" if text(error, "code") in _REFUSED else "done",
        text=told[: is_over.start()] if is_over else told,
        failed=data.get("success") is False,
        code=code,
        patch=diff,
        created="\ncreate file mode" in diff,
        background=shell[1] if shell else "",
        answers=(_CHOSEN.sub("", told),) if not error else (),
    )


def lines(path: Path, line: int, thread: str) -> Iterator[tuple[int, bytes | None]]:  # noqa: ARG001 - as every client is asked
    """The lines of the file with their numbers; a sub-agent's stand among them."""
    with compression.opened(path) as stream:
        yield from bounded(stream)


def injections(path: Path) -> tuple[Injection, ...]:  # noqa: ARG001 - as every client is asked
    """None: what a hook gave stands in the file, but not which hook."""
    return ()


def render(raw: bytes | None) -> Shown:
    """The line: when, what kind, and what was said or done."""
    return shown(raw, _shown)


def _shown(record: dict[str, Any]) -> Shown:
    data = fields(record, "data")
    head = " · ".join(filter(None, (text(record, "type"), text(record, "timestamp"))))
    if name := text(data, "toolName"):
        return Shown(head, f"→ {name}\n{shown_fields(fields(data, 'arguments'))}")
    result = text(fields(data, "result"), "content") or text(fields(data, "error"), "message")
    if result:
        return Shown(head, f"{'✗' if ended(data).failed else '✓'} result\n{result}")
    if words := text(data, "content", "summaryContent", "message"):
        return Shown(head, words, text(record, "type") == "system.message")
    return Shown(head, json.dumps(data, ensure_ascii=False, indent=2), inner=True)
