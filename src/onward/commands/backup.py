"""`backup`: the transcripts that were kept when a session ended or was compacted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from onward.briefing.status import status_line
from onward.briefing.text import one_line, shorten
from onward.commands import document, gather, handover, resume, saves, source, thread, workspace
from onward.commands.listing import table
from onward.commands.result import Result, compose
from onward.commands.source import Source
from onward.commands.world import World
from onward.documents import session_md, times
from onward.errors import InputError, NotFoundError, OnwardError, StorageError, UsageError
from onward.model import Clean
from onward.storage import backups, documents, markers
from onward.storage.backups import Backup
from onward.storage.project import Project

_NAMED = 3  # backups that are told; the list has the rest
_SAID = 80  # characters of a task


def list_backups(world: World) -> Result:
    """All of them, the newest first, and which are still pending."""
    project, redactor = workspace.here(world), workspace.redactor(world)
    found = backups.entries(project)
    data = [
        {
            "path": workspace.shown(each.path, world, project.root),
            "taken": _taken(each),
            "reason": redactor.text(each.reason),
            "session": redactor.text(each.session),
            "size": each.size,
            "pending": each.pending,
        }
        for each in found
    ]
    if not found:
        return Result(text=compose(), data=data, notes=("no backups in this project",))
    picks = "to pick one that is pending by its number: onward backup resume 2"
    firsts = _numbered(_waiting(project))
    numbers = {each.session or each.path.name: n for n, each in enumerate(firsts, 1)}
    cells = [
        (
            _taken(each),
            redactor.text(each.reason) or "compaction",
            redactor.text(each.session[:8]),
            f"{each.size / 1e6:.1f} MB",
            f"pending, {numbers[each.session or each.path.name]}" if each.pending else "",
            redactor.text(each.path.name),
        )
        for each in found
    ]
    head = ("TAKEN", "REASON", "SESSION", "SIZE", "STATE", "FILE")
    notes = (picks,) if len(numbers) > 1 else ()
    return Result(text=compose(*table(head, cells)), data=data, notes=notes)


def resume_newest(world: World, number: int = 0) -> Result:
    """Brief from the pending one of that number in the order in which they are offered, 0 for the
    first; without any, from what was saved last.

    The marker goes only after the active context that took it in, or a later state, is
    durable; a backup that cannot be read keeps its marker. Trivial ones of before go with it.
    """
    project = workspace.here(world)
    if not number and not _waiting(project) and (saved := source.newest(world, project)):
        told = resume.tell(world, saved)
        thread.keep(world, project, saved.kind, saved.checkpoint)
        said = f"no backup is pending; this is {workspace.shown(saved.path, world, project.root)}"
        return told._replace(notes=(*told.notes, said))
    group, others = _pending(world, project, number)
    newest = group[0].path
    try:
        loaded = source.load(world, str(newest))
        gathered = gather.gather(world, project, str(newest))
    except InputError as error:
        raise InputError(error.message, "onward backup discard") from None
    told = resume.tell(world, loaded, waiting=False)
    context = None
    if not _is_overtaken(project, loaded):
        redactor = workspace.redactor(world)
        draft = replace(gathered.draft, saved=times.utc(world.now))
        place = workspace.shown(newest, world, project.root)
        context = document.context_of(world, project, redactor.draft(draft), place)
    before = group[0].taken if not group[0].trivial else ""
    passed = [each for each in others if each.trivial and each.taken <= before]
    done = [each.path for each in (*group, *passed)]
    try:
        backups.process(project, done, context, now=world.now)
    except StorageError as error:  # it is told all the same
        kept = f"the backup stays pending: {error.message}"
        return told._replace(notes=(*told.notes, kept))
    thread.keep(world, project, loaded.kind, loaded.checkpoint)
    left = [each for each in others if each not in passed]
    beside = _others(world, left)
    return told._replace(notes=(*told.notes, *_later(world, project, newest), *beside))


def _later(world: World, project: Project, backup: Path) -> tuple[str, ...]:
    """Another session may have come after the backup, and saved its work."""
    if saves.newest(str(world.data), str(project.root)) < backup.stat().st_mtime:
        return ()
    if (last := _saved_last(world, project)) is None:
        return ()
    shown, again = last
    return (f"saved later than that: {shown}; to continue from it: {world.typed(again)}",)


def _saved_last(world: World, project: Project) -> tuple[str, str] | None:
    """What was saved last, and the command that continues from it."""
    saved = source.newest(world, project)
    if saved is None:
        return None
    shown = saved.name or workspace.shown(saved.path, world, project.root)
    return shown, f"onward resume {saved.name or document.typed(world, saved.path)}"


def _is_overtaken(project: Project, backup: Source) -> bool:
    """Whether a newer session document exists: the active context must not become older than it."""
    written = documents.sessions(project)
    if not written or not project.active_context.is_file():
        return False
    saved = times.moment(session_md.parse(documents.read(written[0])).saved)
    newest = saved.timestamp() if saved else written[0].stat().st_mtime
    return newest >= backup.mtime


def _taken(each: Backup) -> str:
    """`20260301_140000` as `2026-03-01 14:00:00`."""
    return re.sub(r"(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)", r"\1-\2-\3 \4:\5:\6", each.taken)


def discard(world: World, number: int = 0, *, everything: bool = False) -> Result:
    """Put the pending one of that number (0 for the first that is offered), or all of them, into
    the trash unread, and take it off the marker.
    """
    project, redactor = workspace.here(world), workspace.redactor(world)
    group, others = _pending(world, project, number)
    if everything:
        group, others = [*group, *others], []
    kept = backups.discard(
        project, [each.path for each in group], workspace.trash(world), now=world.now
    )
    names = [workspace.shown(each.path, world, project.root) for each in group]
    stems = (redactor.text(path.stem) for path in kept)
    back = (f"to bring it back: onward restore {stem}" for stem in stems)
    lines = [
        f"Discarded {name}"
        if each.path in kept
        else f"Not offered any more: {name} (too large for the trash, it stays until the copies outgrow their limit)"
        for name, each in zip(names, group, strict=True)
    ]
    text = compose(*lines)
    notes = _others(world, others, "; to discard all: onward backup discard --all")
    return Result(text=text, data={"discarded": names}, notes=(*back, *notes))


def chosen(text: str, usage: str) -> int:
    """The number that was typed behind a command, 0 for none. Raises UsageError for anything else."""
    if text and not (text.isascii() and text.isdecimal() and int(text[:9])):
        raise UsageError(f"{text!r} is no number of a backup that waits", f"{usage} 2")
    return int(text[:9] or 0)


def _pending(world: World, project: Project, number: int = 0) -> tuple[list[Backup], list[Backup]]:
    """The backups of the session of that number, 0 for the one that is offered first, and those of
    other sessions.
    """
    waiting = _waiting(project)
    if not waiting:
        message = "no backup is pending in this project"
        if last := _saved_last(world, project):
            raise NotFoundError(f"{message}; saved last: {last[0]}", last[1])
        raise NotFoundError(message, "onward document list")
    places = _numbered(waiting)
    if number > len(places):
        raise NotFoundError(
            f"{number} is no backup that waits: there are {len(places)}", "onward backup list"
        )
    first = places[max(number - 1, 0)]
    group = [e for e in waiting if e == first or (e.session and e.session == first.session)]
    return group, [each for each in waiting if each not in group]


def _waiting(project: Project) -> list[Backup]:
    """The pending backups as they are offered, once stale lines are out of the marker."""
    with suppress(StorageError):  # what cannot be written can still be read
        backups.clean(project)
    known = {each.path: each for each in backups.entries(project)}
    return [known[path] for path in markers.pending(project) if path in known]


def _numbered(waiting: list[Backup]) -> list[Backup]:
    """The first one of each session, in the order in which they are offered: what numbers mean."""
    firsts: dict[str, Backup] = {}
    for each in waiting:
        firsts.setdefault(each.session or each.path.name, each)
    return list(firsts.values())


def _others(world: World, others: list[Backup], behind: str = "") -> tuple[str, ...]:
    """`1 more backup is pending (onward backup list):`, then a row for each of the first ones with
    the number that now picks it.
    """
    if not others:
        return ()
    more = "1 more backup is" if len(others) == 1 else f"{len(others)} more backups are"
    head = f"{more} pending (onward backup list){behind}:"
    rows = list(_rows(world, others))
    return (head, *rows)


def _rows(world: World, waiting: list[Backup]) -> Iterator[Clean]:
    """Number, name, age, task and how it stood, of the first ones of those that wait."""
    redactor, now = workspace.redactor(world, keep=False), world.now.timestamp()
    places = _numbered(waiting)
    for number, each in enumerate(places[:_NAMED], 1):
        told = redactor.text(each.path.name)
        old = f"{times.age(max(0.0, now - each.path.stat().st_mtime))} old"
        said = list[str]()
        with suppress(OnwardError, OSError, ValueError):  # it can be picked all the same
            if found := handover.early(world, each.session, each.path):
                said = [shorten(one_line(found.task.text), _SAID), status_line(found, short=True)]
        yield compose(f"{number}. {' · '.join(filter(None, (told, old, *said)))}")
    if len(places) > _NAMED:
        yield compose(f"and {len(places) - _NAMED} more")
