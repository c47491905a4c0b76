"""All that is known on this machine, as threads, the newest first.

Sessions, checkpoints and waiting backups are known in brief (`Finder`), gathered by work tree and branch,
and judged with what git says now. Only what has changed since the last look is read.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward import commands, open_work, regular
from onward.commands.result import compose
from onward.commands.world import Tell, World, rules_sign
from onward.errors import InputError, NotFoundError, OnwardError
from onward.model import Clean, Draft, RepoState
from onward.open_work import BROKEN, NOTHING, Fault, Known, Thread
from onward.redaction import Redactor
from onward.repo import git
from onward.repo.git import Where
from onward.storage import backups, live, overview, project, reading, roots, sessions
from onward.storage.backups import Backup
from onward.storage.checkpoints import AUTOSAVE, names, path_of
from onward.storage.project import Project
from onward.storage.ranking import LIVE, WORK, rank
from onward.storage.sessions import open_now
from onward.transcripts import registry
from onward.transcripts.reader import SessionInfo

_BRANCH = "ref: refs/heads/"
_AT_ONCE = 8  # processes of git at the same time
_CHECKPOINTS = 100  # of one project, the newest; somebody's repository may hold more
_DIRTY = 2000  # uncommitted paths of one work tree that are looked through

_LARGEST = 32 << 20  # bytes of a transcript that is read whole: a second or two
_TAIL = 8 << 20  # bytes of the end of a larger one
_EVERY = 5000
"""Files that are read until what is known is kept: a first look at very many takes minutes, and may be killed."""


class Place(NamedTuple):
    """Where work lies. `root` is the project's, or the folder itself where it is none, or gone."""

    root: Path
    common: str = ""  # the repository's common git folder; "" without one
    gone: bool = False

    @property
    def name(self) -> str:
        """What people call the project: the main work tree's folder."""
        if self.common and Path(self.common).name == ".git":
            return Path(self.common).parent.name
        # A session may have been held under another system.
        return re.split(r"[\\/]", str(self.root))[-1] or str(self.root)

    @property
    def work_tree(self) -> str:
        """The name of a linked work tree; "" for the main one."""
        return self.root.name if self.common and self.name != self.root.name else ""


class Places:
    """The places of one look, each looked up once, and what makes text of their projects clean."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.expanded = cache(world.expanded)  # few folders hold a hundred thousand sessions
        self.of = cache(self._of)  # the place that a folder belongs to
        self.rules = cache(lambda folder: rules_sign(self.of(folder).root))
        self._redactor = cache(self._made)

    def _of(self, folder: Path) -> Place:
        gone = not folder.is_dir()
        root, common = ("", "") if gone else roots.project(str(folder), str(self._world.home))
        return Place(Path(root or folder), common, gone)

    def redactor(self, folder: Path) -> Redactor | None:
        """With the rules of a folder's project; None, and nothing is told, without them."""
        return self._redactor(folder if folder.is_dir() else self._world.home)

    def _made(self, folder: Path) -> Redactor | None:
        with suppress(OnwardError):
            return replace(self._world, cwd=folder).display_redactor
        return None

    def text(self, text: str, root: Path) -> Clean:
        """One text, in one line."""
        redactor = self.redactor(root)
        return redactor.text(" ".join(text.splitlines())) if redactor else compose("…")

    def path(self, path: Path, root: Path) -> Clean:
        """A path, with `~` for the home folder."""
        return self.text(self._world.shown(path), root)


def located(place: Place) -> Project:
    """The project at a place; where its settings cannot be read, with the usual places."""
    with suppress(OnwardError):
        return project.locate(place.root, place.root)
    return project.usual(place.root)


def branch_gone(place: Place, branch: str) -> bool:
    """Whether a branch was deleted since; False where that cannot be told."""
    if not place.common or not branch or branch == "HEAD":
        return False
    common = Path(place.common)
    if (common / "refs/heads" / branch).exists() or (common / "reftable").exists():
        return False
    packed = b""
    with suppress(OSError):
        packed = regular.head(common / "packed-refs", reading.LARGEST_CACHE)
    # Before the first commit there is no branch at all.
    known = packed or any((common / "refs/heads").glob("*"))
    return bool(known) and f" refs/heads/{branch}\n".encode() not in packed


def states(places: Iterable[Place]) -> dict[Path, RepoState[str]]:
    """What git says of each work tree, all asked at once; nothing of one that is slow."""
    found: dict[Path, RepoState[str]] = {}
    rest = (where for place in places if (where := _where(place)))
    while some := list(islice(rest, _AT_ONCE)):
        begun = [(where, git.begin(where)) for where in some]
        for where, process in begun:
            try:
                found[where.top] = git.read(where, process, patient=False).state
            except OnwardError:  # it belongs to somebody else, or takes its time
                continue
    return found


def under_way(place: Place) -> tuple[str, str]:
    """The merge, rebase or the like under way, and git's branch; ("", "") for nothing."""
    where = _where(place)
    found, head = git.operation(where.own) if where else "", ""
    with suppress(OSError, UnicodeDecodeError):
        if where and found:
            head = regular.head(where.own / "HEAD", 4096).decode().strip()
    return found, head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""


