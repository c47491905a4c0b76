"""`search`: the files that are looked through, the clients' own before the copies of them; what is wanted,
and one file looked through. What is kept of a hit is small, however many there are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain
from pathlib import Path, PurePath
from threading import Lock
from typing import Any, Final, Literal

from msgspec import Struct, structs

from onward import commands
from onward.commands.world import World
from onward.documents import times
from onward.errors import InputError, OnwardError, UsageError
from onward.search.query import Query, Sieve, parse
from onward.search.record import By, Facts, Record, Scored, records_of, score, touches
from onward.storage import machine, project, reading, roots, sessions
from onward.storage.checkpoints import AUTOSAVE_LOG
from onward.transcripts import disk, registry
from onward.transcripts.reader import PENDING, remember
from onward.transcripts.registry import AGENTS, Agent, Unread, below

Kind = Literal["transcript", "backup", "checkpoint", "document"]

HELPER: Final = "agent-"  # what the names of sub-agents' own files begin with
_RAW = (".jsonl", ".jsonl.zst")
OURS: Final = ("checkpoint", "document")
UNKNOWN: Final = 3650.0  # days: the age of what has no time
EVERY: Final = "all"  # stands for a session's name where none is meant
_LARGEST = 20_000_000  # bytes of a file of ours; none comes near
_AGO = re.compile(r"(\d{1,5}) ?(m|h|d|w)")
_HOURS: Final = {"m": 1 / 60, "h": 1, "d": 24, "w": 168}
_NAMED: Final = {"today": 0, "yesterday": 1}


class Place(Struct, frozen=True):
    """One file; another machine's has an `address` (`NAME@MACHINE`) and its `text`."""

    path: Path
    kind: Kind
    size: int
    mtime: float
    client: Agent | None = None
    root: Path | None = None
    address: str = ""
    text: str = ""


def transcripts(world: World, clients: Iterable[Agent], unread: list[Unread]) -> list[Place]:
    """The clients' own files, the newest first."""
    found: list[Place] = []
    for client in clients:
        faults: list[OSError] = []
        own = client.files(world.home, world.env, faults)
        for path in chain(own, client.kept(world.home, world.env)):
            found += _place(path, "transcript", unread, client=client)
        unread += registry.closed(faults)
    return sorted(found, key=lambda place: -place.mtime)


def projects(world: World, folders: Iterable[str]) -> list[Path]:
    """This project, and all that sessions were held or saved in and that still exist."""
    tops = dict.fromkeys([str(world.cwd), *folders, *sorted(sessions.saved_roots(str(world.data)))])
    found = dict.fromkeys(root for folder in tops if (root := root_of(folder, str(world.home))))
    return [Path(root) for root in found]


@cache
def root_of(folder: str, home: str) -> str:
    """The project that a folder belongs to; "" where it is none, or gone."""
    if not os.path.isdir(folder):  # noqa: PTH112 - asked of every session's folder
        return ""
    return roots.project(folder, home)[0]


def of_project(world: World, root: Path, unread: list[Unread]) -> list[Place]:
    """The checkpoints, documents, backups of a project, and what other machines pushed."""
    try:
        ours = project.locate(root, root, world.home)
    except OnwardError as error:
        unread.append(Unread(root, error.message))
        return []
    kinds: tuple[tuple[Kind, Path, str, tuple[str, ...]], ...] = (
        ("checkpoint", ours.checkpoints, "", (".md",)),
        ("document", ours.memory, "session-", (".md",)),
        ("backup", ours.memory / "raw", "", _RAW),
    )
    own = list[Place]()
    for kind, folder, begins, ends in kinds:
        for path in _listed(folder, unread):
            name = path.name
            if name.startswith(begins) and name.endswith(ends) and path.stem != AUTOSAVE_LOG:
                own += _place(path, kind, unread, root=root)
    return own + _of_others(world, ours, unread)


