"""`show`: a checkpoint by its name, or what stands at a place that one of its lines names."""

from __future__ import annotations

import shlex
from datetime import UTC
from itertools import chain
from pathlib import Path

from onward.commands import commit, places, sessions, source, workspace
from onward.commands.places import Place, View
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md
from onward.errors import NotFoundError
from onward.storage import backups, checkpoints
from onward.storage.project import Project
from onward.transcripts.registry import find_sessions
from onward.transcripts.sessions import SESSION_ID


def show(
    world: World,
    what: str,
    session: str = "",
    *,
    of: str = "",
    view: View = View(),  # noqa: B008 - frozen
) -> Result:
    """Show a place (`t:541`), a commit (`c:9f5a3c7`) or a checkpoint.

    A place is looked up in the session that `of` (a checkpoint, a document, a session) was made
    from, or in the session named, else in the one that the newest checkpoint was made from, else
    in the newest of this project; which one that was is told.
    """
    if (of and not commit.is_commit(what)) or places.is_place(what):
        return _place(world, places.parse(what), of or session, view)
    if commit.is_commit(what):
        return commit.show_commit(what, workspace.here(world).root, workspace.redactor(world))
    loaded = source.load(world, what, verb="show")
    return Result(
        text=compose(checkpoint_md.render(loaded.checkpoint, zone=world.now.tzinfo or UTC)),
        data=loaded.checkpoint,
    )


def _place(world: World, place: Place, whose: str, view: View) -> Result:
    told: tuple[str, ...] = ()
    if whose:
        path = transcript(world, whose)
    else:
        whose, path = _newest(world)
        told = (f"of session {whose[:8]}; pass a name or an id before the place to choose another",)
    redactor = workspace.redactor(world)
    found = places.show_place(place, path, redactor, shlex.quote(redactor.text(whose)), view)
    return found._replace(notes=(*told, *found.notes))


def transcript(world: World, what: str) -> Path:
    """The transcript that a file or an id means, or that a saved place was made from. Raises
    NotFoundError where it is not on this machine.
    """
    project = workspace.here(world)
    named = what in checkpoints.names(project)
    if not named and (SESSION_ID.fullmatch(what) or what.endswith((".jsonl", ".jsonl.zst"))):
        return source.transcript(world, what)
    session = source.load(world, what, verb="show").checkpoint.origin.session
    if made := _of(world, project, session):
        return made
    whose = f"of session {session}" if session else "which it does not name"
    message = f"the transcript that {what} was made from is not on this machine ({whose})"
    raise NotFoundError(message, f"onward show {what}")


def _of(world: World, project: Project, session: str) -> Path | None:
    """The transcript of a session: the client's own, else, since the client deletes its own after
    a while, the newest copy in `raw/`; None where neither is there.
    """
    if not session:
        return None
    known = find_sessions(world.home, world.env, hidden=True)
    own = (info.path for info in known if info.session == session)
    kept = (each.path for each in backups.entries(project) if each.session == session)
    return next(chain(own, kept), None)


def _newest(world: World) -> tuple[str, Path]:
    """The session of the newest checkpoint, else the newest one here, and its transcript."""
    project = workspace.here(world)
    for name in checkpoints.names(project)[:1]:
        session = source.load(world, name).checkpoint.origin.session
        if made := _of(world, project, session):
            return session, made
    here = sessions.of_project(world, project.root)
    if not here:
        raise sessions.none_here(world)
    return here[0].session, here[0].path
