"""A session's transcript: whose it is, what its ends tell, its events, its records.

The names of the project folders cannot be turned back into paths, so what a session is comes
from its records alone.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Raw, Struct

from onward.decode import UNREADABLE, Problem, Records, bounded
from onward.model import (
    Event,
    Fate,
    Injection,
)
from onward.transcripts import compression, opened
from onward.transcripts.claude_code import place
from onward.transcripts.claude_code.calls import title
from onward.transcripts.claude_code.provenance import plain, said
from onward.transcripts.claude_code.reading import Reading
from onward.transcripts.claude_code.records import MARK, Record, are_ours
from onward.transcripts.opened import TodoBook
from onward.transcripts.sessions import Gathered, SessionInfo, ends

_ID: Final = re.compile(r"[\w-]{1,100}")
_CLIENTS_OWN: Final = ("acompact-", "aprompt_suggestion-", "aside_question-")
"""Sub-agents that the client runs for itself: copies of the conversation."""

KNOWN: Final = frozenset(
    [
        "user",
        "assistant",
        "system",
        "attachment",
        "file-history-delta",
        "queue-operation",
        "pr-link",
        "ai-title",
        "custom-title",
        "progress",
        "summary",
        "file-history-snapshot",
        "last-prompt",
        "permission-mode",
        "mode",
        "tools-used",
        "atis-latch",
        "cost-state",
        "api-request",
        "api-request-shape",
        "api-request-blob",
        "agent-name",
        "tag",
        "bridge-session",
        "worktree-state",
        "content-replacement",
    ]
)
"""Kinds of record that were seen, those that hold nothing for us among them. Another one is
counted, so that a new client's news do not pass unnoticed, and skipped."""
_FIRST: Final = 5  # lines
_SCRIPT: Final = "sdk-cli"
"""How the client calls a run without a screen."""
_EVENT: Final = "SessionStart"
_SPILLED: Final = "<persisted-output>"
_FATES: Final[dict[str, Fate]] = {
    "hook_success": "waiting",
    "hook_non_blocking_error": "failed",
    "hook_blocking_error": "failed",
    "hook_cancelled": "cancelled",
}
_MOST: Final = 100  # injections remembered of one session; each resume and compaction adds one


class _Hook(Struct, frozen=True, rename="camel"):
    type: str = ""
    hook_event: str = ""
    command: str = ""
    content: Raw = Raw()


class _Line(Struct, frozen=True, rename="camel"):
    type: str = ""
    timestamp: str = ""
    is_sidechain: bool | None = None
    attachment: _Hook | None = None


def recognises(path: Path) -> bool:
    """Whether the first lines of a file are this client's, or those at its ends."""
    with compression.opened(path) as file:
        if any(islice(are_ours(file), _FIRST)):
            return True
    stream, _ = ends(path)
    return any(are_ours(stream))


def look(path: Path, agent: str) -> SessionInfo | None:
    """What the ends of one file tell; None where nobody spoke."""
    stream, whole = ends(path)
    found, given, starts = Gathered(), "", set[str]()
    for _, record in Records(Record, lambda _: None, MARK).read(stream):
        found.title = record.ai_title or found.title
        given = record.custom_title or given
        found.last = record.last_prompt or found.last
        if record.type in {"user", "assistant"} and not record.is_sidechain:
            starts.add(record.entrypoint)
            _see(found, record)
    found.title = given or found.title
    found.unattended = starts == {_SCRIPT}
    return found.info(agent, path, whole=whole)


def _see(found: Gathered, record: Record) -> None:
    """Take note of a record of the conversation."""
    found.spoke = True
    found.session = found.session or record.session_id or ""
    found.folder(record.cwd)
    found.branch = record.git_branch or found.branch
    found.moment(record.timestamp)
    if record.type != "user" or (words := said(record)).kind not in {"prompt", "plan"}:
        return
    found.prompts += 1
    if words.kind == "prompt":
        found.said(words.text)
    else:  # an order too, whose heading says what for
        found.first = found.first or title(words.text)


class Opened(opened.Opened):
    """One session opened for reading; iterate once."""

    def events(self) -> Iterator[Event]:
        """As `opened.Opened`."""
        helpers = Helpers(self.path, self.note)
        reading = Reading(helpers, helpers.tasks)
        records = Records(Record, self.note, MARK)
        yield from opened.standing(self._read(reading, records), _rewound(self.path), int)
        yield from reading.finish()
        if reading.repeated:
            self.problems["repeated-id"] += len(reading.repeated)
        self.close(reading, records.line)

    def _read(self, reading: Reading, records: Records[Record]) -> Iterator[Event]:
        with compression.opened(self.path) as stream:
            for line, record in records.read(stream):
                if record.type not in KNOWN:
                    self.problems["unknown-type"] += 1
                yield from reading.feed(line, record)


