"""`distill`: what a transcript holds, section by section, or only counted; and `why FILE`: what was
changed, refused, decided and taken back there, over all sessions of a project.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

from onward.briefing.text import code, count, inline, one_line, shorten
from onward.commands import source
from onward.commands.result import Result, compose
from onward.commands.sessions import none_here
from onward.commands.world import World
from onward.documents import checkpoint_md, page
from onward.documents.kinds import ITEMS, entry_lines
from onward.errors import OnwardError, UsageError
from onward.model import LOOKED, Checkpoint, Clean, FileFact, Item
from onward.redaction import Redactor
from onward.search.query import Sieve, parse
from onward.transcripts import disk
from onward.transcripts.reader import SessionInfo

_SESSIONS = 30  # sessions that are read; each takes as long as a briefing
_WORDS = 300
Kind = Literal["changed", "decided", "failed", "planned"]


def distill_file(path: Path, redactor: Redactor, *, explain: bool = False) -> Result:
    """A transcript's checkpoint as lines, redacted; `explain`: only which template filled what."""
    checkpoint = redactor.draft(source.distilled(path, redactor).draft)
    problems = checkpoint.origin.problems
    notes = (f"{count(problems, 'line')} of the transcript could not be read",) if problems else ()
    shown = _explained(checkpoint) if explain else checkpoint_md.body(checkpoint)
    return Result(text=compose(*shown), data=checkpoint, notes=notes, prose=True)


def _explained(checkpoint: Checkpoint) -> Iterator[str]:
    fields = {"Title": checkpoint.task, "Next action": checkpoint.next_action}
    for name, item in fields.items():
        if item is None or not item.text:
            yield f"{name}: none; the record does not decide it"
            continue
        yield from entry_lines(ITEMS.show(item), bullet=f"{name}: ")
        by = item.author or "the file"
        yield f"  template: {item.template}" if item.template else f"  by {by}"
    for status in page.fields(checkpoint, "status"):
        yield from entry_lines(status, bullet="Status: ")


# ------------------------------------------------------------------- over all sessions


def why(world: World, file: str) -> Result:
    """The history of a file, newest first. Raises UsageError, NotFoundError."""
    project = world.project
    path = Path(os.path.normpath(world.cwd / Path(file).expanduser()))
    if not path.is_relative_to(project.root):
        raise UsageError(f"{file} is not in this project", "onward why src/auth.py")
    name = path.relative_to(project.root).as_posix()
    sieve = Sieve(parse([f'"{path.name}"']).terms)
    found = list[SessionInfo]()
    for info in source.sessions(world):  # those of which any line holds the file's name
        with suppress(OSError, OnwardError):
            if any(disk.passing(info.path, sieve.lines, lambda _: None, lambda _: None)):
                found.append(info)
    found.sort(key=lambda info: -info.mtime)
    rows = [row for info in found[:_SESSIONS] for row in _rows(world, info, name)]
    if not rows:
        message = f"no session of this project changed {name}, or says why"
        raise none_here(world, message, f"onward search --file {name}")
    left = len(found) - _SESSIONS
    notes = (f"{count(left, 'older session')} not read",) if left > 0 else ()
    return Result(text=compose(*_history(world, name, rows)), data=rows, notes=notes, prose=True)


def _rows(world: World, info: SessionInfo, name: str) -> Iterator[dict[str, Any]]:
    """What a session did with the file there; `at` is when the session ended."""
    redactor = world.display_redactor
    try:
        checkpoint = redactor.draft(source.distilled(info.path, redactor).draft)
    except (OSError, OnwardError):
        return
    session, at = redactor.text(info.session), info.ended or checkpoint.origin.ended
    for kind, text, places in _said_of(checkpoint, name):
        row = {"at": at, "agent": info.agent, "session": session, "kind": kind, "text": text}
        show = f"onward show {session} {places[-1]}" if places else ""
        yield row | {"places": places, "show": show}


def _said_of(c: Checkpoint, name: str) -> Iterator[tuple[Kind, Clean, tuple[str, ...]]]:
    failed = [item for item in c.dead_ends if name in item.text]
    yield from (("failed", _item(item), item.places) for item in failed)
    told = {place for item in failed for place in item.places}
    for item in (i for i in c.decisions if name in i.text and not told & set(i.places)):
        yield "decided", _item(item), item.places
    plan = c.plan.text.splitlines() if c.plan else []
    line = max((each for each in plan if name in each), key=len, default="")
    if c.plan is not None and line:  # which says most of the file
        title = c.plan.text.strip().partition("\n")[0].strip("# ")
        said = compose(f"plan {inline(title, 120)}: {inline(line, _WORDS)}")
        yield "planned", said, c.plan.places
    for fact in c.files:
        if name in {fact.path, fact.to} and fact.change not in LOOKED:
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


def _history(world: World, name: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"# {name}"
    for (session, at, agent), some in groupby(rows, itemgetter("session", "at", "agent")):
        yield f"\n{world.when(at) or '-'} · {agent} · {session[:8]}"
        for row in some:
            yield f"- {row['kind']}: {row['text']}" + (f"\n  {row['show']}" if row["show"] else "")
