"""Commands, slash: the saves. Each is done when it returns; the agent's words may follow."""

from __future__ import annotations

from pathlib import Path

from onward.commands import document, protocol, save, workspace
from onward.commands.slash import added, told
from onward.commands.slash.asked import Asked, wanted, whole
from onward.commands.world import World
from onward.errors import UsageError
from onward.model import CheckpointName, Clean
from onward.storage import checkpoints, documents
from onward.storage.project import Project


def document_and_save(asked: Asked) -> Clean:
    """The active context, then the session document under a name of its own."""
    return _document(asked, "")


def document_and_save_to(asked: Asked) -> Clean:
    """The same, to the path that was typed, blanks and all."""
    path = whole(asked.text)
    if not path:
        raise UsageError("a path is missing", f"{asked.typed} notes/hand-over.md")
    if len(path.splitlines()) > 1:
        raise UsageError("a path is one line", f"{asked.typed} notes/hand-over.md")
    if not path.endswith(".md"):
        message = f"the name of a session document ends in .md: {path}"
        raise UsageError(message, f"{asked.typed} {path.rstrip('/')}.md")
    return _document(asked, str(Path(path).expanduser()))


def save_session_protocol(asked: Asked) -> Clean:
    """session-protocol.json."""
    project = workspace.here(asked.world)
    result = protocol.save(asked.world, "", short=False)
    draft = added.begin(asked, project, documents.protocol(project))
    return told.answer(told.notes(asked, result), result.text, draft)


def checkpoint(asked: Asked) -> Clean:
    """A named checkpoint: `NAME [--task TEXT] [--force] [--draft]`."""
    world, project = asked.world, workspace.here(asked.world)
    wish = wanted(asked.text, f"{asked.typed} save")
    file = checkpoints.path_of(project, CheckpointName(wish.name))
    try:
        result = save.save(
            world,
            save.Wish(name=wish.name, task=wish.task, force=wish.force, draft=wish.draft),
        )
    except save.UnfinishedError as error:
        draft = added.waiting(asked, project, file, wish.task, over=wish.force)
        missing = "write at least `next` into the draft"
        return told.answer(f"Not saved yet: {error.message}; {missing}.", draft)
    draft = added.begin(asked, project, file, wish.task)
    return told.answer(result.text, told.notes(asked, result), draft)


def _document(asked: Asked, path: str) -> Clean:
    project = workspace.here(asked.world)
    result = document.document(asked.world, path, "")
    file = _written(asked.world, project, result.data)
    draft = added.begin(asked, project, file)
    return told.answer(told.notes(asked, result), told.as_typed(result.text, asked.prefix), draft)


def _written(world: World, project: Project, data: object) -> Path:
    """The document's path, of which the answer has the form for people."""
    shown = data["document"] if isinstance(data, dict) else ""
    return world.home / shown[2:] if shown.startswith("~/") else project.root / shown
