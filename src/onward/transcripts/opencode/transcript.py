"""A session's copy: whose it is, what its ends tell, its events, its lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from onward.decode import UNREADABLE, Records, bounded
from onward.model import (
    Compacted,
    Delegated,
    Event,
    Halt,
    Injection,
    Interrupt,
    Moved,
    Prompt,
    Reply,
    Titled,
    TurnEnded,
)
from onward.transcripts import compression, opened, said, tool_events
from onward.transcripts.hook_call import text
from onward.transcripts.opencode.copies import LATEST, MARK
from onward.transcripts.opened import HERE, placed
from onward.transcripts.sessions import Gathered, SessionInfo, ends
from onward.transcripts.shown import Shown, shown
from onward.transcripts.shown import fields as shown_fields
from onward.transcripts.tool_events import Call, Change, End, Kind, fields, listed, whole

KINDS: Final[dict[str, Kind]] = {
    "bash": "shell",
    "shell": "shell",
    "edit": "edit",
    "write": "write",
    "patch": "patch",
    "apply_patch": "patch",
    "read": "read",
    "grep": "search",
    "glob": "search",
    "list": "search",
    "todowrite": "todo",
    "todoread": "quiet",
    "question": "ask",
}
_TASK: Final = "task"
_BECAME: Final[dict[str, Change]] = {"add": "created", "delete": "deleted", "move": "renamed"}
_BEGINNING: Final = b'{"opencode":"session"'
_UNNAMED: Final = re.compile(r"(?:New|Child) session - \d{4}-")
_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_END: Final = 1 << 62
_OPEN: Final = 20
"""Messages that may still get parts: the one of the agent, and what was typed meanwhile."""
_TAIL: Final = 600
"""Characters of an output's end, where the client says that it ended a command."""
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


def recognises(path: Path) -> bool:
    """Whether the first line of a file is that of a copy."""
    with compression.opened(path) as stream:
        return stream.read(len(_BEGINNING)) == _BEGINNING


def look(path: Path, agent: str) -> SessionInfo | None:
    """What the ends of one copy tell; None where nobody spoke. A sub-agent's is hidden."""
    stream, complete = ends(path)
    found = Gathered()
    for _, row in Records(Row, lambda _: None, MARK).read(stream):
        data = content(row)
        found.moment(moment(row))
        if row.opencode == "session":
            found.session = row.id
            found.folder(text(data, "directory"))
            found.title = title(data)
            found.hidden = bool(text(data, "parent_id"))
        elif words := prompt(row, data):
            found.spoke = True
            found.prompts += 1
            found.said(words)
    return found.info(agent, path, whole=complete)


def content(row: Row) -> dict[str, Any]:
    """What the client wrote in a row; {} for what is no object."""
    try:
        found = msgspec.json.decode(row.data)
    except UNREADABLE:
        return {}
    return found if isinstance(found, dict) else {}


