"""`search`: what is wanted, and one file looked through; what is kept of a hit is small, however many there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path, PurePath
from threading import Lock
from typing import Any, Final

from msgspec import Struct, structs

from onward.commands.search_files import Place, root_of
from onward.commands.world import World
from onward.documents import times
from onward.errors import InputError, OnwardError, UsageError
from onward.search.query import Query, Sieve, parse
from onward.search.record import By, Facts, Record, records_of, score, touches
from onward.storage import reading
from onward.transcripts import lines, registry
from onward.transcripts.registry import below

OURS: Final = ("checkpoint", "document")
UNKNOWN: Final = 3650.0
"""Days: the age of what has no time."""
_LARGEST = 20_000_000  # bytes of a file of ours; none comes near
_AGO = re.compile(r"(\d{1,5}) ?(m|h|d|w)")
_HOURS: Final = {"m": 1 / 60, "h": 1, "d": 24, "w": 168}
_NAMED: Final = {"today": 0, "yesterday": 1}


class Wish(Struct, frozen=True, kw_only=True):
    """What a record must be, beside holding the words; "" and None ask for nothing."""

    query: Query
    word: bool = False
    """Whether each term must stand there as a word of its own."""
    by: By | None = None
    project: str = ""
    """A folder, absolute, or the last part of one."""
    since: datetime | None = None
    until: datetime | None = None
    file: str = ""
    session: str = ""
    """The only session: a file, an id or a name as it was typed, then the id of its records."""


def wish(
    world: World, words: tuple[str, ...], *, since: str, until: str, project: str, **given: Any
) -> Wish:
    """The wish behind the words and options. Raises UsageError."""
    query = parse(words)
    if not (query.terms or given["file"] or given["session"]):
        raise UsageError("there is nothing to look for", "onward search WORDS")
    # A folder in full where one is meant, else the name of one.
    if project in {".", ".."} or any(sign in project for sign in "/\\"):
        project = str((world.cwd / Path(project).expanduser()).resolve())
    return Wish(
        query=query,
        project=project,
        since=_time(world, since, "--since"),
        until=_time(world, until, "--until", whole_day=True),
        **given,
    )


def _time(world: World, given: str, option: str, *, whole_day: bool = False) -> datetime | None:
    """A day, a time, or how long ago; in the user's own zone where none is named."""
    if not given:
        return None
    given, day = given.strip().lower(), timedelta(days=1 if whole_day else 0)
    if ago := _AGO.fullmatch(given):
        return (world.now - timedelta(hours=int(ago[1]) * _HOURS[ago[2]])).astimezone(UTC)
    if (back := _NAMED.get(given)) is not None:
        midnight = world.now.replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight - timedelta(days=back) + day).astimezone(UTC)
    try:
        at = datetime.fromisoformat(given.upper())
    except ValueError:
        message = f"{option} takes a day, a time or an age"
        raise UsageError(message, f"onward search WORDS {option} 2026-03-01") from None
    at = at if at.tzinfo else at.replace(tzinfo=world.now.tzinfo)
    return (at if ":" in given else at + day).astimezone(UTC)


class Hit(Struct, frozen=True, kw_only=True, gc=False):
    """A record that is wanted: what ranks it, and where to read it again."""

    score: float
    when: str
    place: Place
    at: int
    """Bytes before its line; of a file of ours, records before it."""
    number: int
    """Which of the line's records it is, from 0."""
    group: str
    """The session, or the file, that it is of."""
    missing: tuple[int, ...]
    """As `Match.missing`."""
    same: int
    """What it says and who says it, as a number: equal for copies of one record."""


class Looked(Struct, kw_only=True):
    """One file, looked through."""

    place: Place
    facts: Facts = Facts()
    hits: list[Hit] = []
    broken: int = 0
    """Lines that passed the first sieve and cannot be read."""
    fault: str = ""
    """Why the file, or the rest of it, could not be read."""


