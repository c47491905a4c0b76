"""What a word of the command line means: a checkpoint, a document, a protocol file, a
transcript or a session; the checkpoint that it holds, redacted; and how it stands today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from onward import sharing
from onward.commands import draft_note, offered, repository, shared, thread
from onward.commands.opening import hidden, open_transcript
from onward.commands.sessions import none_here, of_project
from onward.commands.work import Counted
from onward.commands.world import World
from onward.documents import times
from onward.errors import InputError, NotFoundError
from onward.model import Checkpoint, Clean, Draft, Drift, Moved
from onward.record import record
from onward.redaction import Redactor, Secrets
from onward.repo import git
from onward.storage import backups, checkpoints, reading
from onward.storage.sessions import CHECKPOINT
from onward.transcripts import registry
from onward.transcripts.reader import SESSION_ID, SessionInfo
from onward.user_input import is_significant

Kind = Literal["checkpoint", "document", "protocol", "transcript"]

_PEEK = 200  # events within which a transcript says where it was held
_FILES = (".jsonl", ".jsonl.zst", ".json", ".md")


class Source(Struct, frozen=True, kw_only=True):
    """One saved place, loaded. `name` is "" for all but named checkpoints."""

    kind: Kind
    path: Path
    name: str = ""
    checkpoint: Checkpoint
    mtime: float = 0.0
    root: Path | None  # where its paths start; None if not on this machine
    machine: str = ""  # where it was saved, if that was another machine; `name` is its address then

    @property
    def called(self) -> str:
        """Its name, else that of its file."""
        return self.name or self.path.stem

    @property
    def is_own(self) -> bool:
        """A named checkpoint of this machine: a no puts it in the trash. Any other place stays."""
        return bool(self.name and not self.machine)


class Distilled(Struct, frozen=True, kw_only=True):
    """A transcript, distilled, and how much happened in it."""

    draft: Draft
    root: Path | None  # the project that the session was held in, if it is on this machine
    counted: Counted

    @property
    def unanswered(self) -> bool:
        """Something was asked, and the agent said nothing at all."""
        asked = any(is_significant(each.text) for each in self.draft.requests)
        return asked and not self.counted.replies

    @property
    def worked(self) -> bool:
        """Something was done or settled in it, or files were looked into over several prompts."""
        looked = self.counted.prompts > 1 and self.draft.files
        return bool(self.counted.acts or self.draft.decisions or looked)


def load(world: World, what: str, *, verb: str = "resume") -> Source:
    """The saved place that `what` means: a checkpoint, a file, a session. Raises NotFoundError."""
    project, path = world.project, world.cwd / what
    if named := [each for each in checkpoints.names(project) if each == what]:
        return _file(world, checkpoints.path_of(project, named[0]), what)
    if shared.is_address(what) and not path.is_file():
        peer, held, draft = shared.load(world, what, verb)
        folder, saved = shared.bare(world).folder, times.seconds(held.saved)
        more = {"kind": held.kind, "name": draft.name, "machine": peer.label, "mtime": saved}
        return _made(world, draft, folder, project.root, **more)
    if path.is_file():
        return _file(world, path)
    if not is_path(what) and not SESSION_ID.fullmatch(what):
        raise missing(world, what, verb, sharing.addresses(shared.pulled(world)))
    return _transcript(world, transcript(world, what))


def newest_name(world: World) -> str:
    """The checkpoint that was saved last. Raises NotFoundError."""
    names = checkpoints.names(world.project)
    if not names:
        raise NotFoundError("there is no checkpoint in this project", "onward sessions")
    return names[0]


def missing(
    world: World, name: str, verb: str = "resume", others: Iterable[str] = ()
) -> NotFoundError:
    """The error for a missing checkpoint, with the nearest name here or among `others`."""
    if there := [each for each in others if each.rpartition("@")[0] == name]:
        message = f"{name!r} was saved on another machine, not here"
        return NotFoundError(message, "\n".join(f"onward {verb} {each}" for each in there[:3]))
    if verb == "delete" and shared.is_address(name):
        message = f"{name} is another machine's: it can be hidden here"
        return NotFoundError(message, f"onward forget {name}")
    near = get_close_matches(name, checkpoints.names(world.project), n=1, cutoff=0.5)
    hint = f"onward {verb} {near[0]}" if near else "onward list"
    return NotFoundError(f"there is no checkpoint named {name!r} in this project", hint)


def transcript(world: World, what: str) -> Path:
    """The transcript of a path or of a session's id; for "", of this project's newest session."""
    if what and ((world.cwd / what).exists() or is_path(what)):
        return world.cwd / what
    for each in _everywhere(world) if what else sessions(world):
        if each.session.startswith(what):
            return each.path
    told = (f"there is no session {what!r} on this machine",) if what else ()
    raise none_here(world, *told)


def sessions(world: World) -> list[SessionInfo]:
    """This project's sessions, newest first; else those of its repository's other work trees."""
    root = world.project.root
    family = of_project(world, root)
    own = [each for each in family if any(registry.below(cwd, str(root)) for cwd in each.cwds)]
    return own or family


def held(world: World) -> SessionInfo | None:
    """The newest session of this project that somebody sat before."""
    found = (each for each in sessions(world) if not each.unattended)
    return max(found, key=lambda each: each.mtime, default=None)


def last(world: World) -> str:
    """What was worked on last in this project. Raises NotFoundError, InputError."""
    saved, latest = next(iter(offered.places(world)), None), held(world)
    if latest and (saved is None or latest.mtime > saved.stat().st_mtime):
        return latest.session
    if saved is None:
        message = "no session was held and nothing was saved in this project"
        raise none_here(world, message, "onward")
    return newest_place(world)


Top = Callable[[Path], Path | None]
"""Tells the work tree of a folder."""


def distilled(path: Path, redactor: Redactor, top: Top = git.top) -> Distilled:
    """A transcript's draft, its paths relative to the project that it was held in, with the step that
    the client's summary names as far as the project of today bears it out. Its secrets are hidden;
    personal data and tags are not.
    """
    secrets = Secrets(redactor)
    opened, events = open_transcript(path, secrets)
    head = list(islice(events, _PEEK))
    cwd = next((each.cwd for each in head if isinstance(each, Moved) and each.cwd), "")
    # The project of that folder, if it is on this machine.
    root = (top(Path(cwd)) or Path(cwd)) if cwd and Path(cwd).is_dir() else None
    counted = Counted()
    draft = record(counted.through(chain(head, events)), str(root or cwd))
    draft = hidden(draft, secrets.again)
    # Where it began: from there paths are told where no repository is found.
    draft = replace(draft, origin=replace(opened.origin, cwd=cwd or opened.origin.cwd))
    draft = draft_note.after_summary(draft, counted.compacted, root, redactor.hide)
    return Distilled(draft=draft, root=root, counted=counted)


def transcript_of(world: World, session: str) -> Path | None:
    """The transcript of a session: the client's, else the newest copy in `raw/`, else None."""
    if not session:
        return None
    own = (each.path for each in _everywhere(world) if each.session == session)
    kept = (each.path for each in backups.entries(world.project) if each.session == session)
    return next(chain(own, kept), None)