def _of_others(world: World, ours: project.Project, unread: list[Unread]) -> list[Place]:
    """Other machines' records in a project, with their text, if a key here opens them."""
    stem = machine.shared_stem(str(world.data), str(ours.root))
    if not os.path.isfile(f"{stem}.json"):  # noqa: PTH113 - asked of every project
        return []
    shared = commands.shared  # few projects share anything, and git and keys are dear to load
    try:
        there = structs.replace(world, known=ours)
        peers = shared.pulled(there).peers
        known = [(peer, each) for peer in peers for each in peer.held if each.kind != "protocol"]
        texts = list(shared.texts(there, [held for _, held in known]))
    except OnwardError as error:
        unread.append(Unread(Path(f"{stem}.git"), error.message))
        return []
    folder, found = shared.bare(there).folder, list[Place]()
    for (peer, held), text in zip(known, texts, strict=True):
        kind: Kind = "checkpoint" if held.kind == "checkpoint" else "document"
        if text is not None:
            path, saved = folder / kind / f"{held.name}@{peer.writer}", times.seconds(held.saved)
            place = Place(path, kind, len(text.encode()), saved, root=ours.root, text=text)
            found.append(structs.replace(place, address=f"{held.name}@{peer.label}"))
    return found


def of_session(world: World, main: Path, unread: list[Unread]) -> list[Place]:
    """The transcript of one session, and the files that may be its sub-agents'."""
    every = transcripts(world, AGENTS, unread)
    folder = main.with_suffix("")
    beside = [
        each
        for each in every
        if folder in each.path.parents
        or (each.path.parent == main.parent and each.path.name.startswith(HELPER))
    ]
    own = [each for each in every if each.path == main]
    # Elsewhere it is a copy: its id may lead to another file, or to none.
    own = own or [*_place(main, "backup", unread, client=registry.agent_of(main))]
    return own + beside


def named(names: str) -> list[Agent]:
    """The clients that a name means, or begins; all of them for ""."""
    return [client for client in AGENTS if client.NAME.startswith(names.lower())]


def _listed(folder: Path, unread: list[Unread]) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        unread.append(Unread(folder, error.strerror or "the system refused"))
        return []


def _place(
    path: Path,
    kind: Kind,
    unread: list[Unread],
    client: Agent | None = None,
    root: Path | None = None,
) -> Iterator[Place]:
    try:
        disk = path.stat()
    except FileNotFoundError:  # removed meanwhile
        return
    except OSError as error:
        unread.append(Unread(path, error.strerror or "the system refused"))
        return
    if path.is_file() and disk.st_size:  # a pipe would be waited for without end
        yield Place(path, kind, disk.st_size, disk.st_mtime, client, root)


# ------------------------------------------------------------- what is wanted, and one file


class Wish(Struct, frozen=True, kw_only=True):
    """What a record must be, beside holding the words; "" and None ask for nothing."""

    query: Query
    by: By | None = None
    agent: str = ""  # a client's name, or how it begins
    project: str = ""  # a folder, absolute, or the last part of one
    since: datetime | None = None
    until: datetime | None = None
    file: str = ""
    session: str = ""  # a file, an id or a name as typed, then the id of its records
    briefed: str = ""  # the id of that session, if nobody named it
    edits: bool = False  # a call that edits files
    failed: bool = False  # the result of a call that failed; the call holds words and files, too

    @property
    def newest_first(self) -> bool:
        """Whether what was done last is worked on: all of a session, edits, and what failed."""
        every = self.session and not (self.query.terms or self.file)
        return self.query.whole and bool(self.failed or self.edits or every)