def _where(place: Place) -> Where | None:
    own = "" if place.gone else roots.git_folder(str(place.root))
    return Where(place.root, Path(own), Path(place.common)) if own else None


# --------------------------------------------------------------------- all of it together


class Seen(NamedTuple):
    """One thread, where it lies, and the file that its lead was told from."""

    thread: Thread
    place: Place
    branch: Clean
    state: RepoState[str] | None
    file: Path
    live: bool = False  # a session of it is open at this moment


class _Group(Struct):
    """What belongs to one thread, while it is being gathered."""

    place: Place
    branch: Clean
    sessions: list[Known] = []
    named: list[Known] = []
    backups: int = 0
    operation: str = ""


_Saved = tuple[Known, Path]
_Waiting = tuple[Place, Backup]


class _Groups(dict[tuple[Path, str], _Group]):
    """The threads, while they are being gathered, by root and branch."""

    def of(self, place: Place, branch: Clean) -> _Group:
        return self.setdefault((place.root, branch), _Group(place, branch))

    def newest(self, place: Place) -> _Group:
        """The one of a place in which something was done last."""
        own = [each for each in self.values() if each.place.root == place.root]
        ended = [max((k.ended for k in (*e.sessions, *e.named)), default="") for e in own]
        return own[ended.index(max(ended))] if own else self.of(place, NOTHING.branch)


def look(world: World, tell: Tell) -> tuple[list[Seen], Counter[Fault], list[registry.Unread]]:
    """All threads here; how many files cannot be told, by fault; and what cannot be read at all."""
    places = Places(world)
    finder = Finder(world, places, tell)
    unread: list[OSError] = []
    every = finder.known(dict.fromkeys(registry.transcripts(world.home, world.env, unread)))
    held = {path: brief for path, brief in every.items() if brief.kept}
    # Checkpoints and backups may lie wherever a session was held or saved, and here.
    folders = [places.expanded(brief.folder) for brief in held.values() if not brief.away]
    folders += [*map(Path, sessions.saved_roots(str(world.data))), world.cwd]
    of = {place.root: place for place in map(places.of, folders) if not place.gone}
    projects = list(of.values())
    waiting = [(place, backup) for place in projects for backup in _pending(place)]
    # Of each session whose transcript is gone, the newest backup tells.
    alone, known = dict[str, Path](), {brief.session for brief in held.values()}
    for _, backup in waiting:
        if backup.session not in known:
            alone.setdefault(backup.session or str(backup.path), backup.path)
    kept = finder.known(dict.fromkeys(alone.values()))
    held |= {path: brief for path, brief in kept.items() if brief.kept}
    files = _checkpoints(projects)
    read = finder.known(files)
    saved = {path: brief for path, brief in read.items() if brief.kept}
    finder.close()
    groups = _gathered(places, held.values(), [(b, files[p]) for p, b in saved.items()], waiting)
    told_from = {brief: path for path, brief in (held | saved).items()}
    running = {*open_now(str(world.data), world.now.timestamp())} - {registry.current(world.env)}
    seen = _judged(groups, places, told_from, running)
    seen.sort(key=lambda e: rank(LIVE if e.live else WORK, e.thread.ended), reverse=True)
    faults = Counter(brief.fault for brief in (*every.values(), *read.values()))
    return seen, faults, list(registry.closed(unread))


def _gathered(
    places: Places, held: Iterable[Known], saved: Iterable[_Saved], waiting: Iterable[_Waiting]
) -> _Groups:
    """Sessions to their threads; checkpoints and backups to that of their session, else of their
    branch, else the newest. An autosave tells only of a session whose transcript is gone.
    """
    groups, of_session = _Groups(), dict[str, _Group]()
    for brief in held:
        folder = places.expanded(brief.folder)
        place = Place(Path(brief.folder), gone=True) if brief.away else places.of(folder)
        group = of_session[brief.session] = groups.of(place, brief.branch)
        group.sessions.append(brief)
    for brief, root in saved:
        own, place = of_session.get(brief.session), places.of(root)
        is_auto = str(brief.name) == AUTOSAVE
        if own is None or own.place.root != place.root:
            own = groups.of(place, brief.branch) if brief.branch else groups.newest(place)
        elif is_auto:
            continue
        (own.sessions if is_auto else own.named).append(brief)
    for place, backup in waiting:
        own = of_session.get(backup.session)
        if own is None or own.place.root != place.root:
            own = groups.newest(place)
        own.backups += 1
    return groups


