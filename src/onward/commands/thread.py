"""The thread of the work: what a session took up is carried on in whatever is saved of it.

A client begins a new transcript for each session. So a small record of this machine tells which
saved place a session resumed (`store.sessions`), and beside it `resumed.md` holds that place,
redacted.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from onward.commands import session_note, workspace
from onward.commands.world import World
from onward.documents import checkpoint_md, times
from onward.errors import OnwardError
from onward.model import Checkpoint, Draft
from onward.record.carry import carry
from onward.storage import atomic, live, sessions
from onward.storage.project import Project
from onward.storage.sessions import Resumed
from onward.transcripts import registry

_PLACE = "resumed.md"
_FORMER = "resumed-former.md"
"""What was agreed to before another place was taken up: a no to that one brings it back."""
TAKEN = "ONWARD_TAKEN"
"""Names, to the client that `onward go` starts and to its hooks, what was handed over."""
_TOKEN = re.compile(r"go-(\d{1,12})-\d+", re.ASCII)
_MINUTE = 60
_DEPTH = 20  # sessions of one thread


def keep(
    world: World,
    project: Project,
    kind: str,
    place: Checkpoint,
    *,
    agreed: bool = False,
    session: str = "",
) -> None:
    """Record that a session takes up a saved place, without one named the one that this call is part
    of; `agreed` where nobody is to be asked.

    Nothing is kept outside of a session, of a place that is the session's own, and where the
    disk says no: the resume goes on without.
    """
    data, session = str(world.data), session or registry.current(world.env)
    if not live.folder(data, session) or place.origin.session == session:
        return
    with suppress(OnwardError):
        former, known = _read(world, session, _PLACE), sessions.resumed(data, session)
        live.drop(data, session, _FORMER)
        if former and known and known.agreed:
            _write(world, session, _FORMER, workspace.redactor(world).draft(former))
            place = workspace.redactor(world).draft(
                _filled(checkpoint_md.parse(checkpoint_md.render(place)), former)
            )
        _write(world, session, _PLACE, place)
        sessions.resume(data, session, Resumed(kind, str(project.root), agreed=agreed))


def agree(world: World, session: str) -> None:
    """The user said yes to it."""
    if known := sessions.resumed(str(world.data), session):
        known.agreed = True
        sessions.resume(str(world.data), session, known)


def drop(world: World, session: str, name: str = "") -> None:
    """The user said no: the last resumed place is dropped; with `name`, only if it is that one."""
    data = str(world.data)
    taken, known = _read(world, session, _PLACE), sessions.resumed(data, session)
    if name and (taken is None or taken.name != name):
        return
    former = _read(world, session, _FORMER)
    if former and known:
        with suppress(OnwardError):
            _write(world, session, _PLACE, workspace.redactor(world).draft(former))
            known.agreed = True
            sessions.resume(data, session, known)
            live.drop(data, session, _FORMER)
            return
    sessions.leave(data, session)
    for key in (_PLACE, _FORMER):
        live.drop(data, session, key)


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
        sessions.resume(data, token, Resumed(kind, str(root), agreed=True))
        return token
    return ""


def _adopted(world: World, session: str, started: str) -> Resumed | None:
    """What was handed over, given to the first session that began since in that client."""
    token, data = world.env[TAKEN], str(world.data)
    at, begun = _TOKEN.fullmatch(token), times.moment(started)
    known, place = sessions.resumed(data, token), _read(world, token, _PLACE)
    # What a client began in the same minute is told in whole minutes.
    if not (at and begun and known and place) or begun.timestamp() < int(at[1]) - _MINUTE:
        return None
    with suppress(OnwardError):
        _write(world, session, _PLACE, workspace.redactor(world, keep=False).draft(place))
        sessions.resume(data, session, known)
        sessions.leave(data, token)
        live.drop(data, token, _PLACE)
        return known
    return None


def carried(world: World, draft: Draft, root: Path | None, *, correcting: bool = False) -> Draft:
    """The draft of a session, held in the project at `root`, with what still holds of the place
    that it took up and of its agent's note; the very draft where there is neither.
    `correcting` as in `session_note.laid`.
    """
    session = draft.origin.session
    known = sessions.resumed(str(world.data), session)
    if known is None and world.env.get(TAKEN):
        known = _adopted(world, session, draft.origin.started)
    if known and root and workspace.is_same(Path(known.root), root):
        before = _read(world, session, _PLACE)
        draft = _filled(draft, before) if before else draft
    return session_note.laid(world, draft, correcting=correcting)


def _filled(draft: Draft, before: Draft) -> Draft:
    ids = draft.origin.session, before.origin.session
    is_one = ids[0] and ids[0] == ids[1] and draft.saved == before.saved
    return draft if is_one else carry(draft, before)  # the same place may be taken up twice


def _write(world: World, session: str, name: str, place: Checkpoint) -> None:
    path = Path(live.folder(str(world.data), session), name)
    atomic.write(path, checkpoint_md.render(place), mode=atomic.PRIVATE)


def _read(world: World, session: str, name: str) -> Draft | None:
    data = session_note.beside(world, session, name)
    return checkpoint_md.parse(data.decode("utf-8", "replace")) if data else None
