"""What reads one client's transcripts: all that is the same whatever client wrote them; and what can be said
of a session without reading all of its file.
"""

from __future__ import annotations

import io
import json
import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Final, Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct, structs

from onward.decode import LOST, Records, bounded
from onward.evidence import EARLIER
from onward.model import (
    Asked,
    Delegated,
    Event,
    Interrupt,
    Moved,
    Origin,
    Planned,
    Prompt,
    Refusal,
    Reply,
    Titled,
    TodoList,
    TurnEnded,
)
from onward.search.record import Facts, Record
from onward.slash_commands import is_ours
from onward.transcripts import tool_calls, truncation
from onward.transcripts.disk import HEAD, opened
from onward.transcripts.tool_calls import HERE, Call, TodoBook
from onward.transcripts.truncation import hidden
from onward.transcripts.values import fields, text
from onward.user_input import is_significant

R = TypeVar("R", bound=Struct)

TAIL: Final = 256 << 10  # bytes read of its end
SESSION_ID: Final = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}|ses_\w{1,60}", re.ASCII)
"""A session's id or its beginning; no checkpoint's name has a `_`."""
_CHUNK: Final = 1 << 20
TITLE: Final = 100
"""Characters of a title that are shown; more is kept, as what stands behind a secret may tell it."""
_AHEAD: Final = 150
_NO_ORDER: Final = frozenset({"shell", "agent"})  # prompts by which the user asks for nothing
_FOLDERS: Final = 20  # folders remembered of one session; it follows the agent's `cd`


class SessionInfo(Struct, kw_only=True):
    """One session of one agent, as its client keeps it, gathered from the events of the parts that are read.

    `cwd` is where it began, `cwds` all folders that were seen, in order. `prompts` counts
    those in the parts that were read: all of a file up to `HEAD + TAIL` bytes, else it is a
    lower bound (`whole` is False).
    """

    agent: str = ""
    session: str = ""
    path: Path = Path()
    cwd: str = ""
    branch: str = ""
    started: str = ""
    ended: str = ""
    size: int = 0
    mtime: float = 0
    prompts: int = 0
    title: str = ""
    last_prompt: str = ""
    whole: bool = True
    cwds: tuple[str, ...] = ()
    unattended: bool = False  # a script asked, nobody who waits for an answer
    hidden: bool = False
    """Held by no user (a headless run, a sub-agent): opened where it is named, else not offered."""
    helper: bool = False  # a sub-agent's
    named: str = ""  # the title that the user gave it
    first: str = ""  # the first prompt that says something
    last: int = 0  # the line of the last prompt
    spoke: bool = False

    def see(self, event: Event) -> None:
        """Gather what an event tells; what none does, the client's `Reading` writes down itself."""
        match event:
            case Moved(cwd=cwd) if cwd and cwd not in self.cwds and len(self.cwds) < _FOLDERS:
                self.cwd, self.cwds = self.cwd or cwd, (*self.cwds, cwd)
            case Titled(text=title, by_user=by_user):
                self.title = self.title if by_user else title
                self.named = title if by_user else self.named
            case Planned(approved=True) if not self.first:  # an order, whose heading says what for
                self.prompts, self.first = self.prompts + 1, tool_calls.title(event.text)
            case Prompt(text=words) if event.source not in _NO_ORDER and not is_ours(words):
                self.prompts += 1
                if event.line >= self.last:  # else it is told late, as the file ends
                    self.last, self.last_prompt = event.line, words
                if not is_significant(self.first):
                    self.first = words if is_significant(words) else self.first or words
        self.spoke = self.spoke or not isinstance(event, Moved | Titled | TurnEnded)


