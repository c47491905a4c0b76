"""All that is known on this machine, as threads, the newest first.

Every session, checkpoint and waiting backup is known in brief (`Finder`), gathered by work tree and
branch (`_Groups`), and judged with what git says now. Only what is new or has changed since the last
look is read.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from onward import open_work
from onward.commands import saves
from onward.commands.overview import places as places_of
from onward.commands.overview.places import Cleaner, Place, Places
from onward.commands.world import World
from onward.errors import OnwardError
from onward.model import Clean, RepoState
from onward.open_work import BROKEN, NOTHING, Fault, Known, Thread, Today
from onward.storage import live, markers, overview, reading
from onward.storage.names import AUTOSAVE, AUTOSAVE_LOG
from onward.storage.ranking import LIVE, WORK, rank
from onward.storage.sessions import open_now
from onward.transcripts import registry

_CHECKPOINTS = 100
"""Of one project, the newest: a repository of somebody else's may hold any number."""
_DIRTY = 2000
"""Uncommitted paths of one work tree that are looked through."""

Tell = Callable[[int, int], None]
"""Called with how many files were read, of how many."""


class Seen(NamedTuple):
    """One thread, where it lies, and the file that its lead was told from."""

    thread: Thread
    place: Place
    branch: Clean
    state: RepoState[str] | None
    file: Path
    live: bool = False
    """A session of it is open at this moment."""


class Look(NamedTuple):
    """What one look found."""

    seen: list[Seen]
    faults: Mapping[Fault, int]
    """How many files cannot be told, by what is at fault."""
    closed: tuple[registry.Unread, ...]
    """Folders and databases of clients that cannot be read."""


class _Backup(NamedTuple):
    """One that nobody has looked at. `session` is "" where the log does not tell it."""

    path: Path
    session: str
    root: Path


def look(world: World, tell: Tell) -> Look:
    """All threads on this machine. `tell` is told how far the reading has come."""
    places = Places(world.home)
    finder = Finder(world, places, tell)
    unread: list[OSError] = []
    every = finder.known(dict.fromkeys(registry.transcripts(world.home, world.env, unread)))
    held = {path: brief for path, brief in every.items() if brief.kept}
    projects = _projects(world, places, held.values())
    backups = [backup for place in projects for backup in _pending(place)]
    kept = finder.known(_alone(backups, {brief.session for brief in held.values()}))
    held |= {path: brief for path, brief in kept.items() if brief.kept}
    files = _checkpoints(projects)
    saved = finder.known(files)
    finder.close()
    groups = _Groups(places)
    groups.add_sessions(held.values())
    groups.add_saved((brief, files[path]) for path, brief in saved.items() if brief.kept)
    groups.add_backups(backups)
    told_from = {brief: path for path, brief in (held | saved).items()}
    running = {*open_now(str(world.data), world.now.timestamp())} - {registry.current(world.env)}
    seen = [
        each._replace(live=any(brief.session in running for brief in each.thread.sessions))
        for each in groups.judged(Cleaner(world), told_from)
    ]
    seen.sort(key=lambda e: rank(LIVE if e.live else WORK, e.thread.ended), reverse=True)
    faults = Counter(brief.fault for brief in (*every.values(), *saved.values()))
    return Look(seen, faults, (*registry.closed(unread),))


class Finder:
    """What is known of files, read or remembered."""

    def __init__(self, world: World, places: Places, tell: Tell) -> None:
        self._world, self._places, self._tell = world, places, tell
        self._kept = overview.load(world.data)
        self._used: dict[str, Known] = {}
        self._new = 0

    def known(self, files: Mapping[Path, Path | None]) -> dict[Path, Known]:
        """Each file in brief: transcripts, with None; checkpoints, with the root of their project."""
        found: dict[Path, Known] = {}
        missing: dict[Path, str] = {}
        for path in files:
            try:
                key = overview.key(path.stat())
            except OSError:  # removed a moment ago
                continue
            kept = self._kept.get(key)
            if kept and self._holds(kept):
                found[path] = self._used[key] = kept
            elif os.access(path, os.R_OK):
                missing[path] = key
            else:
                found[path] = BROKEN
        if missing:
            found |= self._read(missing, files)
        return found

    def close(self) -> None:
        """Keep what was read, without what is no longer there."""
        if self._new or len(self._used) < len(self._kept):
            overview.keep(self._world.data, self._used)

    def _holds(self, kept: Known) -> bool:
        """Whether redaction is still asked for the same, and no note came since: one may be kept after
        the last write of its transcript.
        """
        if not kept.kept or kept.away:
            return True
        if live.noted(str(self._world.data), kept.session) not in {0, kept.note_at}:
            return False
        return self._places.rules(self._places.folder(kept.folder)) == kept.rules

    def _read(
        self, missing: Mapping[Path, str], files: Mapping[Path, Path | None]
    ) -> dict[Path, Known]:
        from onward.commands.overview.reading import Reader  # noqa: PLC0415 - half a second

        reader, found = Reader(self._world, self._places), dict[Path, Known]()
        try:
            for path, key in missing.items():
                self._tell(len(found), len(missing))
                found[path] = brief = reader.read(path, files[path])
                if not brief.unkept:
                    self._used[key] = brief
                    self._new += 1
        except KeyboardInterrupt:
            overview.keep(self._world.data, self._kept | self._used)
            raise
        self._tell(len(missing), len(missing))
        return found