def moment(row: Row) -> str:
    """When a row was made, as events have it."""
    if not 0 < row.created <= LATEST:
        return ""
    at = datetime.fromtimestamp(row.created / 1000, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{row.created % 1000:03d}Z"


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
    return "" if said.is_ours(words) else words.strip()


class Opened(opened.Opened):
    """One session opened for reading, with those of its sub-agents; iterate once."""

    def __init__(self, path: Path, agent: str) -> None:
        super().__init__(path, agent)
        self._read = {path.name}

    def events(self) -> Iterator[Event]:
        """As `opened.Opened`."""
        reading = Reading(self._helper)
        records = Records(Row, self.note, MARK)
        yield from opened.standing(
            self._fed(self.path, reading, records), _taken_back(self.path), int
        )
        self.close(reading, records.line)

    def _fed(self, path: Path, reading: Reading, records: Records[Row]) -> Iterator[Event]:
        with compression.opened(path) as stream:
            for line, row in records.read(stream):
                data = content(row)
                if not data:
                    self.problems["not-object"] += 1
                at = moment(row)
                yield from placed(reading.feed(line, at, row, data), line, at, reading.thread)
        yield from placed(reading.finish(), records.line, reading.ended, reading.thread)

    def _helper(self, id_: str) -> Iterator[Event]:
        """What a sub-agent did, in order, `thread` being its id."""
        path = self.path.with_name(f"{id_}.jsonl")
        if _ID.fullmatch(id_) and path.name not in self._read and path.is_file():
            self._read.add(path.name)
            yield from self._fed(path, Reading(self._helper, id_), Records(Row, self.note, MARK))


def _taken_back(path: Path) -> list[tuple[int, int]]:
    """From which line on the user went back, as the session's own row tells."""
    with compression.opened(path) as stream:
        rows = Records(Row, lambda _: None, MARK).read(stream)
        first = next(rows, None)
        told = text(content(first[1]), "revert") if first else ""
        if not told:
            return []
        try:
            back = text(msgspec.json.decode(told, type=dict[str, Any]), "messageID")
        except UNREADABLE:
            return []
        return next(([(line, _END)] for line, row in rows if back and row.id == back), [])


class Reading:
    """The fold over one copy. `thread` is "" for the one that was asked for, else the id of the
    sub-agent whose it is.
    """

    def __init__(self, helpers: Any, thread: str = "") -> None:
        self.session = self.cwd = self.branch = self.version = self.started = self.ended = ""
        self.thread = thread
        self._helpers = helpers
        self._tasks = opened.TodoBook()
        self._messages: dict[str, dict[str, Any]] = {}
        self._fault: list[Event] = []
        self._automatic = False

    def feed(self, line: int, at: str, row: Row, data: dict[str, Any]) -> Iterator[Event]:
        """The events of one line."""
        self.started = self.started or at
        self.ended = at or self.ended
        if row.opencode == "session":
            yield from self._session(row, data)
        elif row.opencode == "message":
            yield from self.finish()
            self._messages[row.id] = data
            if len(self._messages) > _OPEN:
                del self._messages[next(iter(self._messages))]
            self._fault = [*_fault(data)]
        elif row.opencode == "part":
            yield from self._part(line, at, row, data, self._messages.get(row.whose, {}))
        elif row.opencode == "entry":
            yield from self._entry(line, at, row, data)

    def finish(self) -> Iterator[Event]:
        """What ended the message before; it stands in front of its parts."""
        yield from self._fault
        self._fault = []

    def _session(self, row: Row, data: dict[str, Any]) -> Iterator[Event]:
        self.session, self.version = row.id, text(data, "version")
        self.cwd = text(data, "directory")
        yield Moved(line=HERE, cwd=self.cwd, version=self.version)
        if name := title(data):
            yield Titled(line=HERE, text=name)

    def _part(
        self, line: int, at: str, row: Row, data: dict[str, Any], message: dict[str, Any]
    ) -> Iterator[Event]:
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
            yield from self._tool(line, at, data, text(fields(message, "path"), "cwd"))
        elif kind == "step-finish" and not summary:
            yield from _finished(text(data, "reason"))

    def _says(self, words: str, images: int = 0) -> Iterator[Event]:
        if (words or images) and not self.thread:  # a sub-agent's are the agent's own words
            yield Prompt(line=HERE, text=words, images=images)

    def _tool(self, line: int, at: str, data: dict[str, Any], cwd: str) -> Iterator[Event]:
        name, state = text(data, "tool", "name"), fields(data, "state")
        kind = KINDS.get(name, "other")
        given = fields(state, "input")
        call = Call(name=name, kind=kind, given=given, line=line, at=at, cwd=cwd or self.cwd)
        status = text(state, "status")
        if name == _TASK:
            yield from self._delegated(given, state, status)
        elif status in {"completed", "error"}:
            yield from tool_events.events(call, ended(state, status), self._tasks)
        else:
            yield from tool_events.unfinished(call)

    def _delegated(
        self, given: dict[str, Any], state: dict[str, Any], status: str
    ) -> Iterator[Event]:
        helper = text(fields(state, "metadata"), "sessionId")
        yield from self._helpers(helper)
        yield Delegated(
            line=HERE,
            task=text(given, "prompt", "description"),
            report=said.within(output(state), "task_result") or output(state),
            agent=helper if _ID.fullmatch(helper) else "",
            state="done" if status == "completed" else "failed" if status == "error" else "running",
        )

    def _entry(self, line: int, at: str, row: Row, data: dict[str, Any]) -> Iterator[Event]:
        """A row of the second generation: a whole message."""
        if row.role == "user":
            yield from self._says(prompt(row, data))
        elif row.role == "assistant":
            parts = listed(data, "content")
            more = any(text(part, "type") == "tool" for part in parts)
            for part in parts:
                message = {"finish": "tool-calls" if more else ""}
                yield from self._part(line, at, row, part, message)
            yield from _fault(data)
        elif row.role == "shell":
            call = Call(name="shell", kind="shell", given=data, line=line, at=at, cwd=self.cwd)
            end = End(text=text(data, "output"), code=whole(data.get("exit")))
            yield from tool_events.events(call, end, self._tasks)
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
    end = End(
        text=shown_text,
        failed=status == "error",
        code=whole(told.get("exit")),
        patch=text(told, "diff"),
        created=told.get("exists") is False,
        files=tuple(_files(told)),
        answers=tuple(_answers(told.get("answers"))),
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


def _files(told: dict[str, Any]) -> Iterator[tuple[str, Change, str, str]]:
    for one in listed(told, "files"):
        became = _BECAME.get(text(one, "type"), "edited")
        yield text(one, "filePath"), became, text(one, "movePath"), text(one, "diff", "patch")


def _answers(given: Any) -> Iterator[str]:
    for each in given if isinstance(given, list) else ():
        yield ", ".join(map(str, each)) if isinstance(each, list) else str(each)


def _fault(data: dict[str, Any]) -> Iterator[Event]:
    """What ended a message of the agent before its end."""
    error = fields(data, "error")
    name = text(error, "name", "type")
    if name == "MessageAbortedError":
        yield Interrupt(line=HERE)
    elif name:
        yield Halt(line=HERE, reason=text(fields(error, "data"), "message") or name)


def _finished(reason: str) -> Iterator[Event]:
    """A step of the agent's is over; it goes on after calls of tools."""
    if reason == "length":
        yield Halt(line=HERE, reason="the answer was cut at its longest")
    elif reason and reason != "tool-calls":
        yield TurnEnded(line=HERE)


def lines(path: Path, line: int, thread: str) -> Iterator[tuple[int, bytes | None]]:  # noqa: ARG001 - as every client is asked
    """The lines of the copy that holds this one, with their numbers."""
    if not thread or _ID.fullmatch(thread):
        with compression.opened(path.with_name(f"{thread}.jsonl") if thread else path) as stream:
            yield from bounded(stream)


def injections(path: Path) -> tuple[Injection, ...]:  # noqa: ARG001 - as every client is asked
    """The client keeps no record of which hook gave a text."""
    return ()


def render(raw: bytes | None) -> Shown:
    """The line: when, what kind, and what was said or done."""
    return shown(raw, _shown)


def _shown(record: dict[str, Any]) -> Shown:
    data = fields(record, "data")
    kind, state = text(data, "type", "role"), fields(data, "state")
    created = whole(record.get("created")) or 0
    head = " · ".join(filter(None, (text(record, "opencode"), kind, moment(Row(created=created)))))
    if kind == "tool":
        told = output(state) or text(state, "status")
        return Shown(
            head, f"→ {text(data, 'tool')}\n{shown_fields(fields(state, 'input'))}\n✓ {told}"
        )
    if words := text(data, "text", "summary"):
        return Shown(head, words)
    return Shown(head, json.dumps(data, ensure_ascii=False, indent=2), inner=True)
