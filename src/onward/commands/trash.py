"""`delete` and `restore`: a checkpoint into the trash, and back from it."""

from __future__ import annotations

from difflib import get_close_matches

from onward.commands import source, workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md
from onward.errors import NotFoundError
from onward.storage import backups, checkpoints


def delete(world: World, name: str) -> Result:
    """Move it to the trash. What it still had to do is said, as the task may not be done."""
    project = workspace.here(world)
    if name not in checkpoints.names(project):
        raise source.missing(project, name, "delete")
    found = checkpoints.find(project, name)
    draft = checkpoint_md.parse(checkpoints.read(project, found).text)
    following = workspace.redactor(world).draft(draft).next_action
    checkpoints.delete(project, found, workspace.trash(world))
    notes = (f"its next action was: {following.text}",) if following else ()
    text = compose(
        f"{found} is in the trash. To bring it back: onward restore {found}",
    )
    return Result(text=text, data={"deleted": found}, notes=notes)


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
    if path.parent == (project.memory / "raw").resolve():
        backups.offer(project, path)
    shown = workspace.shown(path, world, project.root)
    data = {"restored": path.stem, "path": shown}
    return Result(text=compose(f"{path.stem} is back: {shown}"), data=data)
