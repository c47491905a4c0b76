"""Copilot CLI's sessions, each a file of events: whose it is, its events, its lines.

Measured with 1.0.102, but for the names of a refused call, of an interrupt and of going back,
which no run without a user writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

from msgspec import Struct

from onward.model import (
    Background,
    Compacted,
    Event,
    Halt,
    Interrupt,
    Prompt,
    Reply,
    TurnEnded,
)
from onward.search.record import Record
from onward.transcripts import reader, tool_calls, truncation
from onward.transcripts.tool_calls import HERE, Call, End, Helped
from onward.transcripts.values import fields, is_ours, kinds, text, whole

_KINDS: Final = kinds(
    {
        "shell": "bash powershell",
        "edit": "edit str_replace",
        "write": "create",
        "patch": "apply_patch",
        "read": "view",
        "search": "grep rg glob",
        "ask": "ask_user",
        "quiet": "read_bash list_bash report_intent task read_agent list_agents",
    }
)
_BEGINNING: Final = b'{"type":"session.start"'
_SHELL: Final = re.compile(r"<(?:command started in background with )?shellId: (\w+)")
_SHELL_ENDED: Final = re.compile(r"\n?<shellId: (\w+) completed with exit code (-?\d{1,9})>\s*\Z")
_TOLD: Final = ("<userRequest>\n", "\n</userRequest>")
_REFUSED: Final = frozenset({"rejected", "denied"})
_CHOSEN: Final = re.compile(r"\AUser (?:selected|responded|chose): ")


class Line(Struct, frozen=True, kw_only=True):
    """One event as the client wrote it."""

    type: str = ""
    data: dict[str, Any] = {}
    id: str = ""
    timestamp: str = ""
    agentId: str = ""  # noqa: N815 - the client's name


def prompt(line: Line) -> str:
    """What the user said in a line; "" for what another agent or the client put there."""
    if line.type != "user.message" or line.agentId or text(line.data, "source"):
        return ""
    words = text(line.data, "content").strip()
    if words.endswith(_TOLD[1]):  # all before it is the same once more, and the client's words
        words = words.removesuffix(_TOLD[1]).rpartition(_TOLD[0])[2]
    return "" if is_ours(words) else words


class Reading(reader.Reading[Line]):
    """The fold over one file."""

    def __init__(self, files: reader.Transcript[Line], thread: str = "") -> None:
        super().__init__(files, thread)
        self._words: dict[str, str] = {}
        """What each sub-agent said last."""
        self._shells: set[str] = set()
        self._goes_on = False

    def _read(self, record: Line) -> Iterator[Event]:
        return chain(self._conversation(record), self._tools(record))

    def _thread_of(self, record: Line) -> str:
        # Of a sub-agent's beginning and end the main thread is told.
        return "" if record.type.startswith("subagent.") else record.agentId

    def _conversation(self, line: Line) -> Iterator[Event]:
        data, is_main = line.data, not line.agentId
        match line.type:
            case "session.start" | "session.resume":
                context = fields(data, "context")
                self.session = self.session or text(data, "sessionId")
                yield from self.moved(
                    text(context, "cwd") or self.cwd,
                    text(context, "branch") or self.branch,
                    text(data, "copilotVersion") or self.version,
                )
            case "user.message" if words := prompt(line):
                late = text(data, "delivery") not in {"", "idle"}
                yield Prompt(line=HERE, text=words, source="queued" if late else "typed")
            case "assistant.message":
                yield from self._replies(line)
            case "assistant.turn_end" if is_main and not self._goes_on:
                yield TurnEnded(line=HERE)
            case "session.compaction_complete" if is_main and data.get("success") is True:
                summary, automatic = text(data, "summaryContent"), data.get("trigger") != "manual"
                yield Compacted(line=HERE, summary=summary, automatic=automatic)
            case "session.error" if is_main:
                yield Halt(line=HERE, reason=text(data, "message", "errorType") or "an error")
            case "abort":
                act = self.under_way()
                yield from self.abandon("interrupted")
                yield from [Interrupt(line=HERE, act=act)] if is_main else ()

    def _replies(self, line: Line) -> Iterator[Event]:
        words = text(line.data, "content").strip()
        asks = bool(line.data.get("toolRequests"))
        if line.agentId in self.helpers:
            self._words[line.agentId] = words
        elif not line.agentId:
            self._goes_on = asks
        if words:
            yield Reply(line=HERE, text=words, more=asks)

    # ----------------------------------------------------- tools, its sub-agents among them

    def _tools(self, line: Line) -> Iterator[Event]:
        data, key = line.data, text(line.data, "toolCallId")
        match line.type:
            case "tool.execution_start":
                self.wait(key, tool_calls.called(_call(data)))
            case "tool.execution_complete" if came := self.calls.pop(key, None):
                yield from self._came(came, data)
            case "system.notification":
                told = fields(data, "kind")
                if text(told, "type") == "shell_completed":
                    yield from self._gone(text(told, "shellId"), whole(told.get("exitCode")), "")
            case "subagent.started" if line.agentId and key in self.calls:
                self.helpers[line.agentId] = self.calls[key]
            case "subagent.completed" | "subagent.failed" if line.agentId in self.helpers:
                state: Helped = "failed" if line.type == "subagent.failed" else "done"
                report = self._words.pop(line.agentId, "") or text(data, "error")
                yield from self.helped(line.agentId, self.helpers[line.agentId], state, report)

    def _came(self, call: Call, data: dict[str, Any]) -> Iterator[Event]:
        end = ended(data)
        if call.kind == "shell" and end.background:
            self._shells.add(end.background)
        if call.name == "read_bash":
            told = text(fields(data, "result"), "content")
            if over := _SHELL_ENDED.search(told):
                yield from self._gone(over[1], int(over[2]), told[: over.start()])
        yield from tool_calls.events(call, end, self.tasks)

    def _gone(self, shell: str, code: int | None, output: str) -> Iterator[Event]:
        if shell in self._shells:
            self._shells.discard(shell)
            told = truncation.output(output)
            yield Background(line=HERE, id=shell, state="failed" if code else "done", output=told)


def ended(data: dict[str, Any]) -> End:
    """How a call ended: `success` says that the tool ran, the exit status how the command ended."""
    result, error = fields(data, "result"), fields(data, "error")
    told = _told(data)
    code = whole(fields(data, "shellExecution").get("exitCode"))
    is_over = _SHELL_ENDED.search(told)
    shell = None if is_over or code is not None else _SHELL.search(told[:200] + told[-200:])
    diff = text(result, "detailedContent")
    return End(
        state="refused" if text(error, "code") in _REFUSED else "done",
        text=told[: is_over.start()] if is_over else told,
        failed=data.get("success") is False,
        code=code,
        diff=tool_calls.unified(diff),
        created="\ncreate file mode" in diff,
        background=shell[1] if shell else "",
        answers=(_CHOSEN.sub("", told),) if not error else (),
    )


def _call(data: dict[str, Any]) -> Call:
    """A tool call, whole."""
    name = text(data, "toolName")
    return Call(name=name, kind=_KINDS.get(name, "other"), given=fields(data, "arguments"))


class _Reader(reader.Reader[Line]):
    """As `reader.Reader`."""

    KIND = Line
    MARK = "type"
    READING = Reading
    DEEDS = (b'"type":"tool.',)
    BODY = "data"

    def knows(self, stream: BinaryIO) -> bool:
        return stream.read(512).replace(b'": ', b'":').startswith(_BEGINNING)

    def taken_back(self, files: reader.Transcript[Line]) -> list[tuple[int, int]]:
        """Lines that the user went back behind: from the event that the client names to its news."""
        gone: list[tuple[int, int]] = []
        places: dict[str, int] = {}
        for number, line in self.sought(files.path):
            if line.type == "user.message":
                places[line.id] = number
            elif line.type == "session.snapshot_rewind":
                first = places.get(text(line.data, "upToEventId"))
                gone += [(first, number)] if first else []
        return gone

    def find(self, path: Path, thread: str) -> Path | None:  # noqa: ARG002 - their lines stand among its own
        return path

    def place(self, record: Line) -> dict[str, str]:
        return {"at": record.timestamp, "thread": record.agentId}

    def said(self, record: Line) -> Iterator[Record]:
        data = record.data
        if words := prompt(record):
            yield Record(by="user", text=words)
        elif record.type == "assistant.message" and (words := text(data, "content")):
            yield Record(by="agent", text=words)
        elif record.type == "session.error":
            yield Record(by="result", text=text(data, "message", "errorType"), failed=True)
        elif record.type == "session.compaction_complete":
            yield Record(by="agent", text=text(data, "summaryContent"))
        elif record.type == "tool.execution_start":
            yield tool_calls.record(_call(data), text(data, "toolCallId"))
        elif record.type == "tool.execution_complete":
            yield tool_calls.result(ended(data), _told(data), text(data, "toolCallId"))

    def other_text(self, record: Line) -> str:
        if name := text(record.data, "toolName"):
            return tool_calls.show(name, fields(record.data, "arguments"))
        is_inner = record.type == "system.message"
        return "" if is_inner else text(record.data, "content", "message")


READER: Final = _Reader()


def _told(data: dict[str, Any]) -> str:
    """What a call gave."""
    return text(fields(data, "result"), "content") or text(fields(data, "error"), "message")
