"""The note of a session that goes on: where its agent drafts it, and what is kept of it.

What an agent said once at a save, or at a resume that the user agreed to, holds for all that is saved of the
session later: an autosave, the backup of a crash. So its checked lines are kept beside the session's
records (`live`), redacted, and laid over the record whenever the transcript is distilled again. A
next step holds until something is done.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward.commands import draft_note, workspace
from onward.commands.world import World
from onward.documents import session_state
from onward.errors import OnwardError
from onward.model import Draft, Item
from onward.record.consistency import LISTS
from onward.storage import atomic, documents, live, reading, sessions
from onward.storage.project import Project
from onward.transcripts import registry

_LARGEST = 1 << 20  # bytes of what is kept; a place of ours has some ten thousand
_NOBODY = "nobody"  # whose records are those of an agent that does not tell its session
_NAME = re.compile(rf"\.draft-(?:[0-9a-f]{{8}}|{_NOBODY})\.json")
_LEFT_OVER = 3600.0  # seconds between the command and its draft: no turn takes so long


class _Kept(Struct, frozen=True, kw_only=True):
    """The agent's lines, and how many lines the transcript had when they were written."""

    note: Draft
    at: int = 0


# ----------------------------------------------------------------------------- the file


def session_of(world: World) -> str:
    """The session that this call is part of, or the name of none."""
    return registry.current(world.env) or _NOBODY


def place(project: Project, session: str) -> Path:
    """The file that the agent writes. Each session has its own: two may save at once."""
    return project.root / "memory" / f".draft-{session[:8]}.json"


def shown(world: World, project: Project) -> str:
    """The same file as the agent is told of it."""
    path = place(project, session_of(world))
    with suppress(ValueError):  # another drive of Windows
        return Path(os.path.relpath(path, world.cwd)).as_posix()
    return str(path)


def clear(world: World, project: Project, session: str) -> None:
    """Make room for a draft: remove the one of this session, and those that were left long ago."""
    own = place(project, session)
    for left in own.parent.glob(".draft-*.json"):
        # A user may call a file of theirs much the same.
        if left != own and not _NAME.fullmatch(left.name):
            continue
        with suppress(FileNotFoundError):  # its own session was just done with it
            if left == own or world.now.timestamp() - left.stat().st_mtime > _LEFT_OVER:
                remove(project, left)


def remove(project: Project, draft: Path) -> None:
    """Remove a draft, and its folder where nothing else is in it."""
    atomic.remove(draft, inside=project.root)
    with suppress(OSError):
        draft.parent.rmdir()


# ----------------------------------------------------------------------- what is kept


def take(world: World, project: Project, session: str) -> tuple[str, ...]:
    """Check the draft that the agent wrote at a resume, where a command or a skill says, and keep it;
    a line for each finding. Without a draft nothing happens; one that cannot be read stays, and is
    said.
    """
    drafts = (place(project, session), project.root / "memory" / ".draft.json")
    draft = next((each for each in drafts if each.is_file()), None)
    if draft is None:
        return ()
    clean = workspace.redactor(world, keep=False)
    try:
        note = draft_note.read(draft)
    except OnwardError as error:  # it stays until the next command makes room
        return (f"The note was not kept: {clean.text(error.message)}",)
    told, findings = draft_note.laid(Draft(task=Item(text="")), note, project.root, clean.text)
    running = sessions.running(str(world.data), session)
    keep(world, session, told, running.transcript if running else "")
    remove(project, draft)
    return findings


def keep(world: World, session: str, draft: Draft, transcript: str | Path) -> None:
    """Keep the agent's lines of a draft for later saves of the session, if the disk allows."""
    folder = live.folder(str(world.data), session)
    if not folder:
        return
    following = draft.next_action
    note = Draft(
        task=draft.task if draft.task.author == "agent" else Item(text=""),
        next_action=following if following and following.author == "agent" else None,
        tasks=tuple(task for task in draft.tasks if not task.places),
    )
    lists = {
        name: tuple(item for item in getattr(draft, name) if item.author == "agent")
        for name in LISTS
    }
    clean = workspace.redactor(world, keep=False).draft(replace(note, **lists))
    data = msgspec.json.encode(_Kept(note=cast("Draft", clean), at=_lines(transcript)))
    with suppress(OnwardError):
        atomic.write_bytes(Path(folder, live.NOTE), data, atomic.PRIVATE)


def laid(world: World, draft: Draft, *, correcting: bool = False) -> Draft:
    """The draft of a session with what its agent noted; the very draft where that is nothing.
    `correcting` says that another note follows: one on the same state then replaces the first.
    """
    kept = _read(world, draft.origin.session)
    if kept is None:
        return draft
    is_fresh = draft_note.last_work(draft) <= kept.at
    if is_fresh and correcting:
        return draft
    note = kept.note
    changes: dict[str, object] = {
        name: _joined(getattr(note, name), getattr(draft, name)) for name in LISTS
    }
    if note.task.text and draft.task.author != "user":
        changes["task"] = note.task
    if is_fresh:
        known = {task.title for task in draft.tasks}
        noted = (task for task in note.tasks if task.title not in known)
        changes["tasks"] = (*draft.tasks, *noted)
        if note.next_action and not (draft.next_action and draft.next_action.author == "user"):
            changes["next_action"] = note.next_action
    return replace(draft, **changes)


def with_demands(world: World, project: Project, session: str, draft: Draft) -> Draft:
    """The draft of a transcript alone, with what the user wants for good by SESSION-STATE.md and by
    the note of the session: neither stands in the transcript as such.
    """
    demands = draft.constraints
    with suppress(OnwardError):
        demands = _joined(
            demands, session_state.demands(documents.read(project.state_file, project.root))
        )
    kept = _read(world, session)
    return replace(draft, constraints=_joined(kept.note.constraints, demands) if kept else demands)


def _joined(first: tuple[Item[str], ...], then: tuple[Item[str], ...]) -> tuple[Item[str], ...]:
    known = {item.text for item in first}
    return (*(item for item in then if item.text not in known), *first)


def _lines(transcript: str | Path) -> int:
    with suppress(OSError), Path(transcript).open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    return 0


def _read(world: World, session: str) -> _Kept | None:
    """What was kept, read again as text of anybody's."""
    data = beside(world, session, live.NOTE)
    try:
        return msgspec.json.decode(data, type=_Kept) if data else None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def beside(world: World, session: str, name: str) -> bytes:
    """A file beside the session's records; b"" if there is none that can be read."""
    folder = live.folder(str(world.data), session)
    path = Path(folder, name)
    with suppress(OnwardError, OSError):
        return reading.data(path) if folder and path.stat().st_size <= _LARGEST else b""
    return b""
