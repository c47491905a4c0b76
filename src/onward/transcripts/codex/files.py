"""A thread opened for reading, with the files of its family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final

from onward.decode import LOST, Problem, Records
from onward.model import Asked, Event, Interrupt, Origin, Planned, Prompt, Refusal, Reply, TodoList
from onward.transcripts.codex.compression import opened
from onward.transcripts.codex.home import AGENT
from onward.transcripts.codex.lineage import MARK, Piece, find, lineage, position, taken_back
from onward.transcripts.codex.reading import Reading
from onward.transcripts.codex.records import Line
from onward.transcripts.keys import hidden

_SAID: Final = (Prompt, Reply, Planned, Asked, Refusal, Interrupt, TodoList)
"""What going back takes back. What was done (edits, commands) is done: it is on the disk."""

KNOWN: Final = frozenset(
    [
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "token_usage_record",
        "inter_agent_communication",
        "inter_agent_communication_metadata",
    ]
)
"""Kinds of line of the wrapped form that were seen; another one is counted, and skipped."""


class CodexTranscript:
    """One thread opened for reading; iterate once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: Counter[str] = Counter()
        self.origin: Origin[str] = Origin()
        self._read: set[Path] = set()
        """Files of the family that are read, each once."""

    def __iter__(self) -> Iterator[Event]:
        pieces = lineage(self.path)
        gone = taken_back(pieces)
        self._read.update(piece.path for piece in pieces)
        reading = Reading(self._helper)
        records = Records(Line, self._note, MARK)
        for event in self._events(reading, records, pieces):
            # A sub-agent's lines are numbered by its own file.
            if gone and isinstance(event, _SAID) and not event.thread:
                at = position(event.line)
                if any(first <= at < last for first, last in gone):
                    continue
            yield hidden(event)
        self.origin = Origin(
            agent=AGENT,
            session=reading.session,
            transcript=str(self.path),
            cwd=reading.cwd or None,
            branch=reading.branch or None,
            started=reading.started,
            ended=reading.ended,
            lines=records.line,
            version=reading.version,
            problems=sum(count for kind, count in self.problems.items() if kind in LOST),
        )

    def _events(
        self, reading: Reading, records: Records[Line], pieces: list[Piece]
    ) -> Iterator[Event]:
        with opened(self.path) as stream:
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
            with opened(piece.path) as stream:
                for line, record in Records(Line, self._note, MARK).read(stream):
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
        with opened(path) as stream:
            for line, record in Records(Line, self._note, MARK).read(stream):
                yield from reading.feed(line, record)
        yield from reading.finish()

    def _note(self, problem: Problem) -> None:
        self.problems[problem.kind] += 1
