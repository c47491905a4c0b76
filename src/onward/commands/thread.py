"""The thread of the work: what a session took up, and what its agent noted, is carried on in whatever
is saved of it.

A client begins a new transcript for each session. So a record of this machine tells which saved place
a session resumed, and `resumed.md` beside it holds that place, redacted. What an agent noted is kept
there too, and laid over the record whenever the transcript is distilled again; a next step holds until
something is done.
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

from onward.commands import draft_note
from onward.commands.world import World, is_same
from onward.documents import checkpoint_md, session_state, times
from onward.errors import OnwardError
from onward.model import Checkpoint, Draft, Item
from onward.record.carry import carry
from onward.record.consistency import LISTS
from onward.storage import atomic, documents, live, reading, sessions
from onward.transcripts import registry

_PLACE = "resumed.md"
_FORMER = "resumed-former.md"  # what was agreed to before; a no to the new place brings it back
TAKEN = "ONWARD_TAKEN"  # tells the client that `onward go` starts what was handed over
_TOKEN = re.compile(r"go-(\d{1,12})-\d+", re.ASCII)
_MINUTE = 60
_DEPTH = 20  # sessions of one thread
_LARGEST = 1 << 20  # bytes of what is kept; a place of ours has some ten thousand
_NOBODY = "nobody"  # whose records are those of an agent that does not tell its session
_NAME = re.compile(rf"\.draft-(?:[0-9a-f]{{8}}|{_NOBODY})\.json")
_LEFT_OVER = 3600.0  # seconds between the command and its draft: no turn takes so long


def keep(
    world: World, kind: str, place: Checkpoint, *, agreed: bool = False, session: str = ""
) -> None:
    """Record that a session takes up a saved place; `agreed` where nobody is to be asked. Nothing
    is kept outside of a session, of a place that is its own, and where the disk says no.
    """
    data, session = str(world.data), session or registry.current(world.env)
    if not live.folder(data, session) or place.origin.session == session:
        return
    with suppress(OnwardError):
        former, known = _read(world, session, _PLACE), sessions.resumed(data, session)
        live.drop(data, session, _FORMER)
        if former and known and known.agreed:
            clean = world.redactor.draft
            _write(world, session, _FORMER, clean(former))
            place = clean(_filled(checkpoint_md.parse(checkpoint_md.render(place)), former))
        _write(world, session, _PLACE, place)
        sessions.resume(
            data, session, sessions.Resumed(kind, str(world.project.root), agreed=agreed)
        )


def agree(world: World, session: str) -> None:
    """The user said yes to it."""
    if known := sessions.resumed(str(world.data), session):
        known.agreed = True
        sessions.resume(str(world.data), session, known)


def drop(world: World, session: str, name: str = "") -> None:
    """The user said no: the last resumed place is dropped; with `name`, only if it is that one."""
    data = str(world.data)
    sessions.brief(data, session, "")
    taken, known = _read(world, session, _PLACE), sessions.resumed(data, session)
    if name and (taken is None or taken.name != name):
        return
    former = _read(world, session, _FORMER)
    if former and known:
        with suppress(OnwardError):
            _write(world, session, _PLACE, world.redactor.draft(former))
            agree(world, session)
            sessions.brief(data, session, former.origin.session)
            live.drop(data, session, _FORMER)
            return
    sessions.leave(data, session)
    live.drop(data, session, _PLACE)
    live.drop(data, session, _FORMER)


def brief(world: World, place: Checkpoint) -> None:
    """Record, inside of a session, that it is given the briefing of a saved place."""
    session = registry.current(world.env) or world.env.get(TAKEN, "")
    sessions.brief(str(world.data), session, place.origin.session)


def briefed(world: World) -> str:
    """The session whose briefing the one that this call is part of was given last; "" for none."""
    data, ids = str(world.data), (registry.current(world.env), world.env.get(TAKEN, ""))
    return next((found for each in ids if (found := sessions.briefed(data, each))), "")


def ancestors(world: World, session: str) -> list[str]:
    """The sessions whose work a session went on with as the user agreed to, the nearest first."""
    found = list[str]()
    while (known := sessions.resumed(str(world.data), session)) and known.agreed:
        if len(found) == _DEPTH or not (before := _read(world, session, _PLACE)):
            break
        session = before.origin.session
        if not session or session in found:
            break
        found.append(session)
    return found


def hand_over(world: World, kind: str, root: Path, place: Checkpoint) -> str:
    """Keep a saved place for the next session; the value of `TAKEN` for it, "" if not written."""
    token, data = f"go-{world.now.timestamp():.0f}-{os.getpid()}", str(world.data)
    with suppress(OnwardError):
        _write(world, token, _PLACE, place)
        sessions.resume(data, token, sessions.Resumed(kind, str(root), agreed=True))
        sessions.brief(data, token, place.origin.session)
        return token
    return ""


def _adopted(world: World, session: str, started: str) -> sessions.Resumed | None:
    """What was handed over, given to the first session that began since in that client."""
    token, data = world.env[TAKEN], str(world.data)
    at, begun = _TOKEN.fullmatch(token), times.moment(started)
    known, place = sessions.resumed(data, token), _read(world, token, _PLACE)
    # What a client began in the same minute is told in whole minutes.
    if not (at and begun and known and place) or begun.timestamp() < int(at[1]) - _MINUTE:
        return None
    with suppress(OnwardError):
        _write(world, session, _PLACE, world.display_redactor.draft(place))
        sessions.resume(data, session, known)
        sessions.leave(data, token)
        live.drop(data, token, _PLACE)
        return known
    return None


def carried(world: World, draft: Draft, root: Path | None, *, correcting: bool = False) -> Draft:
    """The draft of a session, with what still holds of the place it took up and of its note."""
    session = draft.origin.session
    known = sessions.resumed(str(world.data), session)
    if known is None and world.env.get(TAKEN):
        known = _adopted(world, session, draft.origin.started)
    if known and root and is_same(Path(known.root), root):
        before = _read(world, session, _PLACE)
        draft = _filled(draft, before) if before else draft
    return with_note(world, draft, correcting=correcting)


def _filled(draft: Draft, before: Draft) -> Draft:
    ids = draft.origin.session, before.origin.session
    is_one = ids[0] and ids[0] == ids[1] and draft.saved == before.saved
    return draft if is_one else carry(draft, before)  # the same place may be taken up twice


def _write(world: World, session: str, name: str, place: Checkpoint) -> None:
    if path := world.beside(session, name):
        atomic.write(path, checkpoint_md.render(place), mode=atomic.PRIVATE)


def _read(world: World, session: str, name: str) -> Draft | None:
    path = world.beside(session, name)
    with suppress(OnwardError):
        text = reading.data(path, most=_LARGEST).decode("utf-8", "replace") if path else ""
        return checkpoint_md.parse(text) if text else None
    return None


# ------------------------------------------------------------------------ the agent's note


class _Kept(Struct, frozen=True, kw_only=True):
    """The agent's lines, and how many lines the transcript had when they were written."""

    note: Draft
    at: int = 0


