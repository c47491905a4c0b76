"""`document`: the active context, then the session document, and the list of them; and `protocol save`,
`load`, `done` and `next`: session-protocol.json.
"""

from __future__ import annotations

import os
import shlex
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from onward.briefing.text import shorten
from onward.commands import offered, save, source
from onward.commands.listing import table
from onward.commands.opening import hidden, open_transcript
from onward.commands.result import Result, compose
from onward.commands.source import Source
from onward.commands.world import World, quoted
from onward.documents import active_context, by_hand, protocol_json, session_md, times
from onward.documents.headings import Field
from onward.errors import NotFoundError, UsageError
from onward.evidence import escape
from onward.model import Checkpoint, Clean, Draft, Drift
from onward.record.conversation import listed
from onward.redaction import Redactor, Secrets
from onward.storage import backups, documents, sessions

_TASK = 50  # characters of the task in the list


def write(
    world: World, path: str, session: str, *, words: Path | None = None, over: bool = False
) -> tuple[Path, Result]:
    """Write both from the session named, else from this call's own, else from the newest; the
    document to `path` (`over` what stands there) or under a name of its own. `words` is a file in
    the agent's own. Returns the document's path with the answer.
    """
    project, redactor = world.project, world.redactor
    gathered = save.gather(world, session, words_file=words, void=False)
    now, zone = times.utc(world.now), world.now.tzinfo or UTC
    checkpoint = redactor.draft(replace(gathered.draft, saved=now, created=now))
    to = _target(world, path) if path else None
    # One that is written again is not its own forerunner.
    known = documents.sessions(project)
    before = [each for each in known if each != to]
    # What the user wrote into the newest text of the same session stays.
    files, whose = [*([to] if to and over else []), *known[:1]], checkpoint.origin.session
    found = ((text, by_hand.read(text, session_md.opened)) for text in map(documents.read, files))
    same = (each for each in found if whose and each[1].session == whose)
    former, edits = next(same, ("", by_hand.read("")))
    kept = session_md.front_matter(former).get("tags")
    tags = [redactor.text(str(tag)) for tag in kept] if isinstance(kept, list) else []
    hand = by_hand.keep(checkpoint, edits, redactor.draft)
    checkpoint = hand.snapshot
    matter = {"project": redactor.text(project.root.name), "tags": tags}
    matter["previous_session"] = redactor.text(before[0].name) if before else ""
    render = partial(session_md.render, checkpoint, matter=matter, zone=zone, marks=hand.marks)

    def texts(target: Path) -> tuple[Clean, Clean]:
        place = redactor.text(world.local(target))
        return context_of(world, checkpoint, place), render(path=place)

    target = documents.save(project, texts, now=world.now, to=to, over=over)
    written = world.local(target)
    told = save.finish(world, gathered, (sessions.DOCUMENT, written, target), words)
    context = world.local(project.active_context)
    again = world.typed(f"onward resume {typed(world, target)}")
    lines = (f"Wrote {context}", f"Wrote {written}", f"To continue from it: {again}")
    data = {"active_context": context, "document": written, "task": checkpoint.task.text}
    notes = (*told, *_told(world))
    result = Result(text=compose(*lines), data=data, notes=notes, findings=gathered.findings)
    return target, result


def context_of(world: World, checkpoint: Checkpoint, place: str) -> Clean:
    """The active context of this state, with what the user wrote into the one that stands there;
    one that does not say which of its lines are ours goes to the trash first.
    """
    project, redactor = world.project, world.redactor
    text = documents.read(project.active_context, project.root)
    edits = by_hand.read(text, active_context.opened)
    if edits.session is None and text.strip():
        world.trash.put(project.active_context, documents.CONTEXT, project)
    ask: tuple[Field, ...] = () if edits.session == checkpoint.origin.session else ("task",)
    hand = by_hand.keep(replace(checkpoint, extra=()), edits, redactor.draft, ask=ask)
    zone, shown = world.now.tzinfo or UTC, hand.snapshot
    return active_context.render(shown, own=hand.own, away=hand.away, document=place, zone=zone)


