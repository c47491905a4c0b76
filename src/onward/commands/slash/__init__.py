"""Commands, slash: what the slash commands run before the agent reads a word of them.

A problem is an answer here, as any other: where such a command ended with a status other than
0, the client would give up the whole slash command (measured).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from onward.briefing import brief
from onward.commands import (
    backup,
    document,
    listing,
    protocol,
    resume,
    save,
    source,
    thread,
    workspace,
)
from onward.commands.answer import put_back
from onward.commands.result import Result
from onward.commands.slash import drafts
from onward.commands.slash.words import (
    Asked,
    answer,
    as_typed,
    notes,
    problem,
    unframed,
    wanted,
    whole,
    words,
)
from onward.commands.world import World
from onward.errors import NotFoundError, OnwardError, RefusedError, StorageError, UsageError
from onward.model import CheckpointName, Clean
from onward.storage import backups, checkpoints, documents, live, markers, sessions
from onward.storage.project import Project
from onward.transcripts import registry

_NO = "(no puts the checkpoint in the trash; any other answer leaves it as it is)"
_ADD = "add"
_SHELL = "shell-"
_RECENT = 60.0
"""Seconds for which a shell is remembered: its number comes round, in a container soon."""
WITH_WORDS = (
    *("document-and-save-to", "resume-from", "resume-latest", "discard-backup"),
    "checkpoint",
)


def document_and_save(asked: Asked) -> Clean:
    """The active context, then the session document: to the path that was typed, blanks and all,
    or under a name of its own.
    """
    path = whole(asked.text) if asked.command == "document-and-save-to" else ""
    if asked.command == "document-and-save-to" and len(path.splitlines()) != 1:
        fault = "is one line" if path else "is missing"
        raise UsageError(f"a path {fault}", f"{asked.typed} notes/hand-over.md")
    project, path = workspace.here(asked.world), str(Path(path).expanduser()) if path else ""
    file, result = document.write(asked.world, path, "")
    draft = drafts.begin(asked, project, file)
    return answer(notes(result), result.text, draft)


def save_session_protocol(asked: Asked) -> Clean:
    """session-protocol.json."""
    project = workspace.here(asked.world)
    result = protocol.save(asked.world, "", short=False)
    draft = drafts.begin(asked, project, documents.protocol(project))
    return answer(notes(result), result.text, draft)


def checkpoint(asked: Asked) -> Clean:
    """A named checkpoint: `NAME [--task TEXT] [--force] [--draft]`."""
    project = workspace.here(asked.world)
    wish = wanted(asked.text, f"{asked.typed} save")
    file = checkpoints.path_of(project, CheckpointName(wish.name))
    try:
        result = save.save(asked.world, wish)
    except save.UnfinishedError as error:
        draft = drafts.begin(
            asked, project, file, wish.task, drafts.OVER if wish.force else drafts.NEW
        )
        missing = "write at least `next` into the draft"
        return answer(f"Not saved yet: {error.message}; {missing}.", draft)
    draft = drafts.begin(asked, project, file, wish.task)
    return answer(result.text, notes(result), draft)


def list_checkpoints(asked: Asked) -> Result:
    """The table of the checkpoints."""
    world = asked.world
    return listing.list_checkpoints(
        str(world.cwd),
        world.now.timestamp(),
        lambda: world,
        data=str(world.data),
        make=world.typed("onward save NAME"),
    )


def delete_checkpoint(asked: Asked) -> Result:
    """A checkpoint into the trash."""
    name = next(words(asked.text), "")
    if not name:
        raise UsageError("which checkpoint?", f"{asked.typed} list")
    return save.delete(asked.world, name)


def resume_latest(asked: Asked) -> Clean:
    """What is offered first, or under a number: a pending backup, taken in, or what was saved."""
    number, project = backup.chosen(whole(asked.text), asked.typed), _begun(asked)
    pending = markers.pending(project)
    result, found = backup.resume_newest(asked.world, number)
    left, taken = markers.pending(project), ""
    if gone := [path for path in pending if path not in left]:
        shown = workspace.redactor(asked.world).text(
            workspace.shown(gone[0], asked.world, project.root)
        )
        # A session that ends without an answer leaves it pending again.
        until = "stays pending until you answer" if registry.current(asked.world.env) else "is done"
        taken = f"Taken in: {shown}; it {until}."
    ready = resume.question(found.checkpoint, found.name or found.path.stem)
    file = "" if found.kind == sessions.BACKUP else str(found.path)
    return answer(notes(result), taken, _await(asked, project, file=file), result.text, ready)


def resume_from(asked: Asked) -> Clean:
    """The document that was typed; a pending backup is offered beside it."""
    world, project, name = asked.world, _begun(asked), whole(asked.text)
    if not name:
        result = document.list_documents(world)
        which = f"Which of them? {asked.typed} PATH"
        return answer(result.text, which)
    with suppress(StorageError):  # what cannot be written can still be read
        backups.clean(project)
    found = source.load(world, _place(asked, project, name))
    result = resume.tell(world, found, accepted=False, answering=True)
    thread.keep(world, project, found.kind, found.checkpoint)
    note = _await(asked, project, file=str(found.path))
    choice = ""
    if pending := markers.pending(project):
        other = workspace.redactor(world).text(pending[0].name)
        command = f"/{asked.prefix}resume-latest"
        choice = f"Or the pending backup instead ({other})? Then the user types {command}"
    return answer(notes(result), note, result.text, choice)


def resume_checkpoint(asked: Asked) -> Clean:
    """A named checkpoint, the newest without a name; a plain no puts it into the trash."""
    world, project = asked.world, _begun(asked)
    found, others = resume.chosen(world, next(words(asked.text), ""))
    result = resume.tell(world, found, others, accepted=False, answering=True)
    thread.keep(world, project, found.kind, found.checkpoint)
    note = _await(asked, project, found.name)
    what_no_does = _NO if found.name and not found.machine else ""
    return answer(notes(result), note, f"{result.text.rstrip()}\n{what_no_does}")


def load_session_protocol(asked: Asked) -> Clean:
    """The report of session-protocol.json, then what is in it."""
    world, project = asked.world, workspace.here(asked.world)
    result = protocol.load(world, short=False)
    path = documents.protocol(project)
    found = source.load(world, str(path)) if path.is_file() else source.newest(world, project)
    assert found  # noqa: S101 - `load` raises where there is nothing
    thread.keep(world, project, found.kind, found.checkpoint, agreed=True)
    # The report tells what changed in git.
    told_of_it = brief(found.checkpoint, None, age=world.age(found.mtime))
    return answer(notes(result), result.text, told_of_it)


def _begun(asked: Asked) -> Project:
    """The project. A question that was not answered changes nothing: so the numbers that stood beside
    it hold.
    """
    world, project = asked.world, workspace.here(asked.world)
    session = registry.current(world.env)
    if open_ := sessions.asked(str(world.data), session):
        put_back(project, open_, world)
        sessions.answered(str(world.data), session)
    return project


def _await(asked: Asked, project: Project, name: str = "", file: str = "") -> str:
    """Let the next prompt's yes or no be understood; `name` is of the checkpoint that a no puts
    into the trash, `file` the saved place that a no offers no more. Returns where the agent's note
    goes, "" where nobody would read it.
    """
    world = asked.world
    session = registry.current(world.env)
    open_ = sessions.Question(name, str(project.root), at=world.now.timestamp(), file=file)
    sessions.ask(str(world.data), session, open_)
    thread.clear_draft(world, project, thread.session_of(world))
    return f"Note: {thread.draft_shown(world, project)}" if session else ""


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


Command = Callable[[Asked], Clean | Result]
"""The text for the agent, or what a verb returned."""
_MODES: Mapping[str, Command] = {
    "save": checkpoint,
    "list": list_checkpoints,
    "resume": resume_checkpoint,
    "delete": delete_checkpoint,
}


def _checkpoint(asked: Asked) -> Clean | Result:
    mode, rest = (*asked.text.split(maxsplit=1), "", "")[:2]
    if mode not in _MODES:
        forms = "save NAME, list, resume NAME or delete NAME"
        raise UsageError(f"which of these? {forms}", f"{asked.typed} list")
    return _MODES[mode](asked._replace(text=rest))


COMMANDS: Mapping[str, Command] = {
    "document-and-save": document_and_save,
    "document-and-save-to": document_and_save,
    "resume-latest": resume_latest,
    "resume-from": resume_from,
    "sessions-list": lambda asked: document.list_documents(asked.world),
    "discard-backup": lambda asked: backup.discard(
        asked.world, backup.chosen(whole(asked.text), asked.typed)
    ),
    "checkpoint": _checkpoint,
    "save-session-protocol": save_session_protocol,
    "load-session-protocol": load_session_protocol,
}


def run(world: World, name: str, step: str, raw: str, shell: str) -> Clean:
    """The text for the agent. `name` may carry a plugin's prefix (`onward:checkpoint`); `step` is
    "" or "add"; `raw` is what was typed, as the command file frames it; `shell` tells the shell
    that runs the lines of one command from every other.
    """
    before, colon, command = name.rpartition(":")
    prefix = before + colon
    asked = Asked(
        replace(world, typed=lambda said: as_typed(said, prefix)), command, prefix, unframed(raw)
    )
    try:
        if command not in COMMANDS or step not in {"", _ADD}:
            raise NotFoundError(f"there is no slash command {name} {step}".rstrip(), "/help")
        # A typed line that ends the here-document could call the command again, with words of its
        # own: the client lets that pass (measured).
        data, session = str(world.data), registry.current(world.env)
        live.expire(data, session, _SHELL, world.now.timestamp() - _RECENT)
        if not step and not live.claim(data, session, f"{_SHELL}{shell}"):
            raise RefusedError("this command was run already; what stood behind it was left undone")
        told = drafts.add(asked) if step == _ADD else COMMANDS[command](asked)
        return answer(told.text, notes(told)) if isinstance(told, Result) else told
    except OnwardError as error:
        return problem(asked, error)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return problem(asked, StorageError(f"{error.filename or 'the disk'}: {reason}"))