class _Group:
    """What belongs to one thread, while it is being gathered."""

    def __init__(self, place: Place, branch: Clean) -> None:
        self.place, self.branch = place, branch
        self.sessions: list[Known] = []
        self.named: list[Known] = []
        self.backups = 0
        self.operation = ""

    @property
    def ended(self) -> str:
        return max((each.ended for each in (*self.sessions, *self.named)), default="")

    @property
    def wants_git(self) -> bool:
        """Whether what git says can change what is told: it costs a process."""
        return any(each.loose for each in self.sessions)


class _Groups:
    """The threads, while they are being gathered, by root and branch."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._all: dict[tuple[Path, str], _Group] = {}
        self._of_session: dict[str, _Group] = {}

    def add_sessions(self, held: Iterable[Known]) -> None:
        """Every session to its thread."""
        for brief in held:
            if brief.away:
                place = Place(Path(brief.folder), gone=True)
            else:
                place = self._places.of(self._places.folder(brief.folder))
            group = self._group(place, brief.branch)
            group.sessions.append(brief)
            self._of_session[brief.session] = group

    def add_saved(self, saved: Iterable[tuple[Known, Path]]) -> None:
        """Every named checkpoint to the thread of its session, else of its branch. An autosave
        tells only of a session whose transcript is gone.
        """
        for brief, root in saved:
            own, place = self._of_session.get(brief.session), self._places.of(root)
            is_auto = str(brief.name) == AUTOSAVE
            if own is None or own.place.root != place.root:
                own = self._group(place, brief.branch) if brief.branch else self._newest(place)
            elif is_auto:
                continue
            (own.sessions if is_auto else own.named).append(brief)

    def add_backups(self, backups: Iterable[_Backup]) -> None:
        """Every backup to the thread of its session, else to the newest one of its project."""
        for backup in backups:
            own = self._of_session.get(backup.session)
            if own is None or own.place.root != backup.root:
                own = self._newest(self._places.of(backup.root))
            own.backups += 1

    def judged(self, cleaner: Cleaner, files: Mapping[Known, Path]) -> list[Seen]:
        """What git says now, and then whether each is open."""
        whole = [each for each in self._all.values() if each.sessions or each.named]
        wanting = {each.place.root: each.place for each in whole if each.wants_git}
        states = places_of.states(wanting.values())
        for place in {each.place.root: each.place for each in whole}.values():
            operation, branch = places_of.under_way(place)
            if operation:  # a rebase leaves no branch: it is taken for one of the newest thread
                group = self._all.get((place.root, branch)) or self._newest(place)
                group.operation = operation
        return [_seen(each, states.get(each.place.root), cleaner, files) for each in whole]

    def _group(self, place: Place, branch: Clean) -> _Group:
        return self._all.setdefault((place.root, branch), _Group(place, branch))

    def _newest(self, place: Place) -> _Group:
        own = [each for each in self._all.values() if each.place.root == place.root]
        return max(own, key=lambda each: each.ended, default=None) or self._group(
            place, NOTHING.branch
        )


def _projects(world: World, places: Places, held: Iterable[Known]) -> list[Place]:
    """Where checkpoints and backups may lie: wherever a session was held or saved, and here."""
    folders = [places.folder(brief.folder) for brief in held if not brief.away]
    folders += [Path(root) for root in saves.roots(str(world.data))]
    found = (places.of(folder) for folder in (*folders, world.cwd))
    return list({place.root: place for place in found if not place.gone}.values())


def _checkpoints(projects: Iterable[Place]) -> dict[Path, Path]:
    """The files of all checkpoints, each with its project's root."""
    found: dict[Path, Path] = {}
    for place in projects:
        files = reading.files(places_of.located(place).checkpoints, "*.md", inside=place.root)
        newest = sorted(files, key=lambda path: -files[path].st_mtime_ns)[:_CHECKPOINTS]
        found |= {path: place.root for path in newest if path.stem != AUTOSAVE_LOG}
    return found


def _pending(place: Place) -> list[_Backup]:
    """The backups of a project that have work in them, and that nobody has looked at."""
    project = places_of.located(place)
    with suppress(OnwardError, OSError):
        if markers.pending(project):
            from onward.storage import backups  # noqa: PLC0415 - only where one waits

            return [
                _Backup(each.path, each.session, project.root)
                for each in backups.entries(project)
                if each.pending and each.standing == WORK
            ]
    return []


def _alone(backups: Iterable[_Backup], sessions: Collection[str]) -> dict[Path, None]:
    """Those of sessions whose transcripts are gone: of each session the newest."""
    found: dict[str, Path] = {}
    for backup in backups:
        if backup.session not in sessions:
            found.setdefault(backup.session or str(backup.path), backup.path)
    return dict.fromkeys(found.values())


def _seen(
    group: _Group, state: RepoState[str] | None, cleaner: Cleaner, files: Mapping[Known, Path]
) -> Seen:
    place = group.place
    paths = state.dirty[:_DIRTY] if state else ()
    dirty = tuple(cleaner.text(path, place.root) for path in paths)
    now = Today(
        dirty=dirty,
        operation=group.operation,
        branch_gone=places_of.branch_gone(place, group.branch),
        backups=group.backups,
    )
    thread = open_work.judge(group.sessions, group.named, now)
    return Seen(thread, place, group.branch, state, files[thread.lead])