def _target(world: World, path: str) -> Path:
    """Where a document is to be written. Raises UsageError for what could not be resumed."""
    target = Path(os.path.normpath(world.cwd / path))
    if target.suffix != ".md":
        bare = shlex.quote(path.rstrip("/"))
        message = f"the name of a session document ends in .md: {path}"
        raise UsageError(message, f"onward document {bare}.md")
    return target


def typed(world: World, path: Path) -> str:
    """A path as the user has to type it in the folder they are in."""
    if not any(path.is_relative_to(each) for each in (world.project.root, world.cwd)):
        return quoted(world.shown(path))
    return shlex.quote(world.from_here(path))


def list_documents(world: World) -> Result:
    """The documents, the newest first; a pending backup stands on top."""
    project, redactor = world.project, world.redactor
    pending = [redactor.text(path.name) for path in backups.pending(project)]
    found = documents.sessions(project)
    rows = [_row(world, path) for path in found]
    lines = _told(world)
    told = offered.offers(world)
    if len(told.entries) > 1 and pending:
        lines.append(f"To pick one by its number: {world.typed('onward backup resume')} 2")
        lines += offered.rows(world, enumerate(told.entries, 1))
    lines += offered.live_rows(world, told)
    zone = world.now.tzinfo or UTC
    note = f"no session documents yet; to write one: {world.typed('onward document')}"
    if rows:
        cells = [
            (times.in_zone(date, zone), status, branch, shorten(task, _TASK), path)
            for path, date, status, branch, task in map(dict.values, rows)
        ]
        lines += table(("DATE", "STATUS", "BRANCH", "TASK", "FILE"), cells)
        newest = rows[0]["path"]
        again = world.typed(f"onward resume {newest}")
        note = f"to continue from one: {again}; to read it: onward show {newest}"
    data = {"pending": pending, "documents": rows}
    return Result(text=compose(*lines), data=data, notes=(note,))


def _told(world: World) -> list[str]:
    """One line for the backups that wait, if any."""
    pending = backups.pending(world.project)
    if not pending:
        return []
    more = f", and {len(pending) - 1} more (onward backup list)" if pending[1:] else ""
    name = world.redactor.text(pending[0].name)
    return [f"A backup is pending: {name} ({world.typed('onward backup resume')}){more}"]


def _row(world: World, path: Path) -> dict[str, str]:
    text, redactor = documents.read(path), world.redactor
    matter = session_md.front_matter(text)
    return {
        "path": world.local(path),
        **{key: redactor.text(str(matter.get(key) or "")) for key in ("date", "status", "branch")},
        "task": redactor.draft(session_md.parse(text)).task.text,
    }


# ---------------------------------------------------------------- session-protocol.json


def save_protocol(world: World, session: str, *, short: bool, words: Path | None = None) -> Result:
    """Merge the session named (an id or a file), else the one that this call is part of, else the
    newest, into the file; `words` is a file in the agent's own. It is always read first, and what
    stood there goes to the trash, so nothing is lost. Raises InputError where it is no JSON.
    """
    project, redactor = world.project, world.redactor
    gathered = save.gather(world, session, words_file=words, void=False)
    now = times.utc(world.now)
    draft = _with_history(gathered.draft, redactor)
    checkpoint = redactor.draft(replace(draft, saved=now, created=now))
    path = documents.protocol(project)
    merge = partial(protocol_json.merge, checkpoint=checkpoint, now=world.now, clean=redactor.text)
    before, after = documents.rewrite(project, path, merge, world.trash)
    shown = world.local(path)
    count = protocol_json.tally(after, redactor.text)
    notes = save.finish(world, gathered, (sessions.PROTOCOL, shown, path), words)
    if gone := protocol_json.gone(before, after):
        notes = (*notes, f"taken out, as no list has it any more: {', '.join(gone)}")
    said = protocol_json.saved(count, shown, short=short)
    data = {"path": shown, "counts": count, "age": "", "drift": None, "warnings": []}
    findings = gathered.findings
    return Result(text=compose(said), data=data, notes=notes, prose=True, findings=findings)