def ends(path: Path) -> tuple[BinaryIO, bool]:
    """The first and the last lines of a file as one stream, and whether that is all of it."""
    with opened(path) as stream:
        head = tail = stream.read(HEAD + TAIL)
        if stream.seekable():
            stream.seek(max(len(head), stream.seek(0, io.SEEK_END) - TAIL))
        while chunk := stream.read(_CHUNK):
            tail = (tail + chunk)[-TAIL:]
    if tail is head:
        return io.BytesIO(head), True
    head = head[: head.rfind(b"\n", 0, HEAD) + 1]
    return io.BytesIO(head + tail[tail.find(b"\n") + 1 :]), False


# --------------------------------------------------------------------------- its events


K = TypeVar("K")
V = TypeVar("V")

_SAID: Final = (Prompt, Reply, Planned, Asked, Refusal, Interrupt, TodoList)
"""What going back takes back. What was done (edits, commands) is done: it is on the disk."""
PENDING: Final = 1_000  # calls that wait at most; a client runs about ten at once
_LONG: Final = "[a line too long to show]"
Ranges = Sequence[tuple[int, int]]  # lines, the first included and the last not


def remember(held: dict[K, V], key: K, value: V, most: int) -> None:
    """Hold it, and of all that is held the newest."""
    held[key] = value
    if len(held) > most:
        del held[next(iter(held))]


def written(record: Any) -> str:
    """When a record was written down, as events have it."""
    at: str = record.timestamp or ""
    return at


def placed(events: Iterable[Event], line: int, at: str, thread: str) -> Iterator[Event]:
    """The events of one record with its place, as far as they have none of their own."""
    for event in events:
        if event.thread:  # told by the reader of a sub-agent's file
            yield event
        else:
            yield structs.replace(event, line=event.line or line, at=event.at or at, thread=thread)


def position(line: int) -> int:
    """Where a line stands: those of an earlier file (`evidence.EARLIER`) before those of the later."""
    back, number = divmod(line, EARLIER)
    return number - back * EARLIER


def standing(events: Iterable[Event], gone: Ranges) -> Iterator[Event]:
    """The events less what the user went back behind, ranges of `position`s; sub-agents' stay."""
    ranges: list[tuple[int, int]] = []
    for first, last in sorted(gone):
        begun, end = ranges.pop() if ranges and first <= ranges[-1][1] else (first, last)
        ranges.append((begun, max(end, last)))
    starts = [first for first, _ in ranges]
    for event in events:
        if ranges and not event.thread and isinstance(event, _SAID):
            at = position(event.line)
            n = bisect_right(starts, at) - 1
            if n >= 0 and at < ranges[n][1]:
                continue
        yield event


