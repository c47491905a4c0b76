"""opencode's sessions, all generations that keep them in its database, of which each has a copy
(`copies`): whose it is, its events, what a line says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

from msgspec import Raw, Struct
from msgspec.structs import replace

from onward.agents.opencode.copies import LATEST, MARK
from onward.model import (
    Compacted,
    Edited,
    Event,
    Halt,
    Interrupt,
    Prompt,
    Reply,
    Titled,
    TurnEnded,
)
from onward.search.record import Record
from onward.transcripts import reader, tool_calls
from onward.transcripts.reader import remember
from onward.transcripts.tool_calls import HERE, Call, End, Helped
from onward.transcripts.values import (
    ID,
    decoded,
    fields,
    is_ours,
    kinds,
    listed,
    text,
    whole,
    within,
)

_KINDS: Final = kinds(
    {
        "shell": "bash shell",
        "edit": "edit",
        "write": "write",
        "patch": "patch apply_patch",
        "read": "read",
        "search": "grep glob list",
        "todo": "todowrite",
        "quiet": "todoread",
        "ask": "question",
    }
)
_TASK: Final = "task"
_BECAME: Final[dict[str, tool_calls.Kind]] = {
    "add": "created",
    "delete": "deleted",
    "move": "renamed",
}
_BEGINNING: Final = b'{"opencode":"session"'
_UNNAMED: Final = re.compile(r"(?:New|Child) session - \d{4}-")
_END: Final = 1 << 62
_OPEN: Final = 20
"""Messages that may still get parts: the one of the agent, and what was typed meanwhile."""
_TAIL: Final = 600  # characters of an output's end, where the client says that it ended a command
_NO: Final = "The user rejected permission to use this specific tool call"
_NO_BUT: Final = "with the following feedback: "
_RULE: Final = "The user has specified a rule which prevents you"
_UNANSWERED: Final = "The user dismissed this question"
_ABORTED: Final = "Tool execution aborted"


class Row(Struct, frozen=True, kw_only=True):
    """One line of a copy: a row of the table `opencode` names, as the client wrote it. `whose` is
    the message of a part, `role` who says it; of an entry the type.
    """

    opencode: str = ""
    id: str = ""
    whose: str = ""
    role: str = ""
    created: int = 0
    data: Raw = Raw(b"null")

    @property
    def timestamp(self) -> str:
        """When it was made, as events have it."""
        if not 0 < self.created <= LATEST:
            return ""
        at = datetime.fromtimestamp(self.created / 1000, UTC)
        return f"{at:%Y-%m-%dT%H:%M:%S}.{self.created % 1000:03d}Z"


def content(row: Row) -> dict[str, Any]:
    """What the client wrote in a row; {} for what is no object."""
    return fields(decoded(row.data, {}))


def title(data: dict[str, Any]) -> str:
    """The session's name, unless nobody gave it one."""
    given = text(data, "title")
    return "" if _UNNAMED.match(given) else given


def prompt(row: Row, data: dict[str, Any]) -> str:
    """What the user said in a row; "" for what the client or one of its plugins put there."""
    is_text = row.opencode == "entry" or text(data, "type") == "text"
    if row.role != "user" or not is_text or data.get("synthetic") or data.get("ignored"):
        return ""
    words = text(data, "text")
    return "" if is_ours(words) else words.strip()