def wish(
    world: World,
    words: tuple[str, ...],
    *,
    since: str,
    until: str,
    project: str,
    briefed: tuple[str, Path] | None = None,
    **given: Any,
) -> Wish:
    """The wish behind words and options; `briefed`: the session to look in. Raises UsageError."""
    query, session = parse(words), given.pop("session")
    if briefed or session == EVERY:
        session = str(briefed[1]) if briefed else ""
    if not (query.terms or session or any(given[each] for each in ("file", "failed", "edits"))):
        raise UsageError("there is nothing to look for", "onward search WORDS")
    # A folder in full where one is meant, else the name of one.
    if project in {".", ".."} or any(sign in project for sign in "/\\"):
        project = str((world.cwd / Path(project).expanduser()).resolve())
    return Wish(
        query=query,
        project=project,
        since=_time(world, since, "--since"),
        until=_time(world, until, "--until", whole_day=True),
        session=session,
        briefed=briefed[0] if briefed else "",
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


class Hit(Scored, frozen=True, gc=False):
    """A record that is wanted: what ranks it, and where to read it again."""

    when: str
    place: Place
    at: int  # bytes before its line; of a file of ours, records before it
    number: int  # which of the line's records it is, from 0
    missing: tuple[int, ...]  # as `Match.missing`
    call: int  # bytes before the line of the call whose result failed; else as `at`
    same: int  # what it says and who says it, as a number: equal for copies of one record


class Looked(Struct, kw_only=True):
    """One file, looked through."""

    place: Place
    facts: Facts = Facts()
    hits: list[Hit] = []
    broken: int = 0  # lines that passed the first sieve and cannot be read
    fault: str = ""  # why the file, or the rest of it, could not be read


class Looker:
    """Looks through files for one wish, in several threads; `tell` gets the bytes read."""

    def __init__(self, wish: Wish, now: datetime, home: str, tell: Callable[[int], None]) -> None:
        self._wish = wish
        self._now = now
        self._home = home
        self._tell = tell
        # Without words, a file's name is what any line about it holds.
        query = wish.query if wish.query.terms else parse([PurePath(wish.file).name])
        # A call and its result are two lines as a rule.
        self._sieve = Sieve(() if wish.failed else query.terms, every=query.whole)
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
                    self._weigh(looked, record, number, 0, number)
            else:
                self._transcript(looked)
        except OSError as error:
            looked.fault = error.strerror or "the system refused"
        except OnwardError as error:
            looked.fault = error.message
        return looked

    def _transcript(self, looked: Looked) -> None:
        client, calls = looked.place.client, dict[str, tuple[int, Record]]()

        def begin(head: bytes) -> None:
            nonlocal client
            with self._decoding:
                client = client or registry.client_of(head)
                looked.facts = client.reader.facts(head) if client else Facts()

        found = disk.passing(looked.place.path, self._sieve.lines, begin, self._tell)
        for at, raw in found:
            if client is None:
                looked.fault = "no transcript of an agent that onward knows"
                return
            try:
                with self._decoding:
                    records = client.reader.heard(raw)
            except ValueError:
                looked.broken += raw.endswith(b"\n")  # else it is being written
                continue
            for number, record in enumerate(records):
                whole, call = record, at
                if self._wish.failed and record.tool:
                    remember(calls, record.call, (at, record), PENDING)
                elif record.failed and record.call in calls:
                    call, made = calls[record.call]
                    text = f"{made.tool}\n{made.text}\n{record.text}"
                    files = (*made.files, *record.files)
                    whole = structs.replace(record, text=text, files=files, edits=made.edits)
                self._weigh(looked, told(whole, looked.facts), at, number, call)

    def _weigh(self, looked: Looked, record: Record, at: int, number: int, call: int) -> None:
        """Keep a record that is wanted."""
        wish, place = self._wish, looked.place
        since, until = self._bounds
        is_early = since and record.at < since[:-1]
        is_late = until and not "" < record.at < until[:-1]
        if (wish.by and record.by != wish.by) or is_early or is_late:
            return
        if (wish.failed and not record.failed) or (wish.edits and not record.edits):
            return
        if wish.file and not touches(record, wish.file):
            return
        if wish.project and not self._within(str(place.root or ""), record.cwd):
            return
        match = wish.query.match(record.text)
        if not match:
            return
        moment = times.moment(record.at)
        age = (self._now - moment).total_seconds() / 86400 if moment else UNKNOWN
        ours = place.kind in OURS
        session = record.session or (str(place.path) if ours else looked.facts.session)
        # A transcript may begin with records of another session: they are part of it.
        if wish.session and looked.facts.helper and session != wish.session:
            return
        lacks = match.missing
        points = score(record.by, age, saved=ours, whole=match.in_words, missing=len(lacks))
        # The same command that failed the same way twice did so twice.
        said = (session, record.by, record.text.strip(), record.call if wish.failed else "")
        same, group = hash(said), session or str(place.path)
        looked.hits.append(Hit(points, group, record.at, place, at, number, lacks, call, same))

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
    same = ("at", "session", "cwd", "branch")
    known = {name: getattr(record, name) or getattr(facts, name) for name in same}
    return structs.replace(record, by=by, **known)