class Reading(ABC, Generic[R]):
    """The fold over the records of one of the `files` of a session. `thread` is "" for the one that
    was asked for, else the id of the sub-agent whose it is. What is kept between records is bounded.
    """

    def __init__(self, files: Transcript[R], thread: str = "") -> None:
        self.files = files
        self.info = SessionInfo()
        """What a list tells of the session, as far as no event does."""
        self.session = self.cwd = self.branch = self.version = self.started = self.ended = ""
        self.lines = 0
        self.thread = thread
        self.tasks = TodoBook()
        self.line, self.at = 0, ""
        """Place and time of the record that is read."""
        self.calls: dict[str, Any] = {}
        """Tool calls that wait for their results."""
        self.helpers: dict[str, Call] = {}
        """Sub-agents at work, with the calls that started them."""

    def feed(self, line: int, record: R) -> Iterable[Event]:
        """The events that this record completes, each with its place."""
        self.line, self.at = line, written(record)
        self.started = self.started or self.at
        self.ended = self.at or self.ended
        return placed(self._read(record), line, self.at, self._thread_of(record))

    def finish(self) -> Iterator[Event]:
        """At the end of the file: what is still open."""
        return placed(self._left(), self.line, self.at, self.thread)

    @abstractmethod
    def _read(self, record: R) -> Iterator[Event]:
        """As `feed`; an event without a place has the record's."""

    def _thread_of(self, record: R) -> str:  # noqa: ARG002 - as every client is asked
        """The sub-agent that an event of a record belongs to, "" for the session itself."""
        return self.thread

    def _left(self) -> Iterator[Event]:
        """As `finish`."""
        yield from self.abandon("open")
        for agent, call in list(self.helpers.items()):
            yield from self.helped(agent, call)

    def moved(self, cwd: str, branch: str, version: str) -> Iterator[Event]:
        """The folder, branch and version, where one of them changed."""
        if (cwd, branch, version) != (self.cwd, self.branch, self.version):
            self.cwd, self.branch, self.version = cwd, branch, version
            yield Moved(line=HERE, cwd=cwd, branch=branch, version=version)

    def listed(self, *, changed: bool) -> Iterator[Event]:
        """The task list, where it changed."""
        if changed:
            yield TodoList(line=HERE, items=self.tasks.items)

    def wait(self, key: str, call: Call) -> None:
        """A tool call was made here: it waits for its result."""
        call.line, call.at, call.cwd = self.line, self.at, call.cwd or self.cwd
        remember(self.calls, key, call, PENDING)

    def under_way(self, otherwise: str = "") -> str:
        """What the last call that waits would do, in one line."""
        return next((call.act for call in reversed(self.calls.values())), otherwise)

    def abandon(self, state: Literal["open", "interrupted"]) -> Iterator[Event]:
        """The calls that never got a result: the session was cut off under them."""
        cut_off, self.calls = self.calls, {}
        for call in cut_off.values():
            yield from placed(self._unfinished(call, state), call.line, call.at, self.thread)

    def _unfinished(self, call: Any, state: Literal["open", "interrupted"]) -> Iterator[Event]:
        """One of them."""
        return tool_calls.unfinished(call, state)

    def helped(
        self, agent: str, call: Call, state: tool_calls.Helped = "running", report: str = ""
    ) -> Iterator[Event]:
        """What a sub-agent did, was told and reported; while it runs, that stands where it was called."""
        self.helpers.pop(agent, None)
        before, runs = self.tasks.items, state == "running"
        line, at = (call.line, call.at) if runs else (HERE, "")
        yield from self.files.thread_events(agent)
        task = text(call.given, "prompt", "description", "message")
        yield Delegated(line=line, at=at, task=task, report=report, agent=agent, state=state)
        # Sub-agents tick entries of the session's list in their own files only.
        if self.tasks.items != before:
            yield TodoList(line=line, at=at, items=self.tasks.items)


class Transcript(Generic[R]):
    """One session opened for reading; iterate once.

    Events of the main thread come in order, those of a sub-agent (`thread` is its id) just
    before its `Delegated`. `problems` (kind and count) and `origin` are complete after the last
    event. Of a session that is read `alone` no other file is.
    """

    def __init__(
        self, reader: Reader[R], path: Path = Path(), agent: str = "", *, alone: bool = False
    ) -> None:
        self.reader, self.path, self.alone = reader, path, alone
        self.problems: Counter[str] = Counter()
        self.origin: Origin[str] = Origin(agent=agent, transcript=str(path))
        self.tasks = TodoBook()
        """Those of the session, where its sub-agents share them."""
        self.seen = {path}
        """Files that were read, each once."""

    def __iter__(self) -> Iterator[Event]:
        reading = self.reader.READING(self)
        gone = self.reader.taken_back(self)
        yield from map(hidden, standing(self.events(self.path, reading), gone))
        self.origin = structs.replace(
            self.origin,
            session=reading.session,
            cwd=reading.cwd or None,
            branch=reading.branch or None,
            started=reading.started,
            ended=reading.ended,
            lines=reading.lines,
            version=reading.version,
            problems=sum(count for kind, count in self.problems.items() if kind in LOST),
        )

    def events(self, path: Path, reading: Reading[R]) -> Iterator[Event]:
        """Those of one file."""
        with opened(path) as stream:
            yield from self.fold(stream, reading)

    def fold(self, stream: BinaryIO, reading: Reading[R]) -> Iterator[Event]:
        """Those of some lines; a record that its client's rules cannot read costs itself alone."""
        records = self.reader.records(self.note)
        for line, record in records.read(stream):
            try:
                yield from reading.feed(line, record)
            except (AttributeError, TypeError):  # a field of a type that no version writes
                self.problems["unreadable"] += 1
            if line == 1 and not (reading.thread or self.alone):
                yield from self.reader.before(reading)
        reading.lines = records.line
        yield from reading.finish()

    def thread_events(self, thread: str) -> Iterator[Event]:
        """What a sub-agent did, in order; nothing the second time."""
        path = None if self.alone else self.reader.find(self.path, thread)
        if path and path not in self.seen:
            self.seen.add(path)
            yield from self.events(path, self.reader.READING(self, thread))

    def note(self, problem: str) -> None:
        """Count a fault in one of its files."""
        self.problems[problem] += 1