class Reading(reader.Reading[Row]):
    """The fold over one copy."""

    def __init__(self, files: reader.Transcript[Row], thread: str = "") -> None:
        super().__init__(files, thread)
        self._messages: dict[str, dict[str, Any]] = {}
        self._fault: list[Event] = []
        self._automatic = False

    def _read(self, record: Row) -> Iterator[Event]:
        row, data = record, content(record)
        if not data:
            self.files.problems["not-object"] += 1
        if row.opencode == "session":
            self.session = row.id
            # A sub-agent's.
            self.info.hidden = self.info.helper = bool(text(data, "parent_id"))
            yield from self.moved(text(data, "directory"), "", text(data, "version"))
            if name := title(data):
                yield Titled(line=HERE, text=name)
        elif row.opencode == "message":
            yield from self._faults()
            remember(self._messages, row.id, data, _OPEN)
            self._fault = [*_fault(data)]
        elif row.opencode == "part":
            yield from self._part(row, data, self._messages.get(row.whose, {}))
        elif row.opencode == "entry":
            yield from self._entry(row, data)

    def _left(self) -> Iterator[Event]:
        return self._faults()

    def _faults(self) -> Iterator[Event]:
        """What ended the message before; it stands in front of its parts."""
        yield from self._fault
        self._fault = []

    def _part(self, row: Row, data: dict[str, Any], message: dict[str, Any]) -> Iterator[Event]:
        kind, summary = text(data, "type"), message.get("summary") is True
        words = text(data, "text").strip()
        if kind == "compaction":
            self._automatic = data.get("auto") is True
        elif kind == "text" and summary:
            yield Compacted(line=HERE, summary=words, automatic=self._automatic)
        elif kind == "text" and row.role == "assistant" and words:
            yield Reply(line=HERE, text=words, more=text(message, "finish") == "tool-calls")
        elif row.role == "user":
            is_image = kind == "file" and text(data, "mime").startswith("image/")
            yield from self._says(prompt(row, data), images=int(is_image))
        elif kind == "tool":
            yield from self._tool(data, text(fields(message, "path"), "cwd"))
        elif kind == "step-finish" and not summary and (reason := text(data, "reason")):
            # A step of the agent's is over; it goes on after calls of tools.
            if reason == "length":
                yield Halt(line=HERE, reason="the answer was cut at its longest")
            elif reason != "tool-calls":
                yield TurnEnded(line=HERE)

    def _says(self, words: str, images: int = 0) -> Iterator[Event]:
        if (words or images) and not self.thread:  # a sub-agent's are the agent's own words
            yield Prompt(line=HERE, text=words, images=images)

    def _tool(self, data: dict[str, Any], cwd: str) -> Iterator[Event]:
        call, state = _call(data, cwd or self.cwd), fields(data, "state")
        status = text(state, "status")
        if call.name == _TASK:
            yield from self._delegated(call, state, status)
            return
        call = tool_calls.called(call)
        if status in {"completed", "error"}:
            yield from tool_calls.events(call, ended(state, status), self.tasks)
        else:
            yield from tool_calls.unfinished(call)

    def _delegated(self, call: Call, told: dict[str, Any], status: str) -> Iterator[Event]:
        helper = text(fields(told, "metadata"), "sessionId")
        state: Helped = "failed" if status == "error" else "running"
        state = "done" if status == "completed" else state
        report = within(output(told), "task_result") or output(told)
        agent = helper if ID.fullmatch(helper) else ""
        yield from self.helped(agent, call, state, report)

    def _entry(self, row: Row, data: dict[str, Any]) -> Iterator[Event]:
        """A row of the second generation: a whole message."""
        if row.role == "user":
            yield from self._says(prompt(row, data))
        elif row.role == "assistant":
            parts = listed(data, "content")
            more = any(text(part, "type") == "tool" for part in parts)
            for part in parts:
                message = {"finish": "tool-calls" if more else ""}
                yield from self._part(row, part, message)
            yield from _fault(data)
        elif row.role == "shell":
            call = Call(name="shell", kind="shell", given=data, cwd=self.cwd)
            end = End(text=text(data, "output"), code=whole(data.get("exit")))
            yield from tool_calls.events(call, end, self.tasks)
        elif row.role == "compaction":
            automatic = text(data, "reason") == "auto"
            yield Compacted(line=HERE, summary=text(data, "summary"), automatic=automatic)
        elif row.role == "idle":
            stopped = text(data, "outcome") in {"interrupted", "aborted"}
            yield Interrupt(line=HERE) if stopped else TurnEnded(line=HERE)


def output(state: dict[str, Any]) -> str:
    """What a call gave, in either generation."""
    parts = "\n".join(text(part, "text") for part in listed(state, "content"))
    error = text(fields(state, "error"), "message") or text(state, "error")
    return text(state, "output") or parts or error