def _judged(
    groups: _Groups, places: Places, files: Mapping[Known, Path], running: set[str]
) -> list[Seen]:
    """What git says now, and then whether each is open."""
    whole = [each for each in groups.values() if each.sessions or each.named]
    # Git costs a process: it is asked where its answer can change what is told.
    wanting = (each for each in whole if any(brief.loose for brief in each.sessions))
    found = states({each.place.root: each.place for each in wanting}.values())
    for place in {each.place.root: each.place for each in whole}.values():
        operation, branch = under_way(place)
        if operation:  # a rebase leaves no branch: it is taken for one of the newest thread
            own = groups.get((place.root, branch)) or groups.newest(place)
            own.operation = operation
    seen = []
    for group in whole:
        place, state = group.place, found.get(group.place.root)
        dirty = tuple(places.text(p, place.root) for p in (state.dirty[:_DIRTY] if state else ()))
        thread = open_work.judge(
            group.sessions,
            group.named,
            dirty,
            branch_gone=branch_gone(place, group.branch),
            operation=group.operation,
            backups=group.backups,
        )
        live = any(brief.session in running for brief in thread.sessions)
        seen.append(Seen(thread, place, group.branch, state, files[thread.lead], live))
    return seen


class Finder:
    """What is known of files, read or remembered."""

    def __init__(self, world: World, places: Places, tell: Tell) -> None:
        self._world, self._places, self._tell = world, places, tell
        self._top = cache(git.top)
        self._kept = overview.load(world.data)
        self._used: dict[str, Known] = {}
        self._new = 0

    def known(self, files: Mapping[Path, Path | None]) -> dict[Path, Known]:
        """Each file in brief: transcripts, with None; checkpoints, with the root of their project."""
        found, missing = dict[Path, Known](), dict[Path, str]()
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
        try:
            for number, (path, key) in enumerate(missing.items()):
                self._tell(number, len(missing))
                if number and number % _EVERY == 0:
                    overview.keep(self._world.data, self._kept | self._used)
                found[path] = brief = self.read(path, files[path])
                if not brief.unkept:
                    self._used[key] = brief
                    self._new += 1
        except KeyboardInterrupt:
            overview.keep(self._world.data, self._kept | self._used)
            raise
        if missing:
            self._tell(len(missing), len(missing))
        return found

    def close(self) -> None:
        """Keep what was read, without what is no longer there."""
        if self._new or len(self._used) < len(self._kept):
            overview.keep(self._world.data, self._used)

    def _holds(self, kept: Known) -> bool:
        """Whether redaction is still asked for the same, and no note came since."""
        if not kept.kept or kept.away:
            return True
        if live.noted(str(self._world.data), kept.session) not in {0, kept.note_at}:
            return False
        return self._places.rules(self._places.expanded(kept.folder)) == kept.rules

    def read(self, path: Path, root: Path | None) -> Known:
        """A session, or a checkpoint of the project at `root`, in brief; NOTHING or BROKEN."""
        try:
            info = None if root else registry.agent_of(path).look(path)
            folder = root or (Path(info.cwd) if info else None)
            if folder is None or (info and (info.hidden or info.unattended)):
                return NOTHING
            if (redactor := self._places.redactor(folder)) is None:
                return replace(BROKEN, fault="settings", unkept=True)
            if info:
                return self._session(path, info, folder, redactor)
            draft = commands.shared.parse("checkpoint", reading.text(path), redactor)
            return self._brief(draft, folder, redactor, name=redactor.text(path.stem))
        except (InputError, NotFoundError):
            return BROKEN
        except (OnwardError, OSError):  # of the disk, not of the file
            return replace(BROKEN, unkept=True)

    def _session(self, path: Path, info: SessionInfo, folder: Path, redactor: Redactor) -> Known:
        with commands.opening.within(self._world, path, _LARGEST, _TAIL) as (file, _):
            found = commands.source.distilled(file, redactor, self._top)
        draft = commands.thread.carried(self._world, found.draft, found.root)
        same = self._places.expanded(redactor.text(info.cwd)) == folder
        names = ("session", "branch", "ended")
        told = {name: redactor.text(getattr(info, name)) for name in names}
        note_at, is_there = live.noted(str(self._world.data), info.session), folder.is_dir()
        brief = self._brief(draft, Path(info.cwd), redactor, agent=info.agent, **told)
        # Where it lies cannot be told from what is kept.
        unkept, away = is_there and not same, not is_there and not same
        brief = replace(brief, note_at=note_at, unkept=unkept, away=away)
        return NOTHING if found.counted.trivial and not (found.unanswered or brief.signs) else brief

    def _brief(self, draft: Draft, folder: Path, redactor: Redactor, **more: Any) -> Known:
        shown, rules = redactor.text(str(folder)), self._places.rules(folder)
        return replace(open_work.known(redactor.draft(draft), shown, rules=rules), **more)


def _checkpoints(projects: Iterable[Place]) -> dict[Path, Path]:
    """The files of all checkpoints, each with its project's root."""
    found: dict[Path, Path] = {}
    for place in projects:
        own = located(place)
        newest = names(own)[:_CHECKPOINTS]
        found |= {path_of(own, name): place.root for name in newest}
    return found


def _pending(place: Place) -> list[Backup]:
    """The backups of a project that have work in them, and that nobody has looked at."""
    project = located(place)
    with suppress(OnwardError, OSError):
        if backups.pending(project):
            return [e for e in backups.entries(project) if e.pending and e.standing == WORK]
    return []
