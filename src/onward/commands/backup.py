"""`backup`: the transcripts that were kept when a session ended or was compacted."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import msgspec

from onward.commands import gather, resume, rim, source
from onward.commands.list import table
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import InputError, NotFoundError
from onward.formats import active_context, times
from onward.store import backups
from onward.store.backups import Backup
from onward.store.project import Project


def list_backups(world: World) -> Result:
    """All of them, the newest first, and which are still pending."""
    project, redactor = rim.here(world), rim.redactor(world)
    found = backups.entries(project)
    data = [
        {
            "path": rim.shown(each.path, world, project.root),
            "taken": each.taken,
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
            each.taken,
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
    """Brief from the newest pending one. The marker goes only after the active context that
    took it in is durable; a backup that cannot be read keeps its marker.
    """
    project = rim.here(world)
    group, others = _pending(project)
    newest = group[0].path
    try:
        loaded = source.load(world, str(newest))
        gathered = gather.gather(world, project, str(newest))
    except InputError as error:
        raise InputError(error.message, "onward backup discard") from None
    now = times.utc(world.now)
    draft = msgspec.structs.replace(gathered.draft, saved=now)
    context = active_context.render(
        rim.redactor(world).draft(draft),
        document=rim.shown(newest, world, project.root),
        zone=world.now.tzinfo or UTC,
    )
    told = resume.tell(world, loaded)
    backups.process(project, [each.path for each in group], context, now=world.now)
    return told._replace(notes=(*told.notes, *_others(others)))


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
    backups.clean(project)
    waiting = [each for each in backups.entries(project) if each.pending]
    if not waiting:
        raise NotFoundError("no backup is pending in this project", "onward document list")
    newest = waiting[0]
    group = [e for e in waiting if e == newest or (e.session and e.session == newest.session)]
    return group, [each.path for each in waiting if each not in group]


def _others(others: list[Path]) -> tuple[str, ...]:
    count = len(others)
    return (f"{count} of other sessions still pending: onward backup list",) if others else ()
