"""`show`: a checkpoint by its name, or what stands at a place that one of its lines names."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

from onward.agents.registry import find_sessions
from onward.commands import commit, places, rim, sessions, source
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.formats import checkpoint_md
from onward.store import checkpoints


def show(world: World, what: str, session: str = "") -> Result:
    """Show a place (`t:541`, of the session named, else of the one that the newest checkpoint
    was made from, else of the newest of this project), a commit (`c:9f5a3c7`) or a checkpoint.
    """
    if places.is_place(what):
        place = places.parse(what)
        path = source.transcript(world, session) if session else _transcript(world)
        return places.show_place(place, path, rim.redactor(world))
    if commit.is_commit(what):
        return commit.show_commit(what, rim.here(world).root, rim.redactor(world))
    loaded = source.load(world, what, verb="show")
    return Result(
        text=compose(checkpoint_md.render(loaded.checkpoint, zone=world.now.tzinfo or UTC)),
        data=loaded.checkpoint,
    )


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
