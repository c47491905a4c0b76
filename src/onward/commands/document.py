"""`document`: the active context, then the session document; and the list of them."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import msgspec
from msgspec import Struct

from onward.commands import gather, rim
from onward.commands.list import table
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.formats import active_context, session_md, times
from onward.model import Clean
from onward.redact import Redactor
from onward.store import documents, markers
from onward.store.project import Project


class Row(Struct, frozen=True, kw_only=True):
    """One session document in the list."""

    path: str
    date: Clean
    status: Clean
    branch: Clean
    task: Clean


def document(world: World, path: str, session: str) -> Result:
    """Write both from the session named (an id or a file), else from the newest one; the
    document goes to `path`, or under a name of its own into the memory folder.
    """
    project, redactor = rim.here(world), rim.redactor(world)
    gathered = gather.gather(world, project, session)
    now, zone = times.utc(world.now), world.now.tzinfo or UTC
    checkpoint = redactor.draft(msgspec.structs.replace(gathered.draft, saved=now, created=now))
    before = documents.sessions(project)

    def texts(target: Path) -> tuple[Clean, Clean]:
        place = redactor.text(rim.shown(target, world, project.root))
        return (
            active_context.render(checkpoint, document=place, zone=zone),
            session_md.render(
                checkpoint,
                project=redactor.text(project.root.name),
                previous=redactor.text(before[0].name) if before else "",
                path=place,
                zone=zone,
            ),
        )

    to = world.cwd / path if path else None
    written = rim.shown(documents.save(project, texts, now=world.now, to=to), world, project.root)
    context = rim.shown(project.active_context, world, project.root)
    lines = [f"Wrote {context}", f"Wrote {written}", f"To go on from it: onward resume {written}"]
    data = {"active_context": context, "document": written, "task": checkpoint.task.text}
    return Result(text=compose(*lines), data=data, notes=gathered.notes)


def list_documents(world: World) -> Result:
    """The documents, the newest first; a pending backup stands on top."""
    project, redactor = rim.here(world), rim.redactor(world)
    pending = [redactor.text(path.name) for path in markers.pending(project)]
    rows = [_row(path, world, project, redactor) for path in documents.sessions(project)]
    lines = [f"A backup is pending: {pending[0]} (onward backup resume)"] if pending else []
    if rows:
        cells = [(row.date, row.status, row.branch, row.task, row.path) for row in rows]
        lines += table(("DATE", "STATUS", "BRANCH", "TASK", "FILE"), cells)
    notes = () if rows else ("no session documents yet; to write one: onward document",)
    data = {"pending": pending, "documents": rows}
    return Result(text=compose(*lines), data=data, notes=notes)


def _row(path: Path, world: World, project: Project, redactor: Redactor) -> Row:
    text = documents.read(path)
    matter = session_md.matter(text)
    return Row(
        path=rim.shown(path, world, project.root),
        date=redactor.text(matter.date),
        status=redactor.text(matter.status),
        branch=redactor.text(matter.branch),
        task=redactor.draft(session_md.parse(text)).task.text,
    )