class Looker:
    """Looks through files for one wish, also in several threads. `now` is the time that ages are
    counted to; `tell` gets the bytes that were read, as they are.
    """

    def __init__(self, wish: Wish, now: datetime, home: str, tell: Callable[[int], None]) -> None:
        self._wish = wish
        self._now = now
        self._home = home
        self._tell = tell
        # Without words, a file's name is what any line about it holds.
        query = wish.query if wish.query.terms else parse([PurePath(wish.file).name])
        self._sieve = Sieve(query.terms, every=query.whole)
        self._bounds = tuple(times.utc(each) if each else "" for each in (wish.since, wish.until))
        self._within = cache(self._is_within)
        # The sieve leaves Python free; a decoder does not, and crashed when two threads were in it.
        self._decoding = Lock()

    def look(self, place: Place) -> Looked:
        """What a file holds of what is wanted; one that cannot be read is told of."""
        looked = Looked(place=place)
        try:
            if place.kind in OURS:
                for number, record in enumerate(saved(place)):
                    self._weigh(looked, record, number, 0)
            else:
                self._transcript(looked)
        except OSError as error:
            looked.fault = error.strerror or "the system refused"
        except OnwardError as error:
            looked.fault = error.message
        return looked

    def _transcript(self, looked: Looked) -> None:
        client = looked.place.client

        def begin(head: bytes) -> None:
            nonlocal client
            with self._decoding:
                client = client or registry.client_of(head)
                looked.facts = client.facts(head) if client else Facts()

        found = lines.passing(looked.place.path, self._sieve.lines, begin, self._tell)
        for at, raw in found:
            if client is None:
                looked.fault = "no transcript of an agent that onward knows"
                return
            try:
                with self._decoding:
                    records = registry.records(client, raw)
            except ValueError:
                looked.broken += raw.endswith(b"\n")  # else it is being written
                continue
            for number, record in enumerate(records):
                self._weigh(looked, told(record, looked.facts), at, number)

    def _weigh(self, looked: Looked, record: Record, at: int, number: int) -> None:
        """Keep a record that is wanted."""
        wish, place = self._wish, looked.place
        since, until = self._bounds
        is_early = since and record.at < since[:-1]
        is_late = until and not "" < record.at < until[:-1]
        if (wish.by and record.by != wish.by) or is_early or is_late:
            return
        if wish.file and not touches(record, wish.file):
            return
        if wish.project and not self._within(str(place.root or ""), record.cwd):
            return
        match = wish.query.match(record.text)
        if not match or (wish.word and not match.in_words):
            return
        moment = times.moment(record.at)
        age = (self._now - moment).total_seconds() / 86400 if moment else UNKNOWN
        ours = place.kind in OURS
        session = record.session or (str(place.path) if ours else looked.facts.session)
        # A transcript may begin with records of another session: they are part of it.
        if wish.session and looked.facts.helper and session != wish.session:
            return
        looked.hits.append(
            Hit(
                score=score(
                    record.by, age, saved=ours, whole=match.in_words, missing=len(match.missing)
                ),
                when=record.at,
                place=place,
                at=at,
                number=number,
                group=session or str(place.path),
                missing=match.missing,
                same=hash((session, record.by, record.text.strip())),
            )
        )

    def _is_within(self, root: str, cwd: str) -> bool:
        wanted = self._wish.project
        tops = {root, cwd, root_of(cwd, self._home)} - {""}
        if PurePath(wanted).is_absolute():
            return any(below(top, wanted) for top in tops)
        names = {top.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold() for top in tops}
        return wanted.casefold() in names


def saved(place: Place) -> list[Record]:
    """The records of a file of ours. Raises OnwardError."""
    if place.size > _LARGEST:
        raise InputError(f"{place.path} is too large for a file of ours", "onward list")
    at = times.utc(datetime.fromtimestamp(place.mtime, UTC))
    return [*records_of(place.text if place.address else reading.text(place.path), at=at)]


def told(record: Record, facts: Facts) -> Record:
    """The record with what the beginning of its file tells of it."""
    by: By = "agent" if facts.helper and record.by == "user" else record.by
    return structs.replace(
        record,
        by=by,
        at=record.at or facts.at,
        session=record.session or facts.session,
        cwd=record.cwd or facts.cwd,
        branch=record.branch or facts.branch,
    )
