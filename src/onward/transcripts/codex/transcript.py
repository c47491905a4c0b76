"""A thread's rollout: whose it is, what its ends tell, its events, its lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct

from onward.decode import Records, bounded
from onward.errors import InputError
from onward.model import Event
from onward.transcripts import compression, opened
from onward.transcripts.agent import Survey
from onward.transcripts.codex import place
from onward.transcripts.codex.lineage import (
    PARENT,
    Piece,
    find,
    lineage,
    position,
    taken_back,
)
from onward.transcripts.codex.provenance import folder_in, joined, words
from onward.transcripts.codex.reading import Reading
from onward.transcripts.codex.records import KNOWN, MARK, Body, Line, are_ours
from onward.transcripts.compression import SUFFIX
from onward.transcripts.sessions import Gathered, SessionInfo, ends


class _Name(Struct, frozen=True):
    """One line of the client's list of names."""

    id: str = ""
    thread_name: str = ""


class _Facts(Struct, frozen=True):
    cli_version: str = ""


class _Told(Struct, frozen=True):
    type: str = ""
    payload: _Facts | None = None


def recognises(path: Path) -> bool:
    """Whether the first lines of a file are this client's."""
    try:
        with compression.opened(path) as stream:
            return are_ours(stream)
    except InputError:
        return path.name.endswith(SUFFIX)


def look(path: Path, agent: str) -> SessionInfo | None:
    """What the ends of one file tell; None where nobody spoke. A session that no user held (a
    headless run, a sub-agent) is there for whoever names it, and offered to nobody.
    """
    stream, whole = ends(path)
    found = _Found()
    for _, record in Records(Line, lambda _: None, MARK).read(stream):
        found.see(record)
    # What the screen was told counts; where it was told nothing, what the model was sent.
    found.prompts = found.told or found.sent
    return found.info(agent, path, whole=whole)


class _Found(Gathered):
    """What is gathered from the lines that are looked at."""

    told = sent = 0

    def see(self, record: Line) -> None:
        """Take note of one line."""
        body = record.payload or record
        self.moment(record.timestamp)
        if (body is not record and record.type == "session_meta") or (
            body is record and record.id and not record.type
        ):
            self._meta(body)
        elif record.type == "turn_context":
            self.folder(body.cwd)
        elif body.type == "message" and body.role in {"user", "assistant"}:
            self._message(body)
        elif body.type == "user_message":
            self._says(body.message or "", told=True)
        elif body.item and body.item.type == "UserMessage":
            self._says(joined(body.item), told=True)
        elif body.type == "thread_name_updated":
            self.title = body.thread_name or self.title

    def _meta(self, body: Body) -> None:
        if self.session:
            return
        self.session = body.id or ""
        self.branch = (body.git.branch if body.git else None) or ""
        self.folder(body.cwd)
        source = bytes(body.source)
        self.hidden = self.unattended = source == b'"exec"' or source.startswith(b"{")

    def _message(self, body: Body) -> None:
        text = joined(body)
        self.spoke = self.spoke or body.role == "assistant"
        if body.role == "user":
            self.folder("" if self.cwds else folder_in(text))
            if not self.told:
                self._says(text, told=False)

    def _says(self, text: str, *, told: bool) -> None:
        prompt = words(text)
        if prompt.kind in {"prompt", "command"}:
            self.spoke = True
            self.told += told
            self.sent += not told
            self.said(prompt.text)


def names(path: Path) -> dict[str, str]:
    """What the user called their threads; the last word holds."""
    try:
        with path.open("rb") as stream:
            lines = Records(_Name, lambda _: None, "id").read(stream)
            return {name.id: name.thread_name for _, name in lines if name.thread_name}
    except OSError:
        return {}


class Opened(opened.Opened):
    """One thread opened for reading, with the files of its family; iterate once."""

    def __init__(self, path: Path, agent: str) -> None:
        super().__init__(path, agent)
        self._read: set[Path] = set()
        """Files of the family that are read, each once."""

    def events(self) -> Iterator[Event]:
        """As `opened.Opened`."""
        pieces = lineage(self.path)
        gone = taken_back(pieces)
        self._read.update(piece.path for piece in pieces)
        reading = Reading(self._helper)
        records = Records(Line, self.note, MARK)
        for event in self._events(reading, records, pieces):
            # A sub-agent's lines are numbered by its own file.
            if gone and isinstance(event, opened.SAID) and not event.thread:
                at = position(event.line)
                if any(first <= at < last for first, last in gone):
                    continue
            yield event
        self.close(reading, records.line)

    def _events(
        self, reading: Reading, records: Records[Line], pieces: list[Piece]
    ) -> Iterator[Event]:
        with compression.opened(self.path) as stream:
            own = records.read(stream)
            # The facts of the thread come first of all: what it goes on from, right after.
            for line, record in chain(islice(own, 1), self._before(reading, pieces[1:]), own):
                if record.payload and record.type not in KNOWN:
                    self.problems["unknown-type"] += 1
                yield from reading.feed(line, record)
            yield from reading.finish()

    def _before(self, reading: Reading, pieces: list[Piece]) -> Iterator[tuple[int, Line]]:
        """The lines that a fork goes on from, less the facts of those threads."""
        for piece in reversed(pieces):
            reading.shift = piece.shift
            with compression.opened(piece.path) as stream:
                for line, record in Records(Line, self.note, MARK).read(stream):
                    if not piece.holds(line, record.ordinal):
                        break
                    if record.type != "session_meta":
                        yield line, record
        reading.shift = 0

    def _helper(self, id_: str) -> Iterator[Event]:
        """What a sub-agent did, in order, `thread` being its id."""
        path = find(self.path, id_)
        if path is None or path in self._read:
            return
        self._read.add(path)
        reading = Reading(self._helper, id_)
        with compression.opened(path) as stream:
            for line, record in Records(Line, self.note, MARK).read(stream):
                yield from reading.feed(line, record)
        yield from reading.finish()


def record(path: Path, line: int, thread: str) -> str | None:
    """One line, raw, as a user would read it, of those that a thread goes on from too; None where
    there is none.
    """
    depth, number = divmod(line, PARENT)
    if thread:
        file = find(path, thread)
    else:
        file = next((piece.path for piece in lineage(path)[depth:]), None)
    if file:
        with compression.opened(file) as stream:
            for at, raw in bounded(stream):
                if at == number:
                    return place.render(raw)
    return None


def survey(path: Path) -> Survey:
    """What the whole file tells of its client, which keeps no record of which hook gave a text.
    Raises OSError, and InputError as `opened` does.
    """
    unknown: Counter[str] = Counter()
    version = ""
    with compression.opened(path) as stream:
        for _, line in Records(_Told, lambda _: None, MARK).read(stream):
            version = (line.payload.cli_version if line.payload else "") or version
            if line.payload and line.type not in KNOWN:
                unknown[line.type] += 1
    return Survey(version=version, unknown=dict(unknown))
