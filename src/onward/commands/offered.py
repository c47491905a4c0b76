"""What a project offers to go on with, in one order: backups that wait, and places that were saved.

A saved place and a later backup of the same thread of work are one entry, as are the backups of one
session. A session that is open in another window is told, and not offered.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward.briefing.status import status_line
from onward.briefing.text import code, one_line, shorten
from onward.commands import handover, shared, thread
from onward.commands.result import compose
from onward.commands.world import World
from onward.errors import OnwardError, StorageError
from onward.model import Clean
from onward.storage import backups, checkpoints, documents, overview, reading, sessions
from onward.storage.backups import Backup
from onward.storage.checkpoints import AUTOSAVE
from onward.storage.project import Project
from onward.storage.ranking import HEADLESS, LIVE, SAVED, SHOWN, WORK, rank
from onward.storage.sessions import Running
from onward.transcripts import registry

NAMED = 3  # entries that are told; the rest is counted
_SAID = 80  # characters of a task
_PARSED = 30  # saved places whose session is looked up, the newest
BACKUP = "backup"


class Offer(Struct, frozen=True):
    """One piece of work. `at` is in seconds since 1970."""

    kind: str  # `BACKUP`, or the form of a saved place as `saves` has them
    path: Path
    at: float
    standing: int
    session: str = ""
    backups: tuple[Backup, ...] = ()  # all that wait of its session, the first at the front
    also: tuple[Offer, ...] = ()  # older entries of the same thread

    @property
    def word(self) -> str:
        """What names it to `source.load`."""
        return self.path.stem if self.kind == sessions.CHECKPOINT else str(self.path)


Numbered = Iterable[tuple[int, Offer]]


class Offers(NamedTuple):
    """The entries in the order in which they are offered, then those of open sessions."""

    entries: list[Offer]
    live: list[Offer]


def offers(world: World, *, session: str = "") -> Offers:
    """All that the project offers to the session named, else to the one that this call is part of."""
    current = session or registry.current(world.env)
    running = sessions.open_now(str(world.data), world.now.timestamp())
    running.pop(current, None)
    entries = _folded(world, [*_waiting(world.project, running), *_saved(world)])
    entries.sort(key=lambda each: rank(each.standing, each.at), reverse=True)
    live = [each for each in entries if each.standing == LIVE]
    return Offers([each for each in entries if each.standing != LIVE], live)


def _waiting(project: Project, running: Mapping[str, Running]) -> Iterator[Offer]:
    """One entry for each session whose backups wait, and for each that is open elsewhere."""
    with suppress(StorageError):  # what cannot be written can still be read
        backups.clean(project)
    known = {each.path: each for each in backups.entries(project)}
    groups: dict[str, list[Backup]] = {}
    for path in backups.pending(project):
        if each := known.get(path):
            groups.setdefault(each.session or path.name, []).append(each)
    for group in groups.values():
        first, ended = group[0], handover.changed(group[0].path)
        with suppress(ValueError, OverflowError):  # as the name of its copy tells to the second
            ended = time.mktime(time.strptime(first.taken, "%Y%m%d_%H%M%S")) + 1
        standing = LIVE if first.session in running else first.standing
        yield Offer(BACKUP, first.path, ended, standing, first.session, tuple(group))
    for session, record in running.items():
        path = Path(record.transcript)
        if session not in groups and record.root == str(project.root) and path.is_file():
            yield Offer(BACKUP, path, handover.changed(path), LIVE, session)


def _saved(world: World) -> Iterator[Offer]:
    redactor = world.display_redactor
    for number, (path, kind) in enumerate(places(world).items()):
        whose = ""
        with suppress(OnwardError, OSError, ValueError):  # it is named all the same
            if number < _PARSED:
                whose = shared.parse(kind, reading.text(path), redactor).origin.session
        yield Offer(kind, path, handover.changed(path), SAVED, whose)


def places(world: World) -> dict[Path, str]:
    """The places that sessions saved, by form, the newest first, without declined ones."""
    project = world.project
    written = documents.sessions(project)
    found = {Path(os.path.realpath(each)): sessions.DOCUMENT for each in written}
    for save in sessions.saves(str(world.data), str(project.root)):
        if save.kind in {sessions.DOCUMENT, sessions.PROTOCOL}:
            found[Path(save.file)] = save.kind
    protocol = documents.protocol(project)
    if protocol.is_file() and reading.is_within(protocol, project.root):
        found[Path(os.path.realpath(protocol))] = sessions.PROTOCOL
    for name in checkpoints.names(project):
        if name != AUTOSAVE:
            found[checkpoints.path_of(project, name)] = sessions.CHECKPOINT
    marks = overview.marks(world.data)
    kept = [each for each in found if not overview.is_declined(marks, project.root, each)]
    return {each: found[each] for each in sorted(kept, key=handover.changed, reverse=True)}


def _folded(world: World, found: list[Offer]) -> list[Offer]:
    """The entries, each older one of a thread behind the newer that goes on with it."""
    kept = list[tuple[Offer, set[str], list[Offer]]]()
    for each in sorted(found, key=lambda each: each.at, reverse=True):
        lead = {each.standing} | ({WORK, HEADLESS} if each.standing == SAVED else set())
        same = (one for one in kept if each.session in one[1] and one[0].standing in lead)
        if own := next(same, None):
            own[2].append(each)
        else:
            before = thread.ancestors(world, each.session) if each.session else ()
            kept.append((each, {each.session, *before} - {""}, []))
    return [
        replace(first, also=tuple(also), standing=min(each.standing for each in (first, *also)))
        for first, _, also in kept
    ]


# --------------------------------------------------------------------------- as it is told


def rows(world: World, numbered: Numbered) -> tuple[Clean, ...]:
    """A line for each of the next ones, with its number; then how many more there are."""
    every = list(numbered)
    told = [compose(f"{number}. {_line(world, each)}") for number, each in every[:NAMED]]
    more = len(every) - len(told)
    return (*told, *([compose(f"and {more} more")] if more else ()))


def live_rows(world: World, found: Offers) -> tuple[Clean, ...]:
    """A line for each session with work in it that is open in another window."""
    return tuple(
        compose(f"open in another window, not offered: {_line(world, each)}")
        for each in found.live
        if _told(world, each)
    )


def _line(world: World, each: Offer) -> str:
    redactor = world.display_redactor
    age = f"{world.age(each.at)} old"
    what: str = redactor.text(each.path.name)
    if each.kind != BACKUP:
        shown = handover.shown(world, each.path, each.kind)
        what = handover.KINDS[each.kind][0]
        what = f"{what} {code(redactor.text(shown))}" if shown else what
    kind = SHOWN.get(each.backups[0].standing, "") if each.backups else ""
    places_ = [other for other in each.also if other.kind == sessions.CHECKPOINT]
    also = f"saved before as {code(redactor.text(places_[0].word))}" if places_ else ""
    return " · ".join(filter(None, (what, kind, age, *_told(world, each), also)))


def _told(world: World, each: Offer) -> tuple[str, ...]:
    """Task and status; nothing of what cannot be read: it can be picked all the same."""
    with suppress(OnwardError, OSError, ValueError):
        if each.kind == BACKUP:
            found = handover.early(world, each.session, each.path)
        else:
            redactor = world.display_redactor
            found = redactor.draft(shared.parse(each.kind, reading.text(each.path), redactor))
        if found:
            return shorten(one_line(found.task.text), _SAID), status_line(found, short=True)
    return ()
