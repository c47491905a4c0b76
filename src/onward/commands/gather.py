"""All that is known of the current work, for whichever form it is saved in.

SESSION-STATE.md leads, the transcript fills, then the place that its session took up; the working
buffer helps where that is thin, and the agent's own words come on top.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from onward import repo
from onward.commands import draft_note, saves, sessions, source, thread, workspace
from onward.commands.result import compose
from onward.commands.world import World
from onward.documents import active_context, session_state
from onward.errors import NotFoundError, RefusedError
from onward.model import Draft, Item
from onward.storage import atomic, documents
from onward.storage.project import Project
from onward.transcripts import registry
from onward.user_input import is_significant

LASTING = 3  # additions to project-memory.md a save: every session loads that file


class Gathered(Struct, frozen=True, kw_only=True):
    """The draft, what to tell the user about its sources, and whether there is work in it."""

    draft: Draft
    notes: tuple[str, ...] = ()
    trivial: bool = False
    worked: bool = False
    """The session did or settled something, or took up a place where somebody had."""
    void: bool = False
    """Nobody said or did anything but with our own commands."""
    lasting: tuple[str, ...] = ()
    """Raw lines of the agent for project-memory.md."""
    findings: tuple[str, ...] = ()
    """Lines of the agent's note that do not agree with the record."""


def gather(
    world: World,
    project: Project,
    session: str,
    *,
    words_file: Path | None = None,
    task: str = "",
    following: str = "",
) -> Gathered:
    """Everything about the session named (an id or a file), else about the one that this call is
    part of, else about the newest of this project.

    Raises NotFoundError where there is neither a session nor a word about the work, InputError
    where there may be one that cannot be read, RefusedError in a folder that is no project.
    """
    workspace.at_work(world, project, session)
    own = draft_note.read(world.cwd / words_file) if words_file else None
    state, buffer = (
        documents.read(path, project.root) for path in (project.state_file, project.buffer)
    )
    told = bool(own) or session_state.tells_of_work(state)
    found, notes = session_of(world, session, optional=told)
    alone = found.draft if found else Draft(task=Item(text=""))
    whole = thread.carried(world, alone, found.root if found else None, correcting=bool(own))
    draft = session_state.fill(whole, state, buffer)
    findings: tuple[str, ...] = ()
    if own:
        draft, findings = draft_note.laid(draft, own, project.root, workspace.redactor(world).text)
    for name, text in (("task", task), ("next_action", following)):  # given with this very save
        if told_now := " ".join(text.split()):
            item = Item(text=told_now, evidence="asked", author="user")
            draft = replace(draft, **{name: item})
    if found and not (found.root and workspace.is_same(found.root, project.root)):
        notes += ("that session was held in another project: its paths may not be found here",)
    # What the session took up, and what stands in the files beside it, is no work of its own.
    carried = whole is not alone
    asked = any(carried or is_significant(request.text) for request in alone.requests)
    done = asked or alone.progress or alone.tasks or alone.runs or alone.decisions
    trivial = found is not None and not told and (found.trivial or not done)
    ours = [*project.places, *([world.cwd / words_file] if words_file else [])]
    stamped = repo.stamp(draft, project.root)
    if stamped.repo:  # what onward writes or removes is not work that is still to be committed
        dirty = workspace.not_ours(stamped.repo.dirty, ours, project.root)
        stamped = replace(stamped, repo=replace(stamped.repo, dirty=dirty))
    lasting = draft_note.lasting(own, workspace.redactor(world).hide) if own else ()
    return Gathered(
        draft=stamped,
        notes=(*notes, *findings),
        trivial=trivial,
        worked=found is not None and (found.worked or carried),
        void=not (told or done),
        lasting=lasting,
        findings=findings,
    )


def refuse_void(gathered: Gathered) -> None:
    """Raise RefusedError where a save would put nothing in the place of what was saved before."""
    if gathered.void:
        raise RefusedError("nothing was done in this session yet", "onward sessions")


def finish(
    world: World,
    project: Project,
    gathered: Gathered,
    made: tuple[str, str, Path],
    words_file: Path | None,
) -> tuple[str, ...]:
    """After a save (`made` as `saves.put` has it): record it, fill project-memory.md, remove the
    note's file; returns what to tell.
    """
    saves.put(world, project, gathered.draft.origin, made)
    redactor = workspace.redactor(world)
    lines = [compose(active_context.escape(redactor.text(line))) for line in gathered.lasting]
    added = documents.add_lasting(project, lines[:LASTING]) if lines else []
    if words_file:
        origin = gathered.draft.origin
        thread.keep_note(world, origin.session, gathered.draft, origin.transcript or "")
        atomic.remove(world.cwd / words_file)
    shown = workspace.shown(project.memory / documents.LASTING, world, project.root)
    told = [f"added to {shown}: {line}" for line in added]
    if len(lines) > LASTING:
        told.append(f"left out of {shown}: {len(lines) - LASTING} more (at most {LASTING} a save)")
    return (*gathered.notes, *told)


def session_of(
    world: World, session: str, *, optional: bool
) -> tuple[source.Distilled | None, tuple[str, ...]]:
    """The session named, else the one that this call is part of, else the newest, and what to tell of
    the choice. Where there is none: an error, or with `optional` None.
    """
    if session:
        return source.distilled(source.transcript(world, session), workspace.redactor(world)), ()
    if registry.current(world.env):
        if (path := source.running(world)) is None:  # and never another in its place
            missing = "this session has no transcript yet"
            if optional:
                return None, (missing,)
            raise NotFoundError(f"{missing}: nothing was said in it", "onward sessions")
        newest = source.sessions(world)[:1]
        others = [each.session[:8] for each in newest if each.path != path]
        told = tuple(f"from this session; {each} is newer: onward sessions" for each in others)
        return source.distilled(path, workspace.redactor(world)), told
    known, lost = source.sessions(world), sessions.lost(world)
    told = (lost,) if lost else ()
    if not known:
        if optional:
            return None, ("no session of this project was found", *told)
        raise sessions.none_here(world)
    used = f"from session {known[0].session[:8]}, the newest"
    if len(known) > 1:
        used += f" of {len(known)}; to see the others: onward sessions"
    return source.distilled(known[0].path, workspace.redactor(world)), (used, *told)