class Helpers:
    """The files of a session's sub-agents, each read once.

    They stand in `<session>/subagents/`, in clients before 2.1 beside the session.
    """

    def __init__(self, path: Path, note: Callable[[Problem], None]) -> None:
        self.tasks = TodoBook()
        self._folders = (path.with_suffix("") / "subagents", path.parent)
        self._path = path
        self._note = note
        self._read: set[str] = set()
        self._first: dict[str, str] | None = None

    def find(self, agent: str) -> Path | None:
        """Where the transcript of one sub-agent lies."""
        if not _ID.fullmatch(agent):
            return None
        files = (folder / f"agent-{agent}.jsonl" for folder in self._folders)
        return next((file for file in files if file != self._path and file.is_file()), None)

    def events(self, agent: str) -> Iterator[Event]:
        """What it did, in order, `thread` being its id."""
        file = None if agent in self._read else self.find(agent)
        self._read.add(agent)
        if file is None:
            return
        reading = Reading(self, self.tasks, agent)
        with compression.opened(file) as stream:
            for line, record in Records(Record, self._note, MARK).read(stream):
                yield from reading.feed(line, record)
        yield from reading.finish()

    def started_with(self, prompt: str) -> str:
        """The id of an unread sub-agent that was given this prompt."""
        if self._first is None:
            files = sorted(self._folders[0].glob("agent-*.jsonl"))
            names = {file.stem.removeprefix("agent-"): file for file in files}
            self._first = {
                name: _first_words(file)
                for name, file in names.items()
                if not name.startswith(_CLIENTS_OWN)
            }
        unread = (name for name in self._first if name not in self._read)
        return next((name for name in unread if prompt and self._first[name] == prompt), "")


def _first_words(file: Path) -> str:
    with compression.opened(file) as stream:
        for _, record in Records(Record, lambda _: None, MARK).read(stream):
            if record.type == "user" and record.message:
                return plain(record.message.content)
    return ""


def _rewound(path: Path) -> list[tuple[int, int]]:
    """Ranges of lines, first included and last not, that the user went back behind.

    The only proof taken is two typed prompts with one parent: parallel calls, resumes and
    built-in commands make forks too, whose branches are all live. Most often it is a prompt
    taken back and typed anew before any answer (66 times in 138 sessions, clients 2.1.119 and
    later).
    """
    gone: list[tuple[int, int]] = []
    last: dict[str, int] = {}
    records = Records(Record, lambda _: None, MARK)
    with compression.opened(path) as stream:
        for line, raw in bounded(stream):
            # Two searches over the bytes spare the decoding of all but a hundredth.
            if raw is None or b'"type":"user"' not in raw or b'"tool_use_id"' in raw:
                continue
            record = records.one(raw)
            if record is None or record.type != "user" or record.is_sidechain:
                continue
            parent = record.parent_uuid
            if parent and said(record).kind == "prompt":
                if parent in last:
                    gone.append((last[parent], line))
                last[parent] = line
    return gone


def lines(path: Path, _: int, thread: str) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a session, or of a sub-agent's file, with their numbers."""
    file = Helpers(path, lambda _: None).find(thread) if thread else path
    if file:
        with compression.opened(file) as stream:
            yield from bounded(stream)


render = place.render


def injections(path: Path) -> tuple[Injection, ...]:
    """What became of the texts that hooks gave at its starts, the newest last, by a few short
    fields of each line. How a hook's end is recorded was measured with 2.1.197 and 2.1.330.
    Raises OSError.
    """
    found: deque[Injection] = deque(maxlen=_MOST)
    answered = 0
    with compression.opened(path) as stream:
        for number, line in Records(_Line, lambda _: None, MARK).read(stream):
            if line.type == "assistant" and not line.is_sidechain:
                answered = number
            elif one := _injection(number, line):
                found.append(one)
    return tuple(
        msgspec.structs.replace(each, fate="reached")
        if each.fate == "waiting" and each.line < answered
        else each
        for each in found
    )


def _injection(number: int, line: _Line) -> Injection | None:
    hook = line.attachment
    if hook is None or hook.hook_event != _EVENT or hook.type not in _FATES:
        return None
    text = _text(hook.content)
    fate = _FATES[hook.type]
    if fate == "waiting" and not text:
        return None
    return Injection(
        line=number,
        at=line.timestamp,
        command=hook.command,
        fate="cut" if text.startswith(_SPILLED) else fate,
        size=len(text),
    )


def _text(content: Raw) -> str:
    try:
        found = msgspec.json.decode(content)
    except UNREADABLE:
        return ""
    return found if isinstance(found, str) else ""
