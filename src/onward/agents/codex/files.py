"""Agents, Codex: a thread's files: its rollout, plain or compressed, and those it goes on from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from onward.agents.codex.packed import SUFFIX, opened
from onward.agents.codex.reading import Reading
from onward.agents.codex.records import Base, Line
from onward.agents.keys import hidden
from onward.decode import LOST, Problem, Records, bounded
from onward.model import Asked, Event, Interrupt, Origin, Planned, Prompt, Refusal, Reply, TodoList

AGENT: Final = "codex"
MARK: Final = "type"
PARENT: Final = 1_000_000
"""What the numbers of a parent's lines begin after, where a fork does not hold them itself."""
_DEPTH: Final = 8
"""Forks of forks that are followed."""
_HEAD: Final = 400
"""Bytes of a line within which its kind stands; quoted text comes later."""
_SAID: Final = (Prompt, Reply, Planned, Asked, Refusal, Interrupt, TodoList)
"""What going back takes back. What was done (edits, commands) is done: it is on the disk."""
_BACK: Final = b'"thread_rolled_back"'
_CHUNK: Final = 1 << 20
_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)

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

    def __iter__(self) -> Iterator[Event]:
        family = Family(self.path, self.problems)
        reading = Reading(family.events)
        records = Records(Line, self._note, MARK)
        gone = _rolled_back(self.path)
        for event in self._events(reading, records, family):
            taken_back = isinstance(event, _SAID) and any(a <= event.line < b for a, b in gone)
            if not taken_back:
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

    def _events(self, reading: Reading, records: Records[Line], family: Family) -> Iterator[Event]:
        with opened(self.path) as stream:
            for line, record in records.read(stream):
                if record.payload and record.type not in KNOWN:
                    self.problems["unknown-type"] += 1
                yield from reading.feed(line, record)
                # The facts of the thread come first of all: what it goes on from, right after.
                if record.payload and record.type == "session_meta":
                    yield from family.before(reading, record.payload.history_base)
            yield from reading.finish()

    def _note(self, problem: Problem) -> None:
        self.problems[problem.kind] += 1


class Family:
    """Other rollouts of the same client that a thread needs, each read once."""

    def __init__(self, path: Path, problems: Counter[str]) -> None:
        self._path = path
        self._problems = problems
        self._read: set[str] = set()

    def find(self, id_: str) -> Path | None:
        """Where the rollout of a thread lies."""
        return find(self._path, id_)

    def events(self, id_: str) -> Iterator[Event]:
        """What a sub-agent did, in order, `thread` being its id."""
        path = None if id_ in self._read else self.find(id_)
        self._read.add(id_)
        if path is None:
            return
        reading = Reading(self.events, id_)
        with opened(path) as stream:
            for line, record in Records(Line, self._note, MARK).read(stream):
                yield from reading.feed(line, record)
        yield from reading.finish()

    def before(self, reading: Reading, base: Base | None, depth: int = 1) -> Iterator[Event]:
        """What a fork goes on from, read into its own fold."""
        path = self.find(base.thread_id) if base and depth <= _DEPTH else None
        if base is None or path is None or base.thread_id in {*self._read, reading.session}:
            return
        self._read.add(base.thread_id)
        end = base.end_ordinal_exclusive
        own, reading.shift = reading.shift, PARENT * depth
        with opened(path) as stream:
            for line, record in Records(Line, self._note, MARK).read(stream):
                if end is not None and (record.ordinal or line - 1) >= end:
                    break
                if record.type == "session_meta" and record.payload:
                    yield from self.before(reading, record.payload.history_base, depth + 1)
                    reading.shift = PARENT * depth
                    continue
                yield from reading.feed(line, record)
        reading.shift = own

    def _note(self, problem: Problem) -> None:
        self._problems[problem.kind] += 1


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


def ancestor(path: Path, depth: int) -> Path | None:
    """The rollout that a fork goes on from, `depth` forks before; itself for 0."""
    for _ in range(min(depth, _DEPTH + 1)):
        with opened(path) as stream:
            lines = Records(Line, lambda _: None, MARK).read(stream)
            _, first = next(lines, (0, Line()))
        base = first.payload.history_base if first.payload else None
        found = find(path, base.thread_id) if base else None
        if found is None:
            return None
        path = found
    return path


def _rolled_back(path: Path) -> list[tuple[int, int]]:
    """Ranges of lines, first included and last not, that the person went back behind."""
    starts: list[int] = []
    gone: list[tuple[int, int]] = []
    if not _holds(path, _BACK):
        return gone
    records = Records(Line, lambda _: None, MARK)
    with opened(path) as stream:
        for line, raw in bounded(stream):
            head = raw[:_HEAD] if raw else b""
            if b'"UserMessage"' in head or b'"user_message"' in head:
                starts.append(line)
            elif raw and _BACK in head:
                record = records.one(raw)
                turns = (record.payload.num_turns or 0) if record and record.payload else 0
                if turns > 0 and starts:
                    gone.append((starts[-turns:][0], line))
                    del starts[-turns:]
    return gone


def _holds(path: Path, sign: bytes) -> bool:
    """Whether a rollout has these bytes; seldom, so that no line is looked at for them."""
    with opened(path) as stream:
        rest = b""
        while chunk := stream.read(_CHUNK):
            if sign in chunk or sign in rest + chunk[: len(sign)]:
                return True
            rest = chunk[-len(sign) :]
    return False
