"""A thread's rollout: whose it is, what its ends tell, its events, its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from onward.decode import Records, bounded
from onward.errors import InputError
from onward.model import EARLIER, Event, Injection
from onward.transcripts import compression, opened
from onward.transcripts.codex import place
from onward.transcripts.codex.provenance import folder_in, joined, words
from onward.transcripts.codex.reading import Reading
from onward.transcripts.codex.records import KNOWN, MARK, Body, Line, are_ours
from onward.transcripts.compression import SUFFIX
from onward.transcripts.sessions import Gathered, SessionInfo, ends

PARENT: Final = EARLIER
"""What the numbers of a parent's lines begin after, where a fork does not hold them itself."""
_DEPTH: Final = 8
"""Forks of forks that are followed."""
_CHUNK: Final = 64 << 10
"""Bytes that are looked through at once; larger pieces are new memory each time, and slower."""
_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)

Position = tuple[int, int]
"""Where in a lineage a line stands: the older file's before the younger one's."""


class _Name(Struct, frozen=True):
    """One line of the client's list of names."""

    id: str = ""
    thread_name: str = ""


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
        events = self._events(reading, records, pieces)
        yield from opened.standing(events, gone, position)
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


def lines(path: Path, line: int, thread: str) -> Iterator[tuple[int, bytes | None]]:
    """The lines of the file that holds this one, with their numbers; those that a thread goes on
    from too.
    """
    depth = line // PARENT
    if thread:
        file = find(path, thread)
    else:
        file = next((piece.path for piece in lineage(path)[depth:]), None)
    if file:
        with compression.opened(file) as stream:
            for number, raw in bounded(stream):
                yield depth * PARENT + number, raw


render = place.render


def injections(path: Path) -> tuple[Injection, ...]:  # noqa: ARG001 - as every client is asked
    """The client keeps no record of which hook gave a text."""
    return ()


# ------------------------------------------------------------------------- its family
#
# Since 0.150 a fork's file does not hold what came before it: it names a thread, and the ordinal
# up to which that one is its own past. Ordinals count on from one file to the next.


class Piece(Struct, frozen=True):
    """One file of a lineage: `shift` is added to the numbers of its lines, `end` is the ordinal
    before which it counts, None for all of it.
    """

    path: Path
    shift: int = 0
    end: int | None = None

    def holds(self, line: int, ordinal: int | None) -> bool:
        """Whether a line of the file is part of the lineage."""
        return self.end is None or (line - 1 if ordinal is None else ordinal) < self.end


def lineage(path: Path) -> list[Piece]:
    """A rollout and, nearest first, those that it goes on from, as far as they are there."""
    pieces = [Piece(path)]
    while len(pieces) <= _DEPTH:
        last = pieces[-1]
        with compression.opened(last.path) as stream:
            lines = Records(Line, lambda _: None, MARK).read(stream)
            _, first = next(lines, (0, Line()))
        base = first.payload.history_base if first.payload else None
        found = find(path, base.thread_id) if base else None
        if base is None or found is None or found in {piece.path for piece in pieces}:
            break
        ends = [end for end in (last.end, base.end_ordinal_exclusive) if end is not None]
        pieces.append(Piece(found, PARENT * len(pieces), min(ends, default=None)))
    return pieces


def find(beside: Path, id_: str) -> Path | None:
    """Where the rollout of another thread lies, as seen from one of the same client: beside it,
    in any day's folder, or among the archived ones.
    """
    if not _ID.fullmatch(id_):
        return None
    tops = {"sessions": "sessions/*/*/*/", "archived_sessions": "archived_sessions/"}
    home = next((up.parent for up in beside.parents if up.name in tops), None)
    for suffix in (".jsonl", SUFFIX):
        name = f"*{id_}{suffix}"
        found = list(beside.parent.glob(name))
        for top in tops.values() if home and not found else ():
            found += home.glob(top + name) if home else ()
        if found:
            return min(found)
    return None


def position(line: int) -> Position:
    """Where a line stands, by its number as events have it."""
    depth, number = divmod(line, PARENT)
    return -depth, number


def taken_back(pieces: Sequence[Piece]) -> list[tuple[Position, Position]]:
    """Ranges of lines, first included and last not, that the user went back behind. A fork may
    go back behind its own beginning.
    """
    starts: list[Position] = []
    gone: list[tuple[Position, Position]] = []
    if not any(_holds(piece.path, b'"thread_rolled_back"') for piece in pieces):
        return gone
    for piece in reversed(pieces):
        with compression.opened(piece.path) as stream:
            for line, record in Records(Line, lambda _: None, MARK).read(stream):
                body, at = record.payload, position(line + piece.shift)
                if body is None or not piece.holds(line, record.ordinal):
                    continue
                if body.type == "user_message" or (body.item and body.item.type == "UserMessage"):
                    starts.append(at)
                elif body.type == "thread_rolled_back" and starts:
                    turns = body.num_turns or 0
                    if turns > 0:
                        gone.append((starts[-turns:][0], at))
                        del starts[-turns:]
    return gone


def _holds(path: Path, sign: bytes) -> bool:
    """Whether a rollout has these bytes; seldom, so that no line is looked at for them."""
    with compression.opened(path) as stream:
        rest = b""
        while chunk := stream.read(_CHUNK):
            if sign in chunk or sign in rest + chunk[: len(sign)]:
                return True
            rest = chunk[-len(sign) :]
    return False