# ------------------------------------------------------------------- one line by itself


class Shown(NamedTuple):
    """A line, raw. `inner` where nothing was said or done in it: `text` is then its fields. `records` is what
    it says by itself, as `Reader.heard` has it.
    """

    head: str  # what kind of record it is, and when it was written
    text: str
    inner: bool = False
    records: Sequence[Record] = ()


class Reader(ABC, Generic[R]):
    """How one client's transcripts are read. Raises OSError; InputError for a compressed file that is broken."""

    KIND: ClassVar[type[Any]]  # its records
    MARK: ClassVar[str]  # a key that each of them has
    READING: ClassVar[type[Reading[Any]]]
    BODY: ClassVar[str] = ""  # the field that holds what a record says, "" for the record itself
    DEEDS: ClassVar[tuple[bytes, ...]]
    """What lines of tools hold, calls or results, which say nothing for a list of sessions."""
    SKIPPED: ClassVar[frozenset[str]] = frozenset()  # fields of it that tell a user nothing

    def records(self, report: Callable[[str], None] = lambda _: None) -> Records[R]:
        """What reads them, one after the other."""
        return Records(self.KIND, self.MARK, report)

    def records_in(self, raw: bytes) -> list[R]:
        """What a line holds. Raises ValueError where it cannot be read."""
        faults = set[str]()
        found = [record for _, record in self.records(faults.add).read(io.BytesIO(raw))]
        if not found and (lost := faults & LOST - {"not-object"}):
            raise ValueError(lost.pop())
        return found

    def sought(
        self, path: Path, wanted: Callable[[bytes], bool] | None = None
    ) -> Iterator[tuple[int, R]]:
        """Those of a file; of the lines that are `wanted`, by their bytes, which spares the decoding of most."""
        records = self.records()
        with opened(path) as stream:
            if wanted is None:
                yield from records.read(stream)
                return
            for line, raw in bounded(stream):
                found = records.read(io.BytesIO(raw)) if raw and wanted(raw) else ()
                yield from ((line, record) for _, record in found)

    @abstractmethod
    def knows(self, stream: BinaryIO) -> bool:
        """Whether a file that holds or begins with this is this client's."""

    def recognises(self, path: Path) -> bool:
        """Whether a transcript is this client's."""
        with opened(path) as stream:
            return self.knows(stream)

    @abstractmethod
    def taken_back(self, files: Transcript[R]) -> Ranges:
        """What the user went back behind, as `standing` has it."""

    def find(self, path: Path, thread: str) -> Path | None:  # noqa: ARG002 - as every client is asked
        """The file of a sub-agent of a session; None where it has none of its own."""
        return None

    def family(self, path: Path) -> Sequence[Path]:
        """The file of a session and, nearest first, those that it goes on from."""
        return [path]

    def numbered(self, path: Path, line: int, thread: str) -> Iterator[tuple[int, bytes | None]]:
        """The numbered raw lines of the file that holds a line; None for one too long to be read."""
        files = [self.find(path, thread)] if thread else self.family(path)
        back = line // EARLIER if files[1:] else 0
        for file in filter(None, files[back : back + 1]):
            with opened(file) as stream:
                for number, raw in bounded(stream):
                    yield back * EARLIER + number, raw

    def before(self, reading: Reading[R]) -> Iterator[Event]:  # noqa: ARG002 - as every client is asked
        """What stands in the files that a session goes on from: told after the first line."""
        yield from ()

    def look(self, path: Path, agent: str) -> SessionInfo | None:
        """What the ends of one of its transcripts tell; None where nobody spoke."""
        stream, whole = ends(path)
        said = (line for line in stream if not any(sign in line for sign in self.DEEDS))
        files = Transcript(self, path, agent, alone=True)
        reading, disk = self.READING(files), path.stat()
        found = reading.info = SessionInfo(agent=agent, path=path, whole=whole)
        for event in files.fold(io.BytesIO(b"".join(said)), reading):
            found.see(event)
        found.size, found.mtime, found.branch = disk.st_size, disk.st_mtime, reading.branch
        found.started, found.ended = reading.started, reading.ended
        found.session = reading.session or path.name.removesuffix(".zst").removesuffix(".jsonl")
        first = truncation.one_line(found.first, TITLE + _AHEAD)
        found.title = found.named or found.title or first
        found.last_prompt = truncation.one_line(found.last_prompt, truncation.LINE + _AHEAD)
        return found if found.spoke else None

    def facts(self, head: bytes) -> Facts:
        """What the beginning of a file tells a search of all its records."""
        files = Transcript(self, alone=True)
        reading = self.READING(files)
        next((event for event in files.fold(io.BytesIO(head), reading) if reading.cwd), None)
        where = {"session": reading.session, "cwd": reading.cwd, "branch": reading.branch}
        return Facts(**where, at=reading.started, helper=reading.info.helper)

    def render(self, raw: bytes | None) -> Shown:
        """A raw line as a user would read it; the line itself where it holds no record."""
        if not raw:
            return Shown("", _LONG)
        text = raw.decode(errors="replace").strip()
        try:
            record = json.loads(text, strict=False)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            return Shown("", text, not text)
        body = fields(record, self.BODY) if self.BODY in record else record
        when, told, said = "", list[str](), list[Record]()
        with suppress(ValueError, AttributeError, TypeError):  # what no version writes so
            for each in self.records_in(raw):
                when, own = written(each), [*self.said(each)]
                said += self._placed(each, own)
                told += filter(None, [one.rendered() for one in own] or [self.other_text(each)])
        heads = (
            record.get(self.MARK if self.BODY else "type"),
            record.get("subtype"),
            body.get("type"),
            body.get("role"),
            when,
        )
        head = " · ".join(dict.fromkeys(str(one) for one in heads if one))
        inner = {key: value for key, value in body.items() if key not in self.SKIPPED}
        shown = "\n".join(told) or json.dumps(inner, ensure_ascii=False, indent=2)
        return Shown(head, shown.rstrip(), inner=not told, records=said)

    def other_text(self, record: R) -> str:  # noqa: ARG002 - as every client is asked
        """What a user reads in a record that says nothing by itself."""
        return ""

    def heard(self, raw: bytes) -> list[Record]:
        """What a line says by itself, for a search. Raises ValueError where it cannot be read."""
        try:
            records = self.records_in(raw)
            return [one for each in records for one in self._placed(each, self.said(each))]
        except (AttributeError, TypeError) as error:
            raise ValueError("unreadable") from error

    def _placed(self, record: R, said: Iterable[Record]) -> list[Record]:
        place = self.place(record)
        return [structs.replace(found, shown=None, **place) for found in said]

    def place(self, record: R) -> dict[str, str]:
        """When and where a record was written: those fields of all that it says."""
        return {"at": written(record)}

    @abstractmethod
    def said(self, record: R) -> Iterator[Record]:
        """What a record says by itself, by the rules of the events, less its place."""
