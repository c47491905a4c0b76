"""`view`: one page of HTML that shows a session, without a script and without anything to load."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from msgspec.structs import replace

from onward import paths
from onward.commands import listing, source
from onward.commands.opening import hidden, open_transcript
from onward.commands.result import Result, compose
from onward.commands.source import Source
from onward.commands.world import World
from onward.errors import OnwardError, RefusedError
from onward.model import Checkpoint, Clean
from onward.record.steps import Moment, timeline
from onward.redaction import Redactor, Secrets
from onward.storage import atomic

_MARK = "<!-- page of onward -->"
_MOST = 3_000  # moments on a page, the newest
_FILES = 200
_CHANGED = {"created", "edited", "deleted", "renamed"}
_LINE = 160
_STYLE = Path(__file__).with_name("view.css")


def page(world: World, what: str) -> tuple[str, Clean]:
    """A name for the page of a session or a saved place, and the page. Raises as `load`."""
    found = source.load(world, what or source.last(world), verb="view")
    redactor, root = world.redactor, str(found.root or "")
    moments, missing = list[Moment](), "The transcript is not on this machine."
    try:
        read = _moments(world, found, redactor)
    except (OnwardError, OSError) as error:
        if found.kind == "transcript":
            raise
        read, missing = [], f"The transcript cannot be shown: {redactor.text(str(error))}"
    for moment in read:
        path = redactor.text(paths.relative(moment.path, root) if moment.path else "")
        text, detail = redactor.text(moment.text), redactor.text(moment.detail)
        moments.append(replace(moment, text=text, detail=detail, path=path))
    name = found.name or found.checkpoint.origin.session or found.path.stem
    return re.sub(r"[^\w.@-]", "-", name), compose(*_lines(world, found, moments, missing))


def write(world: World, page: Clean, path: Path) -> Result:
    """Write the page. Raises RefusedError where another file stands there, StorageError."""
    target = world.cwd / path
    if target.is_file() and _MARK not in target.read_text("utf-8", "replace")[:200]:
        raise RefusedError(f"{path} exists and is no page of onward", "choose another name")
    atomic.write(target, page, mode=atomic.PRIVATE)
    shown = world.redactor.text(world.shown(target))
    return Result(text=compose(f"Wrote {shown}"), data={"path": shown})


def _moments(world: World, found: Source, redactor: Redactor) -> list[Moment]:
    """Those of the transcript, the newest; none where that is not on this machine."""
    path: Path | None = found.path
    if found.kind != "transcript":
        path = source.transcript_of(world, found.checkpoint.origin.session)
    if path is None:
        return []
    secrets = Secrets(redactor)
    _, events = open_transcript(path, secrets)
    moments = list(timeline(events, str(found.root or "")))[-_MOST:]
    return [hidden(moment, secrets.again) for moment in moments]


def _lines(world: World, found: Source, moments: list[Moment], missing: str) -> Iterator[str]:
    c = found.checkpoint
    title = " ".join(c.task.text.split()) or found.name or "A session"
    yield f'<!doctype html>\n{_MARK}\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield f"<title>{escape(title)}</title><style>\n{_STYLE.read_text('utf-8')}</style></head><body>"
    yield '<a class="skip" href="#timeline">To the timeline</a>'
    yield f"<header><h1>{escape(title)}</h1>"
    yield f"<p>{' · '.join(escape(each) for each in _facts(world, found) if each)}</p>"
    yield "<p>A historical record, not instructions. Redacted by onward.</p></header>"
    yield '<nav aria-label="Sections"><a href="#standing">Where it stopped</a> · '
    yield '<a href="#files">Files</a> · <a href="#timeline">Timeline</a></nav><main>'
    known = {moment.place for moment in moments}
    yield from _standing(c, known)
    yield from _files(c, moments, known)
    yield from _timeline(world, found, moments, missing)
    yield "</main></body></html>"


def _facts(world: World, found: Source) -> Iterator[str]:
    origin = found.checkpoint.origin
    yield origin.agent
    yield f"session {origin.session[:8]}" if origin.session else ""
    yield f"on {origin.branch}" if origin.branch else ""
    for word, stamp in (("began", origin.started), ("ended", origin.ended)):
        if at := world.when(stamp):
            yield f"{word} {at}"


def _standing(c: Checkpoint, known: set[str]) -> Iterator[str]:
    yield '<section id="standing"><h2>Where it stopped</h2><ul class="plain">'
    detail = f": {c.status.detail}" if c.status.detail else ""
    yield f"<li><b>Status</b> {escape(c.status.kind + detail)}</li>"
    if c.next_action:
        yield f"<li><b>Next</b> {escape(c.next_action.text)}{_places(c.next_action.places, known)}</li>"
    for task in c.tasks:
        state = task.status.replace("_", " ")
        yield f"<li><b>Task, {state}</b> {escape(task.title)}{_places(task.places, known)}</li>"
    yield "</ul></section>"


def _files(c: Checkpoint, moments: list[Moment], known: set[str]) -> Iterator[str]:
    edits = defaultdict[str, list[str]](list)
    for moment in moments:
        edits[moment.path].append(moment.place)
    facts = [fact for fact in c.files if fact.change in _CHANGED]
    yield '<section id="files"><h2>Files touched</h2>'
    if not facts:
        yield "<p>None.</p></section>"
        return
    yield "<table><thead><tr><th>File<th>Change<th>Lines<th>Places</tr></thead><tbody>"
    for fact in facts[:_FILES]:
        name = fact.to or fact.path
        lines = f"+{fact.added} −{fact.removed}" if fact.added or fact.removed else ""
        commit = f", commit {fact.commit}" if fact.commit else ""
        places = tuple(dict.fromkeys(edits[name]))[-5:] or fact.places
        yield f"<tr><td><code>{escape(name)}</code><td>{escape(fact.change + commit)}<td>{lines}"
        yield f"<td>{_places(places, known)}</tr>"
    yield "</tbody></table>"
    if (left := len(facts) - _FILES) > 0:
        yield f"<p>and {left} more.</p>"
    yield "</section>"


def _timeline(world: World, found: Source, moments: list[Moment], missing: str) -> Iterator[str]:
    """The moments; where there are none, why they are `missing`."""
    yield '<section id="timeline"><h2>Timeline</h2>'
    if not moments:
        yield f"<p>{escape(missing)}</p></section>"
        return
    whose = found.name or found.checkpoint.origin.session or str(found.path.name)
    place = moments[0].place
    command = f"onward show {whose} {place}"
    yield f"<p>To see a place in full: <code>{escape(command)}</code></p><ol>"
    known = set[str]()
    for moment in moments:
        anchor = "" if moment.place in known else f' id="{escape(moment.place)}"'
        known.add(moment.place)
        at = world.when(moment.at)
        when = f"{at.partition('-')[2]} " if at else ""
        kind = " ".join(filter(None, (moment.kind, moment.outcome)))
        yield (
            f'<li{anchor} class="{escape(kind)}"><div><span class="kind">{escape(kind)}</span>'
            f' <br><span class="when">{when}{_places((moment.place,), known)}</span></div>'
        )
        more = f"<summary>Details</summary><pre>{escape(moment.detail)}</pre>"
        detail = f"<details>{more}</details>" if moment.detail else ""
        yield f"<div>{_text(moment.text)}{detail}</div></li>"
    yield "</ol></section>"


def _text(text: str) -> str:
    """A text; of a long one the first line, and all of it behind that."""
    whole = f'<div class="text">{escape(text.strip())}</div>'
    if len(text) <= 2 * _LINE:
        return whole
    first = listing.cut(text.strip().partition("\n")[0], _LINE)
    return f"<details><summary>{escape(first)}</summary>{whole}</details>"


def _places(places: Iterable[str], known: set[str]) -> str:
    """Links to the places on the page; one that is not on it is named alone."""
    told = [(escape(each), each in known) for each in places]
    return "".join(
        f' <a href="#{name}">{name}</a>' if is_on else f" {name}" for name, is_on in told
    )
