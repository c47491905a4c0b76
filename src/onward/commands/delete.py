"""`delete`: a checkpoint into the trash."""

from __future__ import annotations

from onward.commands import source, workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md
from onward.storage import checkpoints


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