def ended(state: dict[str, Any], status: str) -> End:
    """How a call ended."""
    shown_text, told = output(state), fields(state, "metadata")
    answers = told.get("answers")
    end = End(
        text=shown_text,
        failed=status == "error",
        code=whole(told.get("exit")),
        diff=tool_calls.unified(text(told, "diff")),
        created=told.get("exists") is False,
        changes=tuple(_changes(told)),
        answers=tuple(answers if isinstance(answers, list) else ()),
    )
    if status == "error" and shown_text.startswith((_NO, _UNANSWERED)):
        end.state, end.words = "refused", shown_text.partition(_NO_BUT)[2]
    elif status == "error" and shown_text.startswith(_RULE):
        end.state = "denied"
    elif shown_text.startswith(_ABORTED) or "User aborted the command" in shown_text[-_TAIL:]:
        end.state = "interrupted"
    elif "terminated command after exceeding timeout" in shown_text[-_TAIL:]:
        end.state = "timeout"
    return end


def _changes(told: dict[str, Any]) -> Iterator[Edited]:
    for one in listed(told, "files"):
        kind = _BECAME.get(text(one, "type"), "edited")
        diff = tool_calls.unified(text(one, "diff", "patch"))
        yield replace(diff, path=text(one, "filePath"), change=kind, to=text(one, "movePath"))


def _fault(data: dict[str, Any]) -> Iterator[Event]:
    """What ended a message of the agent before its end."""
    error = fields(data, "error")
    name = text(error, "name", "type")
    if name == "MessageAbortedError":
        yield Interrupt(line=HERE)
    elif name:
        yield Halt(line=HERE, reason=text(fields(error, "data"), "message") or name)


def _stopped(data: dict[str, Any]) -> str:
    """The error that ended a message; "" where it was the user, or none did."""
    return next((each.reason for each in _fault(data) if isinstance(each, Halt)), "")


def _call(data: dict[str, Any], cwd: str = "") -> Call:
    """A tool call, whole."""
    name, given = text(data, "tool", "name"), fields(data, "state", "input")
    return Call(name=name, kind=_KINDS.get(name, "other"), given=given, cwd=cwd)


class _Reader(reader.Reader[Row]):
    """As `reader.Reader`."""

    KIND = Row
    MARK = MARK
    READING = Reading
    DEEDS = (b'"type":"tool"',)
    BODY = "data"

    def knows(self, stream: BinaryIO) -> bool:
        return stream.read(len(_BEGINNING)) == _BEGINNING

    def taken_back(self, files: reader.Transcript[Row]) -> list[tuple[int, int]]:
        """From which line on the user went back, as the session's own row tells."""
        rows = self.sought(files.path)
        _, first = next(rows, (0, Row()))
        back = text(fields(decoded(text(content(first), "revert"), {})), "messageID")
        return next(([(line, _END)] for line, row in rows if back and row.id == back), [])

    def find(self, path: Path, thread: str) -> Path | None:
        own = path.with_name(f"{thread}.jsonl")
        return own if ID.fullmatch(thread) and own.is_file() else None

    def said(self, record: Row) -> Iterator[Record]:
        data = content(record)
        if record.opencode == "part":
            yield from _said(data, record.role)
        elif reason := _stopped(data):
            yield Record(by="result", text=reason, failed=True)
        if record.opencode == "entry":
            words = text(data, "text", "summary", "command", "output")
            if words:
                shown = partial(tool_calls.show, "shell", data) if record.role == "shell" else None
                by_user = record.role == "user"
                yield Record(by="user" if by_user else "agent", text=words, shown=shown)
            for part in listed(data, "content"):
                yield from _said(part, record.role)

    def other_text(self, record: Row) -> str:
        return text(content(record), "text", "summary")


READER: Final = _Reader()


def _said(data: dict[str, Any], role: str) -> Iterator[Record]:
    kind = text(data, "type")
    if kind in {"text", "reasoning"} and not data.get("synthetic"):
        yield Record(by="user" if role == "user" else "agent", text=text(data, "text"))
    elif kind == "tool":
        key = text(data, "callID", "id")
        made, state = tool_calls.record(_call(data), key), fields(data, "state")
        status = text(state, "status")
        end = ended(state, status)
        came = partial(tool_calls.show_result, end.text or status, well=not end.went_wrong)
        if end.text or end.went_wrong:
            yield made
            yield replace(tool_calls.result(end, end.text, key), shown=came)
        else:  # which says nothing of its own, but how far it came
            yield replace(made, shown=partial(_together, made.shown, came))


def _together(*shown: Callable[[], str] | None) -> str:
    return "\n".join(each() for each in shown if each)
