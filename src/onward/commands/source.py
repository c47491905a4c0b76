"""What a word of the command line means: a checkpoint, a document, a protocol file, a
transcript or a session; and the checkpoint that it holds, redacted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from onward import repo
from onward.commands import thread, workspace
from onward.commands.opening import open_transcript
from onward.commands.sessions import none_here, of_project
from onward.commands.share import loading
from onward.commands.world import World
from onward.documents import checkpoint_md, protocol_json, session_md, times
from onward.errors import InputError, NotFoundError
from onward.model import (
    Checkpoint,
    Delegated,
    Draft,
    Edited,
    Event,
    Moved,
    Planned,
    Prompt,
    Ran,
    Reply,
)
from onward.record import is_own_act, record
from onward.redaction import Redactor
from onward.slash_commands import is_ours
from onward.storage import checkpoints
from onward.storage.project import Project
from onward.transcripts import registry
from onward.transcripts.sessions import SessionInfo
from onward.user_input import is_close_signal, is_significant

Kind = Literal["checkpoint", "document", "protocol", "transcript"]

_PEEK = 200  # events within which a transcript says where it was held
_SESSION_ID = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}")
_FILES = (".jsonl", ".jsonl.zst", ".json", ".md")
_LARGEST = 20_000_000  # bytes; no file of ours comes near


class Source(Struct, frozen=True, kw_only=True):
    """One saved place, loaded. `name` is "" for all but named checkpoints."""

    kind: Kind
    path: Path
    name: str = ""
    checkpoint: Checkpoint
    mtime: float = 0.0
    root: Path | None
    """Where its relative paths start; None for a session whose folder is not on this machine."""
    machine: str = ""
    """Where it was saved, if that was another machine; `name` is its address then."""


class Distilled(Struct, frozen=True, kw_only=True):
    """A transcript, distilled, and how much happened in it."""

    draft: Draft
    root: Path | None
    """The project that the session was held in, if it is on this machine."""
    prompts: int
    """Those that are neither one of our commands nor a close signal."""
    replies: int
    trivial: bool
    acts: int
    """Edits, commands, plans and errands of sub-agents."""

    @property
    def unanswered(self) -> bool:
        """Something was asked, and the agent said nothing at all."""
        return not self.replies and any(is_significant(r.text) for r in self.draft.requests)

    @property
    def worked(self) -> bool:
        """Something was done or settled in it, or files were looked into over several prompts."""
        return bool(self.acts or self.draft.decisions or (self.prompts > 1 and self.draft.files))


def load(world: World, what: str, *, verb: str = "resume") -> Source:
    """The saved place that `what` means: a checkpoint's name first, then a file, then a
    session. Raises NotFoundError with the nearest name, for `verb`.
    """
    project = workspace.here(world)
    if what in checkpoints.names(project):
        return _named(world, project, what)
    path = world.cwd / what
    if loading.is_address(what) and not path.is_file():
        return _elsewhere(world, project, loading.load(world, project, what, verb))
    if path.is_file():
        return _file(world, project, path)
    if not _is_path(what) and not _SESSION_ID.fullmatch(what):
        raise missing(project, what, verb, loading.others(world, project))
    return _transcript(world, transcript(world, what))


def newest(project: Project) -> str:
    """The checkpoint that was saved last. Raises NotFoundError."""
    names = checkpoints.names(project)
    if not names:
        raise NotFoundError("there is no checkpoint in this project", "onward sessions")
    return names[0]


def missing(
    project: Project, name: str, verb: str = "resume", others: Iterable[str] = ()
) -> NotFoundError:
    """The error for a checkpoint that is not there, with the nearest one that is, here or, as
    `others` has them, on another machine.
    """
    if there := [each for each in others if each.rpartition("@")[0] == name]:
        message = f"{name!r} was saved on another machine, not here"
        return NotFoundError(message, "\n".join(f"onward {verb} {each}" for each in there[:3]))
    if verb == "delete" and loading.is_address(name):
        message = f"{name} is another machine's: it can be hidden here"
        return NotFoundError(message, f"onward forget {name}")
    known = checkpoints.names(project)
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"onward {verb} {near[0]}" if near else "onward list"
    return NotFoundError(f"there is no checkpoint named {name!r} in this project", hint)


def transcript(world: World, what: str) -> Path:
    """The transcript that a file's path or a session's id means; for "", the newest session
    of this project.
    """
    if what and ((world.cwd / what).exists() or _is_path(what)):
        return world.cwd / what
    found = sessions(world) if not what else _everywhere(world)
    chosen = [each for each in found if each.session.startswith(what)]
    if not chosen and not what:
        raise none_here(world)
    if not chosen:
        raise NotFoundError(
            f"there is no session {what!r} on this machine", "onward sessions --all"
        )
    return chosen[0].path


def sessions(world: World) -> list[SessionInfo]:
    """The sessions of this project, the newest first; where it has none, those of other work
    trees of its repository.
    """
    root = workspace.here(world).root
    family = of_project(world, root)
    own = [each for each in family if any(registry.below(cwd, str(root)) for cwd in each.cwds)]
    return own or family


def distilled(path: Path, redactor: Redactor) -> Distilled:
    """A transcript's draft, its paths relative to the project that it was held in. Its secrets
    are hidden; personal data and tags are not.
    """
    opened, events = open_transcript(path, redactor)
    head, cwd = _until_moved(events)
    root = _root(cwd)
    counted = Counted()
    draft = record(counted.through(chain(head, events)), str(root or cwd))
    draft = msgspec.structs.replace(draft, origin=opened.origin)
    return Distilled(
        draft=draft,
        root=root,
        prompts=counted.prompts,
        replies=len(counted.replies),
        acts=counted.acts,
        trivial=counted.trivial,
    )


def running(world: World) -> Path | None:
    """The transcript of the session that this very call is part of; None outside of one, and
    before the client wrote any of it.
    """
    id_ = registry.current(world.env)
    found = _everywhere(world) if id_ else []
    return next((each.path for each in found if each.session == id_), None)


class Counted:
    """Counts what there is in a stream of events as it passes, without our own doings."""

    def __init__(self) -> None:
        self.replies: set[str] = set()
        self.prompts = self.acts = 0

    @property
    def trivial(self) -> bool:
        """One reply at most, and nothing done: nothing to come back to."""
        return len(self.replies) <= 1 and not self.acts

    def through(self, events: Iterable[Event]) -> Iterator[Event]:
        """The same events."""
        for event in events:
            if isinstance(event, Reply) and len(self.replies) < 2:
                self.replies.add(event.message or event.place)
            elif isinstance(event, Prompt):
                self.prompts += not (
                    event.thread or is_ours(event.text) or is_close_signal(event.text)
                )
            elif isinstance(event, Edited | Ran | Delegated | Planned):
                self.acts += not is_own_act(event)
            yield event


def _until_moved(events: Iterator[Event]) -> tuple[list[Event], str]:
    head: list[Event] = []
    for event in events:
        head.append(event)
        if isinstance(event, Moved) and event.cwd:
            return head, event.cwd
        if len(head) == _PEEK:
            break
    return head, ""


def _root(cwd: str) -> Path | None:
    folder = Path(cwd)
    if not cwd or not folder.is_dir():
        return None
    return repo.top(folder) or folder


def _everywhere(world: World) -> list[SessionInfo]:
    # Also those that no list shows: whoever names one, or runs in it, knows of it.
    return registry.find_sessions(world.home, world.env, hidden=True)


def _is_path(what: str) -> bool:
    return any(sign in what for sign in "/\\") or what.endswith(_FILES)


def _named(world: World, project: Project, name: str) -> Source:
    stored = checkpoints.read(project, checkpoints.find(project, name))
    redactor = workspace.redactor(world)
    # Hidden before it is taken apart: a key of many lines is none any more in pieces.
    draft = checkpoint_md.parse(redactor.hide(stored.text))
    # The file's name is what it is called, whatever its title says.
    draft = msgspec.structs.replace(draft, name=stored.name)
    return Source(
        kind="checkpoint",
        path=checkpoints.path_of(project, stored.name),
        name=stored.name,
        checkpoint=redactor.draft(draft),
        mtime=stored.mtime,
        root=project.root,
    )


def _elsewhere(world: World, project: Project, read: loading.Read) -> Source:
    return Source(
        kind=read.kind,
        path=read.path,
        name=read.name,
        machine=read.machine,
        checkpoint=workspace.redactor(world).draft(read.draft),
        mtime=read.saved,
        root=project.root,
    )


def _file(world: World, project: Project, path: Path) -> Source:
    if path.suffix not in {".md", ".json"}:
        return _transcript(world, path)
    if path.stat().st_size > _LARGEST:
        raise InputError(f"{path} is too large for a file of ours", "onward list")
    redactor = workspace.redactor(world)
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    kind: Kind = "protocol" if path.suffix == ".json" else "checkpoint"
    if kind == "checkpoint":
        text = redactor.hide(text)  # as above; the strings of JSON are whole
    if kind == "checkpoint" and text.lstrip().startswith("---"):
        kind = "document"
    parse = {
        "protocol": protocol_json.parse,
        "document": session_md.parse,
        "checkpoint": checkpoint_md.parse,
    }[kind]
    try:
        draft = parse(text)
    except InputError as error:
        if path.name in {project.protocol.name, "sp.json"}:
            raise
        message = f"{error.message} ({path.name} is no protocol file)"
        raise InputError(message, "onward list") from None
    return Source(
        kind=kind,
        path=path,
        checkpoint=redactor.draft(draft),
        mtime=path.stat().st_mtime,
        root=project.root,
    )


def _transcript(world: World, path: Path) -> Source:
    redactor = workspace.redactor(world)
    found = distilled(path, redactor)
    draft = thread.carried(world, found.draft, found.root)
    # The file may have been copied since: its last record tells the age.
    ended = times.moment(draft.origin.ended)
    return Source(
        kind="transcript",
        path=path,
        checkpoint=redactor.draft(draft),
        mtime=ended.timestamp() if ended else path.stat().st_mtime,
        root=found.root,
    )
