"""`show`: a checkpoint by its name, or what stands at a place that one of its lines names."""

from __future__ import annotations

import re
import shlex
from datetime import UTC
from itertools import chain
from pathlib import Path

from onward import evidence, repo
from onward.commands import places, sessions, source, workspace
from onward.commands.places import Place, View
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md
from onward.errors import NotFoundError, UsageError
from onward.repo.git import ask, decode
from onward.storage import backups, checkpoints
from onward.storage.project import Project
from onward.transcripts.registry import find_sessions
from onward.transcripts.sessions import SESSION_ID

_HASH = re.compile(r"c:([0-9a-fA-F]{4,64})")


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
    is_commit = what.startswith("c:")
    if (of and not is_commit) or places.is_place(what):
        return _place(world, places.parse(what), of or session, view)
    if is_commit:
        return _commit(world, what)
    loaded = source.load(world, what, verb="show")
    return Result(
        text=compose(checkpoint_md.render(loaded.checkpoint, zone=world.now.tzinfo or UTC)),
        data=loaded.checkpoint,
    )


def _commit(world: World, what: str) -> Result:
    """Who, when, what and which files, redacted. Raises UsageError, NotFoundError."""
    found, root = _HASH.fullmatch(what), workspace.here(world).root
    if not found:
        raise UsageError(f"{what!r} is no commit", "onward show c:9f5a3c7")
    form = "--format=commit %H%nDate: %cI%n%n%B"
    if repo.top(root) is None:
        raise NotFoundError(f"{root} is in no git repository, so it has no commits", "git init")
    said = ask(root, "show", "--stat", "--no-ext-diff", form, f"{found[1]}^{{commit}}", "--")
    if said is None:
        raise NotFoundError(f"the commit {found[1]} is not in this repository", "git fetch --all")
    text = workspace.redactor(world).text(decode(said))
    return Result(text=compose(evidence.escape(text)), data={"place": what, "text": text})


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
    """The transcript of a session: the client's, else the newest copy in `raw/`, else None."""
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