def _with_history(draft: Draft, redactor: Redactor) -> Draft:
    """The draft with the times of its tasks, and those completed on earlier lists, newest first."""
    if not draft.origin.transcript:
        return draft
    secrets = Secrets(redactor)
    _, events = open_transcript(Path(draft.origin.transcript), secrets)
    # By the titles that they have in the draft.
    tasks = [hidden(task, secrets.again) for task in listed(events).values()]
    known = {task.title: task for task in tasks}
    own = []
    for task in draft.tasks:
        seen = known.get(task.title, task)
        completed = task.completed or (seen.completed if task.status == "completed" else "")
        own.append(replace(task, created=task.created or seen.created, completed=completed))
    titles = {task.title for task in own}
    done = [task for task in reversed(known.values()) if task.status == "completed"]
    earlier = [task for task in done if task.title not in titles]
    return replace(draft, tasks=(*own, *earlier))


def load_protocol(world: World, *, short: bool) -> tuple[Source, Result]:
    """Age, counts, drift, next task of the file, else of what was saved last, and that; nothing is
    changed. Raises NotFoundError, InputError.
    """
    project, redactor = world.project, world.redactor
    path = documents.protocol(project)
    if path.is_file():
        found, text = source.load(world, str(path)), documents.read(path, project.root)
    elif word := source.newest_place(world):
        found = source.load(world, word)
        made = times.moment(found.checkpoint.created or found.checkpoint.saved)
        made = made or datetime.fromtimestamp(found.mtime, UTC)
        text = protocol_json.merge(None, found.checkpoint, made, redactor.text)
    else:
        shown = world.local(path)
        raise NotFoundError(f"there is no {shown} in this project", "onward protocol save")
    shown = world.local(found.path)
    count = protocol_json.tally(text, redactor.text)
    drift = source.drifted(world, found) or Drift()
    # From `metadata.created`, as the document says; from the file where that is unreadable.
    since = times.seconds(count.created) or found.mtime
    age = times.short_age(world.now.timestamp() - since)
    said = protocol_json.loaded(count, shown, age, drift, short=short)
    warnings = [str(each) for each in protocol_json.warnings(drift)]
    data = {"path": shown, "counts": count, "age": age, "drift": drift, "warnings": warnings}
    again = found.name or typed(world, found.path)
    notes = (f"details: {world.typed(f'onward resume {again}')}",)
    return found, Result(text=compose(said), data=data, notes=notes, prose=True)


def edit_protocol(world: World, wanted: str, *, first: bool) -> Result:
    """Complete a task, or put an open one `first`. Raises NotFoundError, RefusedError."""
    project, redactor = world.project, world.redactor
    path, clean = documents.protocol(project), redactor.text
    shown = world.local(path)
    if not path.is_file():
        raise NotFoundError(f"there is no {shown} in this project", "onward protocol save")
    edit = partial(protocol_json.edited, wanted=wanted, now=world.now, clean=clean, first=first)
    _, text = documents.rewrite(project, path, edit, world.trash)
    name, count = clean(protocol_json.id_of(text, wanted)), protocol_json.tally(text, clean)
    tasks = redactor.draft(protocol_json.parse(text)).tasks
    task = next(each for each in tasks if each.id == name)
    title = " ".join(task.title.split())
    state = "completed" if task.status == "completed" else "comes first"
    following = f"Next: {count.next_id} - {escape(count.next_title)}" if count.next_id else ""
    data = {"path": shown, "task": task, "counts": count}
    told = compose(f"{name} {state}: {title}", following or "No task is open")
    return Result(text=told, data=data, prose=True)
