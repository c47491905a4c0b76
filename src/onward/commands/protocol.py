"""`protocol save`, `load`, `done` and `next`: session-protocol.json."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from onward.commands import document, gather, saves, source, workspace
from onward.commands.opening import open_transcript
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import protocol_json, times
from onward.documents.protocol_json import Tally
from onward.errors import NotFoundError
from onward.evidence import escape
from onward.model import Clean, Draft, Drift, Task
from onward.record.conversation import listed
from onward.redaction import Redactor
from onward.storage import documents


class Reported(Struct, frozen=True, kw_only=True):
    """What `--json` prints."""

    path: str
    counts: Tally
    age: str = ""
    drift: Drift[Clean] | None = None
    warnings: list[str] = []


class Edited(Struct, frozen=True, kw_only=True):
    """What `--json` prints of a task that was closed or moved."""

    path: str
    task: Task[Clean]
    counts: Tally


def save(world: World, session: str, *, short: bool, words: Path | None = None) -> Result:
    """Merge the session named (an id or a file), else the one that this call is part of, else
    the newest, into the file; `words` is a file in the agent's own.

    It is always read first, and what stood there goes to the trash, so nothing is lost. Raises
    InputError where it is no JSON.
    """
    project, redactor = workspace.here(world), workspace.redactor(world)
    gathered = gather.gather(world, project, session, words_file=words)
    gather.refuse_void(gathered)
    now = times.utc(world.now)
    draft = _with_history(gathered.draft, redactor)
    checkpoint = redactor.draft(replace(draft, saved=now, created=now))
    path = documents.protocol(project)

    gone: list[str] = []

    def merged(old: str) -> Clean:
        new = protocol_json.merge(old, checkpoint, world.now, redactor.text)
        gone.extend(protocol_json.gone(old, new))
        return new

    documents.rewrite(project, path, merged, workspace.trash(world))
    shown = workspace.shown(path, world, project.root)
    count = protocol_json.tally(documents.read(path, project.root), redactor.text)
    notes = gather.finish(world, project, gathered, (saves.PROTOCOL, shown, path), words)
    if gone:
        notes = (*notes, f"taken out, as no list has it any more: {', '.join(gone)}")
    report = protocol_json
    said = report.saved_line(count) if short else report.saved_report(count, shown)
    data = Reported(path=shown, counts=count)
    return Result(text=compose(said), data=data, notes=notes, findings=gathered.findings)


def _with_history(draft: Draft, redactor: Redactor) -> Draft:
    """The draft with the times of its tasks, and those completed on earlier lists, newest first."""
    if not draft.origin.transcript:
        return draft
    _, events = open_transcript(Path(draft.origin.transcript), redactor)
    known = listed(events)
    own = []
    for task in draft.tasks:
        seen = known.get(task.title, task)
        own.append(
            replace(
                task,
                created=task.created or seen.created,
                completed=task.completed or (seen.completed if task.status == "completed" else ""),
            )
        )
    titles = {task.title for task in own}
    done = [task for task in reversed(known.values()) if task.status == "completed"]
    earlier = [task for task in done if task.title not in titles]
    return replace(draft, tasks=(*own, *earlier))


def load(world: World, *, short: bool) -> Result:
    """Age, counts, what changed in git, the next task. Nothing is changed.

    Without the file, the same of what was saved last in another form. Raises NotFoundError,
    and InputError with the document's two sentences.
    """
    project, redactor = workspace.here(world), workspace.redactor(world)
    path = documents.protocol(project)
    if path.is_file():
        found, text = source.load(world, str(path)), documents.read(path, project.root)
    elif other := source.newest(world, project):
        found = other
        made = times.moment(found.checkpoint.created or found.checkpoint.saved)
        made = made or datetime.fromtimestamp(found.mtime, UTC)
        text = protocol_json.merge(None, found.checkpoint, made, redactor.text)
    else:
        shown = workspace.shown(path, world, project.root)
        raise NotFoundError(f"there is no {shown} in this project", "onward protocol save")
    shown = workspace.shown(found.path, world, project.root)
    count = protocol_json.tally(text, redactor.text)
    drift = source.drifted(world, found)
    # From `metadata.created`, as the document says; from the file where that is unreadable.
    since = times.seconds(count.created) or found.mtime
    age, report = times.short_age(world.now.timestamp() - since), protocol_json
    line, whole = report.loaded_line, report.loaded_report
    said = line(count, age, drift) if short else whole(count, shown, age, drift)
    warnings = [str(each) for each in report.warnings(drift)]
    data = Reported(path=shown, counts=count, age=age, drift=drift, warnings=warnings)
    again = found.name or document.typed(world, found.path)
    notes = (f"details: {world.typed(f'onward resume {again}')}",)
    return Result(text=compose(said), data=data, notes=notes)


def edit(world: World, wanted: str, *, first: bool) -> Result:
    """Complete the task of that id; or put the open one `first`, before all others, where it stays
    until it is completed. Raises NotFoundError for an id or a file that is not there, RefusedError
    for a completed task that is to be first.
    """
    change = protocol_json.put_first if first else protocol_json.close
    project, redactor = workspace.here(world), workspace.redactor(world)
    path, clean = documents.protocol(project), redactor.text
    shown = workspace.shown(path, world, project.root)
    if not path.is_file():
        raise NotFoundError(f"there is no {shown} in this project", "onward protocol save")
    documents.rewrite(
        project, path, lambda old: change(old, wanted, world.now, clean), workspace.trash(world)
    )
    text = documents.read(path, project.root)
    name, count = clean(protocol_json.id_of(text, wanted)), protocol_json.tally(text, clean)
    tasks = redactor.draft(protocol_json.parse(text)).tasks
    task = next(each for each in tasks if each.id == name)
    title = " ".join(task.title.split())
    state = "completed" if task.status == "completed" else "comes first"
    following = "No task is open"
    if count.next_id:
        following = f"Next: {count.next_id} - {escape(count.next_title)}"
    data = Edited(path=shown, task=task, counts=count)
    return Result(text=compose(f"{name} {state}: {title}", following), data=data)
