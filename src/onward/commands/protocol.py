"""`protocol save` and `protocol load`: session-protocol.json."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from onward.commands import drifting, gather, rim, source
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import NotFoundError
from onward.formats import protocol_json, protocol_report, times
from onward.formats.protocol_report import Tally
from onward.model import Clean, Drift
from onward.redact import Redactor
from onward.store import documents


class Reported(Struct, frozen=True, kw_only=True):
    """What `--json` prints."""

    path: str
    counts: Tally
    age: str = ""
    drift: Drift[Clean] | None = None
    warnings: list[str] = []


def save(world: World, session: str, *, short: bool) -> Result:
    """Merge the session named (an id or a file), else the newest, into the file.

    It is always read first, so nothing is lost. Raises InputError where it is no JSON.
    """
    project, redactor = rim.here(world), rim.redactor(world)
    gathered = gather.gather(world, project, session)
    now = times.utc(world.now)
    checkpoint = redactor.draft(msgspec.structs.replace(gathered.draft, saved=now, created=now))
    path = documents.protocol(project)

    def merged(old: str) -> Clean:
        return protocol_json.merge(old, checkpoint, world.now, redactor.text)

    documents.rewrite(project, path, merged)
    count = _tally(path, redactor)
    shown = rim.shown(path, world, project.root)
    said = (
        protocol_report.saved_line(count) if short else protocol_report.saved_report(count, shown)
    )
    return Result(text=compose(said), data=Reported(path=shown, counts=count), notes=gathered.notes)


def load(world: World, *, short: bool) -> Result:
    """Age, counts, what changed in git, the next task. Nothing is changed.

    Raises NotFoundError, and InputError with the document's two sentences.
    """
    project, redactor = rim.here(world), rim.redactor(world)
    path = documents.protocol(project)
    shown = rim.shown(path, world, project.root)
    if not path.is_file():
        raise NotFoundError(f"there is no {shown} in this project", "onward protocol save")
    found = source.load(world, str(path))
    count = _tally(path, redactor)
    drift = drifting.look(world, found)
    age = _age(world, count, path)
    if short:
        said = protocol_report.loaded_line(count, age, drift)
    else:
        said = protocol_report.loaded_report(count, shown, age, drift)
    warnings = [str(each) for each in protocol_report.warnings(drift)]
    data = Reported(path=shown, counts=count, age=age, drift=drift, warnings=warnings)
    return Result(text=compose(said), data=data)


def _tally(path: Path, redactor: Redactor) -> Tally:
    """The counts of the file; a person may have written its titles."""
    count = protocol_report.tally(documents.read(path))
    return msgspec.structs.replace(
        count,
        branch=count.branch and redactor.text(count.branch),
        next_id=redactor.text(count.next_id),
        next_title=redactor.text(count.next_title),
        created=redactor.text(count.created),
        commit=redactor.text(count.commit),
    )


def _age(world: World, count: Tally, path: Path) -> str:
    """From `metadata.created`, as the document says; from the file where that is unreadable."""
    made = times.moment(count.created)
    seconds = made.timestamp() if made else path.stat().st_mtime
    return times.short_age(world.now.timestamp() - seconds)
