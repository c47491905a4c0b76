"""Commands, slash: what brings a saved place back. Each ends in a question to the user."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from onward.briefing import brief
from onward.commands import backup, drifting, latest, protocol, resume, source, thread, workspace
from onward.commands import document as documents_of
from onward.commands.result import Result
from onward.commands.slash import told
from onward.commands.slash.asked import Asked, whole, words
from onward.errors import StorageError, UsageError
from onward.model import Clean
from onward.storage import backups, checkpoints, documents, markers, question
from onward.storage.project import Project
from onward.transcripts import registry

_NO = "(no puts the checkpoint in the trash; any other answer leaves it as it is)"


def resume_latest(asked: Asked) -> Clean:
    """The pending backup, taken in; without one, what was saved last."""
    project = workspace.here(asked.world)
    pending = markers.pending(project)
    result = backup.resume_newest(asked.world)
    data = _resumed(result)
    taken = ""
    if pending and pending[0] not in markers.pending(project):
        shown = workspace.redactor(asked.world).text(
            workspace.shown(pending[0], asked.world, project.root)
        )
        # A session that ends without an answer leaves it pending again.
        until = "stays pending until you answer" if registry.current(asked.world.env) else "is done"
        taken = f"Taken in: {shown}; it {until}."
    _await(asked, project, "")
    ready = resume.question(data.checkpoint, data.name or Path(data.path).stem)
    return told.answer(told.notes(asked, result), taken, result.text, ready)


def resume_from(asked: Asked) -> Clean:
    """The document that was typed; a pending backup is offered beside it."""
    world, project = asked.world, workspace.here(asked.world)
    name = whole(asked.text)
    if not name:
        result = documents_of.list_documents(world)
        which = f"Which of them? {asked.typed} PATH"
        return told.answer(told.as_typed(result.text, asked.prefix), which)
    with suppress(StorageError):  # what cannot be written can still be read
        backups.clean(project)
    found = source.load(world, _place(asked, project, name))
    result = resume.tell(world, found, accepted=False, answering=True)
    thread.keep(world, project, found.kind, found.checkpoint)
    _await(asked, project, "")
    choice = ""
    if pending := markers.pending(project):
        other = workspace.redactor(world).text(pending[0].name)
        command = f"/{asked.prefix}resume-latest"
        choice = f"Or the pending backup instead ({other})? Then the user types {command}"
    return told.answer(told.notes(asked, result), result.text, choice)


def resume_checkpoint(asked: Asked) -> Clean:
    """A named checkpoint, the newest without a name; a plain no puts it into the trash."""
    project = workspace.here(asked.world)
    result = resume.present(asked.world, next(words(asked.text), ""), answering=True)
    data = _resumed(result)
    thread.keep(asked.world, project, data.kind, data.checkpoint)
    _await(asked, project, data.name)
    what_no_does = _NO if data.name and not data.machine else ""
    return told.answer(told.notes(asked, result), f"{result.text.rstrip()}\n{what_no_does}")


def load_session_protocol(asked: Asked) -> Clean:
    """The report of session-protocol.json, then what is in it."""
    world, project = asked.world, workspace.here(asked.world)
    result = protocol.load(world, short=False)
    path = documents.protocol(project)
    found = source.load(world, str(path)) if path.is_file() else latest.newest(world, project)
    assert found  # noqa: S101 - `load` raises where there is nothing
    thread.keep(world, project, found.kind, found.checkpoint, agreed=True)
    # The report tells what changed in git.
    told_of_it = brief(found.checkpoint, None, age=drifting.age_of(world, found))
    return told.answer(told.notes(asked, result), result.text, told_of_it)


def _resumed(result: Result) -> resume.Resumed:
    assert isinstance(result.data, resume.Resumed)  # noqa: S101 - what `tell` returns
    return result.data


def _await(asked: Asked, project: Project, name: str) -> None:
    """Let the next prompt's yes or no be understood; `name` is of the checkpoint that a no puts
    into the trash.
    """
    world = asked.world
    session = registry.current(world.env)
    question.put(str(world.data), session, question.Question(name, str(project.root)))


def _place(asked: Asked, project: Project, name: str) -> str:
    """The file that is meant: as typed, or by its name in the memory folder. Raises UsageError
    for a session's id, which is none.
    """
    world = asked.world
    bare = Path(name).expanduser()
    folders = (world.cwd, project.root, project.memory)
    tried = [folder / form for folder in folders for form in (bare, Path(f"{bare}.md"))]
    found = next((path for path in tried if path.is_file()), None)
    if found is None and name not in checkpoints.names(project):
        raise UsageError(f"there is no file {name}", f"/{asked.prefix}sessions-list")
    return str(found) if found else name
