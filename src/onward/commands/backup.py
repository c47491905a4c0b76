"""`backup`: the transcripts that were kept when a session ended or was compacted."""

from __future__ import annotations

import re
from datetime import UTC
from pathlib import Path

import msgspec

from onward.commands import document, gather, latest, resume, rim, source, thread
from onward.commands.list import table
from onward.commands.result import Result, compose
from onward.commands.source import Source
from onward.commands.world import World
from onward.errors import InputError, NotFoundError
from onward.formats import active_context, session_md, times
from onward.store import backups, documents
from onward.store.backups import Backup
from onward.store.project import Project


def list_backups(world: World) -> Result:
    """All of them, the newest first, and which are still pending."""
    project, redactor = rim.here(world), rim.redactor(world)
    found = backups.entries(project)
    data = [
        {
            "path": rim.shown(each.path, world, project.root),
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
    cells = [
        (
            _taken(each),
            redactor.text(each.reason) or "compaction",
            redactor.text(each.session[:8]),
            f"{each.size / 1e6:.1f} MB",
            "pending" if each.pending else "",
            redactor.text(each.path.name),
        )
        for each in found
    ]
    head = ("TAKEN", "REASON", "SESSION", "SIZE", "STATE", "FILE")
    return Result(text=compose(*table(head, cells)), data=data)


def resume_newest(world: World) -> Result:
    """Brief from the newest pending one; without any, from what was saved last.

    The marker goes only after the active context that took it in, or a later state, is
    durable; a backup that cannot be read keeps its marker.
    """
    project = rim.here(world)
    if not _waiting(project) and (saved := latest.newest(world, project)):
        told = resume.tell(world, saved)
        thread.keep(world, project, saved.kind, saved.checkpoint)
        said = f"no backup is pending; this is {rim.shown(saved.path, world, project.root)}"
        return told._replace(notes=(*told.notes, said))
    group, others = _pending(project)
    newest = group[0].path
    try:
        loaded = source.load(world, str(newest))
        gathered = gather.gather(world, project, str(newest))
    except InputError as error:
        raise InputError(error.message, "onward backup discard") from None
    told = resume.tell(world, loaded, waiting=False)
    context = None
    if not _is_overtaken(project, loaded):
        redactor = rim.redactor(world)
        draft = msgspec.structs.replace(gathered.draft, saved=times.utc(world.now))
        own = document.kept_headings(project, redactor)
        context = active_context.render(
            msgspec.structs.replace(redactor.draft(draft), extra=own),
            document=rim.shown(newest, world, project.root),
            zone=world.now.tzinfo or UTC,
        )
    backups.process(project, [each.path for each in group], context, now=world.now)
    thread.keep(world, project, loaded.kind, loaded.checkpoint)
    return told._replace(notes=(*told.notes, *_others(others)))


def _is_overtaken(project: Project, backup: Source) -> bool:
    """Whether a session document tells of later work: then the active context, which is as new
    as that, must not go back.
    """
    written = documents.sessions(project)
    if not written or not project.active_context.is_file():
        return False
    saved = times.moment(session_md.parse(documents.read(written[0])).saved)
    newest = saved.timestamp() if saved else written[0].stat().st_mtime
    return newest >= backup.mtime


def _taken(each: Backup) -> str:
    """`20260301_140000` as `2026-03-01 14:00:00`."""
    return re.sub(r"(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)", r"\1-\2-\3 \4:\5:\6", each.taken)


def discard(world: World) -> Result:
    """Remove the newest pending one and its marker without reading it."""
    project = rim.here(world)
    group, others = _pending(project)
    backups.discard(project, [each.path for each in group], now=world.now)
    names = [rim.shown(each.path, world, project.root) for each in group]
    text = compose(*(f"Discarded {name}" for name in names))
    return Result(text=text, data={"discarded": names}, notes=_others(others))


def _pending(project: Project) -> tuple[list[Backup], list[Path]]:
    """The newest pending backup with the earlier ones of its session; and those of others."""
    waiting = _waiting(project)
    if not waiting:
        raise NotFoundError("no backup is pending in this project", "onward document list")
    newest = waiting[0]
    group = [e for e in waiting if e == newest or (e.session and e.session == newest.session)]
    return group, [each.path for each in waiting if each not in group]


def _waiting(project: Project) -> list[Backup]:
    """The pending backups, the newest first, once stale lines are out of the marker."""
    backups.clean(project)
    return [each for each in backups.entries(project) if each.pending]


def _others(others: list[Path]) -> tuple[str, ...]:
    count = len(others)
    return (f"{count} of other sessions still pending: onward backup list",) if others else ()
