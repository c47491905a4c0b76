"""`show`: a checkpoint by its name, or what stands at a place that one of its lines names."""

from __future__ import annotations

import re
from datetime import UTC
from pathlib import Path

from onward.agents.registry import find_sessions
from onward.commands import commit, places, rim, sessions, source
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import NotFoundError
from onward.formats import checkpoint_md
from onward.store import checkpoints

_SESSION = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}")


def show(world: World, what: str, session: str = "", *, of: str = "") -> Result:
    """Show a place (`t:541`), a commit (`c:9f5a3c7`) or a checkpoint.

    A place is looked up in the session that `of` (a checkpoint, a document, a session) was made
    from, or in the session named, else in the one that the newest checkpoint was made from, else
    in the newest of this project; which one that was is told.
    """
    if of and not commit.is_commit(what):
        return places.show_place(places.parse(what), _made(world, of), rim.redactor(world))
    if places.is_place(what):
        place = places.parse(what)
        path = source.transcript(world, session) if session else _transcript(world)
        result = places.show_place(place, path, rim.redactor(world))
        told = f"of session {path.stem[:8]}; a checkpoint's name before the place opens its own"
        return result if session else result._replace(notes=(told,))
    if commit.is_commit(what):
        return commit.show_commit(what, rim.here(world).root, rim.redactor(world))
    loaded = source.load(world, what, verb="show")
    return Result(
        text=compose(checkpoint_md.render(loaded.checkpoint, zone=world.now.tzinfo or UTC)),
        data=loaded.checkpoint,
    )


def _made(world: World, what: str) -> Path:
    """The transcript that a saved place was made from. Raises NotFoundError where it is not on
    this machine.
    """
    project = rim.here(world)
    named = what in checkpoints.names(project)
    if not named and (_SESSION.fullmatch(what) or (world.cwd / what).suffix == ".jsonl"):
        return source.transcript(world, what)
    session = source.load(world, what, verb="show").checkpoint.origin.session
    known = find_sessions(world.home, world.env, cwd=None)
    if session and (made := next((info for info in known if info.session == session), None)):
        return made.path
    whose = f"of session {session}" if session else "which it does not name"
    message = f"the transcript that {what} was made from is not on this machine ({whose})"
    raise NotFoundError(message, f"onward show {what}")


def _transcript(world: World) -> Path:
    project = rim.here(world)
    known = find_sessions(world.home, world.env, cwd=None)
    for name in checkpoints.names(project)[:1]:
        wanted = source.load(world, name).checkpoint.origin.session
        if made := next((info for info in known if wanted and info.session == wanted), None):
            return made.path
    here = sessions.of_project(world, project.root)
    if not here:
        raise sessions.none_here(world)
    return here[0].path
