"""`why FILE`: what was changed, refused, decided and taken back there, over all sessions of a project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from onward.briefing.text import code, count, inline, one_line, shorten
from onward.commands import source, workspace
from onward.commands.result import Result, compose
from onward.commands.sessions import none_here
from onward.commands.world import World
from onward.documents import times
from onward.errors import OnwardError, UsageError
from onward.model import Checkpoint, Clean, FileFact, Item
from onward.search.query import Sieve, parse
from onward.transcripts import lines
from onward.transcripts.sessions import SessionInfo

_SESSIONS = 30
"""Sessions that are read, the newest that name the file: each takes as long as a briefing."""
_WORDS = 300
_LOOKED = ("read", "named")
Kind = Literal["changed", "decided", "failed", "planned"]


class Row(Struct, frozen=True, kw_only=True):
    """One thing that a session did or that was said of the file there."""

    at: str
    """When the session ended, ISO 8601, UTC."""
    agent: str
    session: Clean
    kind: Kind
    text: Clean
    places: tuple[str, ...]
    show: Clean
    """What to type to see it; "" where there is no place."""


def why(world: World, file: str) -> Result:
    """The history of a file, newest first. Raises UsageError for one outside of the project,
    NotFoundError where no session of it names the file.
    """
    project = workspace.here(world)
    path = Path(os.path.normpath(world.cwd / Path(file).expanduser()))
    if not path.is_relative_to(project.root):
        raise UsageError(f"{file} is not in this project", "onward why src/auth.py")
    name = path.relative_to(project.root).as_posix()
    sieve = Sieve(parse([f'"{path.name}"']).terms)
    found = [info for info in source.sessions(world) if _holds(info, sieve)]
    found.sort(key=lambda info: -info.mtime)
    rows = [row for info in found[:_SESSIONS] for row in _rows(world, info, name)]
    if not rows:
        message = f"no session of this project changed {name}, or says why"
        raise none_here(world, message, f"onward search --file {name}")
    left = len(found) - _SESSIONS
    notes = (f"{count(left, 'older session')} not read",) if left > 0 else ()
    return Result(text=compose(*_lines(world, name, rows)), data=rows, notes=notes, prose=True)


def _holds(info: SessionInfo, sieve: Sieve) -> bool:
    """Whether any line of a session holds the file's name."""
    try:
        return any(lines.passing(info.path, sieve.lines, lambda _: None, lambda _: None))
    except (OSError, OnwardError):
        return False


def _rows(world: World, info: SessionInfo, name: str) -> Iterator[Row]:
    redactor = workspace.redactor(world, keep=False)
    try:
        draft = source.distilled(info.path, redactor).draft
    except (OSError, OnwardError):
        return
    checkpoint = redactor.draft(draft)
    session = redactor.text(info.session)
    for kind, text, places in _told(checkpoint, name):
        show = f"onward show {session} {places[-1]}" if places else ""
        yield Row(
            at=info.ended or checkpoint.origin.ended,
            agent=info.agent,
            session=session,
            kind=kind,
            text=text,
            places=places,
            show=compose(show),
        )


def _told(c: Checkpoint, name: str) -> Iterator[tuple[Kind, Clean, tuple[str, ...]]]:
    failed = [item for item in c.dead_ends if name in item.text]
    for item in failed:
        yield "failed", _item(item), item.places
    told = {place for item in failed for place in item.places}
    for item in (i for i in c.decisions if name in i.text and not told & set(i.places)):
        yield "decided", _item(item), item.places
    plan = c.plan.text.splitlines() if c.plan else []
    # The line of the plan that says most of the file.
    line = max((each for each in plan if name in each), key=len, default="")
    if c.plan is not None and line:
        title = c.plan.text.strip().partition("\n")[0].strip("# ")
        said = compose(f"plan {inline(title, 120)}: {inline(line, _WORDS)}")
        yield "planned", said, c.plan.places
    for fact in c.files:
        if name in {fact.path, fact.to} and fact.change not in _LOOKED:
            yield "changed", _changed(fact), fact.places


def _item(item: Item[Clean]) -> Clean:
    reason = f", saying {inline(item.why, _WORDS)}" if item.why else ""
    return compose(shorten(one_line(item.text), _WORDS) + reason)


def _changed(fact: FileFact[Clean]) -> Clean:
    told = [fact.change if fact.change != "renamed" else f"renamed to {code(fact.to or '')}"]
    if fact.added or fact.removed:
        told.append(f"+{fact.added} −{fact.removed}")
    if fact.commit:
        told.append(f"committed in {fact.commit}")
    said = "; ".join(inline(each, _WORDS) for each in fact.said)
    return compose(", ".join(told) + (f": {said}" if said else ""))


def _lines(world: World, name: str, rows: list[Row]) -> Iterator[str]:
    yield f"# {name}"
    before = ""
    for row in rows:
        if row.session != before:
            at = times.moment(row.at)
            when = at.astimezone(world.now.tzinfo).strftime("%Y-%m-%d %H:%M") if at else "-"
            yield f"\n{when} · {row.agent} · {row.session[:8]}"
            before = row.session
        yield f"- {row.kind}: {row.text}" + (f"\n  {row.show}" if row.show else "")