def _everywhere(world: World) -> list[SessionInfo]:
    # Also those that no list shows: whoever names one, or runs in it, knows of it.
    return registry.find_sessions(world.home, world.env, hidden=True)


def is_path(what: str) -> bool:
    """Whether a word of the command line can only be a file."""
    return any(sign in what for sign in "/\\") or what.endswith(_FILES)


def _made(world: World, draft: Draft, path: Path, root: Path | None, **more: Any) -> Source:
    checkpoint = world.redactor.draft(draft)
    return Source(path=path, checkpoint=checkpoint, root=root, **more)


def _file(world: World, path: Path, name: str = "") -> Source:
    """A file, by what it holds; `name` is that of a checkpoint, whatever its title says."""
    if path.suffix not in {".md", ".json"}:
        return _transcript(world, path)
    text, kind = reading.text(path), "protocol"
    if path.suffix == ".md":
        kind = "document" if text.lstrip().startswith("---") and not name else "checkpoint"
        if fault := "is empty" if not text.strip() else "is no text" if "\0" in text else "":
            ways = f"onward delete {path.stem}\nonward restore {path.stem} --force"
            raise InputError(f"{path} {fault}", ways)
    try:
        draft = shared.parse(kind, text, world.redactor)
    except InputError as error:
        if path.name in {world.project.protocol.name, "sp.json"}:
            raise
        message = f"{error.message} ({path.name} is no protocol file)"
        raise InputError(message, "onward list") from None
    more = {"kind": kind, "name": name, "mtime": path.stat().st_mtime}
    return _made(world, replace(draft, name=name or draft.name), path, world.project.root, **more)


def _transcript(world: World, path: Path) -> Source:
    found = distilled(path, world.redactor)
    return of_session(world, path, thread.carried(world, found.draft, found.root), found.root)


def of_session(world: World, path: Path, draft: Draft, root: Path | None) -> Source:
    """The place that a session is by itself, of what its transcript holds."""
    # The file may have been copied since: its last record tells the age.
    mtime = times.seconds(draft.origin.ended) or path.stat().st_mtime
    return _made(world, draft, path, root, kind="transcript", mtime=mtime)


def newest_place(world: World) -> str:
    """The word that loads the newest named checkpoint, session document or protocol file; "" for none."""
    for path, kind in offered.places(world).items():
        return path.stem if kind == CHECKPOINT else str(path)
    return ""


def drifted(world: World, source: Source) -> Drift[Clean] | None:
    """What changed since the save, redacted; None where its project is not on this machine."""
    if source.root is None:
        return None
    return repository.drifted(world, source.checkpoint, source.root, source.kind)
