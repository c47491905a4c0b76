"""`restore`: a checkpoint back from the trash."""

from __future__ import annotations

from difflib import get_close_matches

from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import NotFoundError


def names(world: World) -> list[str]:
    """What was deleted or replaced in this project, the newest first."""
    entries = workspace.trash(world).entries(workspace.here(world))
    return list(dict.fromkeys(entry.name for entry in entries))


def restore(world: World, name: str, *, force: bool) -> Result:
    """Bring the newest one of that name back; with `force` also over the one that is there now,
    which goes to the trash. Raises NotFoundError, RefusedError.
    """
    project, trash = workspace.here(world), workspace.trash(world)
    known = names(world)
    if name not in {*known, *(entry.id for entry in trash.entries(project))}:
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        raise NotFoundError(
            f"nothing named {name!r} was deleted in this project",
            f"onward restore {near[0]}" if near else "onward list",
        )
    path = trash.restore(name, project, over=force)
    shown = workspace.shown(path, world, project.root)
    data = {"restored": path.stem, "path": shown}
    return Result(text=compose(f"{path.stem} is back: {shown}"), data=data)