def session_of(world: World) -> str:
    """The session that this call is part of, or the name of none."""
    return registry.current(world.env) or _NOBODY


def draft_place(world: World, session: str) -> Path:
    """The file that the agent writes. Each session has its own: two may save at once."""
    return world.project.root / "memory" / f".draft-{session[:8]}.json"


def draft_shown(world: World) -> str:
    """The same file as the agent is told of it."""
    return world.from_here(draft_place(world, session_of(world)))


def clear_draft(world: World, session: str) -> None:
    """Make room for a draft: remove the one of this session, and those that were left long ago."""
    own = draft_place(world, session)
    for left in own.parent.glob(".draft-*.json"):
        # A user may call a file of theirs much the same.
        if left != own and not _NAME.fullmatch(left.name):
            continue
        with suppress(FileNotFoundError):  # its own session was just done with it
            if left == own or world.now.timestamp() - left.stat().st_mtime > _LEFT_OVER:
                remove_draft(world, left)


def remove_draft(world: World, draft: Path) -> None:
    """Remove a draft, and its folder where nothing else is in it."""
    atomic.remove(draft, inside=world.project.root)
    with suppress(OSError):
        draft.parent.rmdir()


def take_note(world: World, session: str) -> tuple[str, ...]:
    """Check the draft that the agent wrote at a resume, and keep it; a line for each finding."""
    root = world.project.root
    drafts = (draft_place(world, session), root / "memory" / ".draft.json")
    draft = next((each for each in drafts if each.is_file()), None)
    if draft is None:
        return ()
    clean = world.display_redactor
    try:
        note = draft_note.read(draft)
    except OnwardError as error:  # it stays until the next command makes room
        return (f"The note was not kept: {clean.text(error.message)}",)
    told, findings = draft_note.laid(Draft(task=Item(text="")), note, root, clean.text)
    running = sessions.running(str(world.data), session)
    keep_note(world, session, told, running.transcript if running else "")
    remove_draft(world, draft)
    return findings


def keep_note(world: World, session: str, draft: Draft, transcript: str | Path) -> None:
    """Keep the agent's lines of a draft for later saves of the session, if the disk allows."""
    path = world.beside(session, live.NOTE)
    if path is None:
        return
    following, lines = draft.next_action, 0
    note = Draft(
        task=draft.task if draft.task.author == "agent" else Item(text=""),
        next_action=following if following and following.author == "agent" else None,
        tasks=tuple(task for task in draft.tasks if not task.places),
    )
    lists = {
        name: tuple(item for item in getattr(draft, name) if item.author == "agent")
        for name in LISTS
    }
    clean = world.display_redactor.draft(replace(note, **lists))
    with suppress(OSError), Path(transcript).open("rb") as file:
        lines = sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    data = msgspec.json.encode(_Kept(note=cast("Draft", clean), at=lines))
    with suppress(OnwardError):
        atomic.write_bytes(path, data, atomic.PRIVATE)


def with_note(world: World, draft: Draft, *, correcting: bool = False) -> Draft:
    """The draft with what its agent noted; where `correcting`, another note follows."""
    kept = _kept_note(world, draft.origin.session)
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


def with_demands(world: World, session: str, draft: Draft) -> Draft:
    """The draft of a transcript, with what the user wants for good by state file and note."""
    demands = draft.constraints
    with suppress(OnwardError):
        state = documents.read(world.project.state_file, world.project.root)
        demands = _joined(demands, session_state.demands(state))
    kept = _kept_note(world, session)
    return replace(draft, constraints=_joined(kept.note.constraints, demands) if kept else demands)


def _joined(first: tuple[Item[str], ...], then: tuple[Item[str], ...]) -> tuple[Item[str], ...]:
    known = {item.text for item in first}
    return (*(item for item in then if item.text not in known), *first)


def _kept_note(world: World, session: str) -> _Kept | None:
    """What was kept, read again as text of anybody's."""
    path = world.beside(session, live.NOTE)
    return reading.kept(path, _Kept, most=_LARGEST) if path else None
