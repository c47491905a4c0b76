"""What is kept of a session as it goes: the autosave, the working buffer and SESSION-STATE.md.

Hooks call the autosave, silently; it knows no name but its own, so it cannot touch a named checkpoint.
The working buffer has the last exchanges of a context that is nearly full. SESSION-STATE.md is the
write-ahead log that the next save reads first: input is kept verbatim, clipped and bounded, and nothing
that the user or their agent wrote there is moved or rewritten.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from onward import evidence
from onward.briefing.text import one_line, shorten
from onward.commands import opening, save
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import by_hand, checkpoint_md, markdown, page, times
from onward.errors import InputError, UsageError
from onward.model import Event, Section
from onward.record import record
from onward.record.text import bounded
from onward.repo import git
from onward.storage import atomic, checkpoints, documents, live, locks, reading
from onward.storage.project import Project
from onward.transcripts import registry

Signal = Literal["context", "farewell", "idle", "long"]
"""Above 70 % of the context, words of farewell, ten minutes of silence, a long command ahead."""

_PART = 120  # characters of task and next action in a line of the log


def autosave(world: World, session: str, transcript: Path, signal: Signal) -> bool:
    """Overwrite the autosave with what this transcript and SESSION-STATE.md hold, and log it;
    whether there was anything to save: a session in which nothing was done or settled leaves no
    trace. Raises what reading the transcript and writing raise.
    """
    is_void = not transcript.is_file() or not transcript.stat().st_size
    if is_void or not world.is_project():
        return False
    gathered = save.gather(world, str(transcript.absolute()))
    if not gathered.worked:
        return False
    now = times.utc(world.now)
    draft = replace(gathered.draft, name=checkpoints.AUTOSAVE, saved=now, created=now)
    project, redactor, zone = world.project, world.redactor, world.now.tzinfo or UTC
    path = checkpoints.path_of(project, checkpoints.AUTOSAVE)
    edits = by_hand.read(reading.text(path, inside=project.root) if path.is_file() else "")
    if edits.session != draft.origin.session:  # what the user wrote for another one
        if edits.gone or not by_hand.is_empty(edits.draft):
            world.trash.put(path, checkpoints.KIND, project)
        edits = by_hand.read("")
    kept = by_hand.keep(redactor.draft(draft), edits, redactor.draft)
    checkpoint = kept.snapshot
    text = checkpoint_md.render(checkpoint, zone=zone, marks=kept.marks)
    # `- 2026-03-01 21:40 GMT+8 · farewell · 0b1c2d3e · TASK · Next: ACTION`
    following = checkpoint.next_action.text if checkpoint.next_action else "none found"
    task, step = (shorten(one_line(each), _PART) for each in (checkpoint.task.text, following))
    whose = (checkpoint.origin.session or session)[:8]
    parts = filter(None, (times.local(now, zone), signal, whose, task, f"Next: {step}"))
    checkpoints.write_autosave(project, text, compose(f"- {' · '.join(parts)}"))
    return True


_MOST = 100  # sides of exchanges
_BYTES = 128 * 1024
_LONGEST = 2000  # characters of one side of an exchange
_REDACTED = 64_000  # characters that are redacted at all: more would be cut off again
_USER, _AGENT = "Human", "Agent"
_OURS = re.compile(r"\[\d{4}-\d\d-\d\d \d\d:\d\d GMT[\d:+-]*\] (?:Human|Agent)")
_HEAD = (
    "# Working Buffer\n\n## How to resume\n\n"
    "The last exchanges of a session whose context was nearly full. `onward save NAME` reads them\n"
    "where the rest is thin; after a resume they go.\n"
)
"""The heading that readers pass over keeps them from taking lines of an exchange for one."""


def add_exchange(world: World, prompt: str, reply: str) -> None:
    """Add an exchange, redacted and clipped; 50 stay. Raises StorageError, RefusedError."""
    project, redactor = world.project, world.redactor
    at = times.local(times.utc(world.now), world.now.tzinfo or UTC)
    said = []
    for who, text in ((_USER, prompt), (_AGENT, reply)):
        # Only so much is redacted, up to a gap between words, as half a token looks like nothing.
        part = text if len(text) <= _REDACTED else text[:_REDACTED].rsplit(None, 1)[0]
        if part.strip():
            body = compose(evidence.escape(bounded(redactor.text(part), _LONGEST)))
            said.append(Section(heading=f"[{at}] {who}", body=body))
    if not said:
        return
    with locks.of(project, project.buffer):
        text = documents.read(project.buffer, project.root)
        before = text.rstrip() if text.strip() else _HEAD.rstrip()
        added = compose(*page.render_extra(said))
        _write(project, _bounded(f"{before}\n\n{added}"))


def empty_buffer(project: Project) -> None:
    """Take all exchanges out; what a user wrote under headings of their own stays."""
    if not project.buffer.is_file():
        return
    with locks.of(project, project.buffer):
        text = documents.read(project.buffer, project.root)
        if found := _ours(text):
            _write(project, _without(text, found))


def _write(project: Project, text: str) -> None:
    atomic.write(project.buffer, compose(f"{text.rstrip()}\n"), inside=project.root)


def _bounded(text: str) -> str:
    """Without the oldest exchanges, where there are too many or too long ones."""
    found, lines = _ours(text), markdown.split_lines(text)
    sizes = [sum(len(lines[n].encode()) + 1 for n in part) for part in found]
    gone = max(0, len(found) - _MOST)
    while gone < len(found) and sum(sizes[gone:]) > _BYTES:
        gone += 1
    return _without(text, found[:gone])


def _ours(text: str) -> list[range]:
    """The lines of each side of an exchange, counted from 0."""
    parts = [part for part in markdown.parts(text) if part.level <= 2]
    ends = [part.line - 1 for part in parts[1:]] + [len(markdown.split_lines(text))]
    whole = zip(parts, ends, strict=True)
    ours = (each for each in whole if each[0].level == 2 and _OURS.fullmatch(each[0].title))
    return [range(part.line - 1, end) for part, end in ours]


def _without(text: str, gone: list[range]) -> str:
    dropped = {n for part in gone for n in part}
    return "\n".join(line for n, line in enumerate(markdown.split_lines(text)) if n not in dropped)


# ------------------------------------------------------------------------ SESSION-STATE.md

_KINDS = ("decision", "correction", "preference", "dead-end", "blocker")
HEADINGS: Mapping[str, str] = {kind: f"{kind.replace('-', ' ').title()}s" for kind in _KINDS}
INPUT, DECISIONS = "## Requests", "## Decisions"
KEPT = 20  # inputs in the log; the oldest go
CLIP = 300  # characters of one line

_READ, _TAIL = 16 << 20, 1 << 20  # bytes of a transcript that are read for answers and refusals
_NOTED, _MARKS = "noted", 500
_LOGGED = re.compile(r"^- (?P<text>.*) \[asked id:(?P<id>[0-9a-f]{8})\]\s*$")
"""A line of the log. A line that was edited no longer has the text of its id: it is the user's."""


def note(world: World, text: str, kind: str) -> Result:
    """Add `text` as one bullet, whose tag says that the user vouches for it. Raises UsageError for an empty one, StorageError."""
    line = world.redactor.text(" ".join(text.split()))
    if not line:
        hint = 'onward note "We keep JWT: sessions need sticky servers"'
        raise UsageError("a note needs words", hint)
    project = world.project
    world.require_project()
    _add(project, [(f"## {HEADINGS[kind]}", f"- {evidence.escape(line)} [asked]")])
    shown = world.local(project.state_file)
    data = {"kind": kind, "text": line, "path": shown}
    text = f"Noted in {shown} under {HEADINGS[kind]}: {evidence.escape(line)}"
    return Result(text=compose(text), data=data)


def log_input(world: World, session: str, transcript: Path, prompt: str) -> int:
    """Log a prompt, and what the user decided since the one before; returns the lines added."""
    project = world.project
    # Copies of transcripts are kept wherever a session was: the memory folder alone is no sign.
    signs = (*project.places, project.active_context, project.root / "onward.toml")
    found_one = any(os.path.lexists(sign) for sign in signs if sign != project.memory)
    if not world.is_project() or not (found_one or git.top(project.root)):
        return 0
    found = [(DECISIONS, text) for text in _decided(world, transcript)] + [(INPUT, prompt)]
    marks = live.get(str(world.data), session, _NOTED)
    lines: list[tuple[str, str]] = []
    for heading, raw in found:
        line = " ".join(raw.split())
        line = line if len(line) <= CLIP else f"{line[: CLIP - 1].rsplit(' ', 1)[0]}…"
        text = compose(evidence.escape(world.redactor.text(line)))
        mark = _mark(text)
        if text and mark not in marks:
            lines.append((heading, f"- {text} [asked id:{mark}]"))
            marks.append(mark)
    if lines:
        _add(project, lines)
        live.put(str(world.data), session, _NOTED, *marks[-_MARKS:])
    return len(lines)


def _add(project: Project, lines: Iterable[tuple[str, str]]) -> None:
    """Add lines to the state file, each under its heading."""
    path = project.state_file
    with locks.of(project, path):
        data = reading.data(path, inside=project.root) if path.exists() else b""
        for heading, line in lines:
            data = add(data, heading, line)
        atomic.write_bytes(path, trim(data), inside=project.root)


def add(data: bytes, heading: str, line: str) -> bytes:
    """The file with one more line at the end of a section, made if missing; the rest stays."""
    new, rows = line.encode(), data.splitlines(keepends=True)
    if not data.strip():
        return f"# Session State\n\n{heading}\n\n".encode() + new + b"\n"
    starts = [at for at, row in enumerate(rows) if row.strip() == heading.encode()]
    if not starts:
        lead = b"" if data.endswith(b"\n") else b"\n"
        return data + lead + f"\n{heading}\n\n".encode() + new + b"\n"
    end = starts[-1] + 1
    while end < len(rows) and not rows[end].startswith(b"#"):
        end += 1
    while not rows[end - 1].strip():  # behind the last line that says something
        end -= 1
    before, after = b"".join(rows[:end]), b"".join(rows[end:])
    lead = b"" if before.endswith(b"\n") else b"\n"
    gap = b"\n" if end - 1 == starts[-1] else b""
    return before + lead + gap + new + b"\n" + after


def trim(data: bytes) -> bytes:
    """The file without the oldest logged inputs beyond `KEPT`; the user's own lines stay."""
    rows, section, logged = data.splitlines(keepends=True), b"", list[int]()
    for at, row in enumerate(rows):
        if row.startswith(b"#"):
            section = row.strip()
        elif section == INPUT.encode():
            found = _LOGGED.match(row.decode("utf-8", "replace"))
            if found and found["id"] == _mark(found["text"]):
                logged.append(at)
    gone = set(logged[:-KEPT])
    return b"".join(row for at, row in enumerate(rows) if at not in gone)


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _decided(world: World, transcript: Path) -> Iterable[str]:
    """Answers, approved plans and refusals of the transcript's end, as the record tells them."""
    if not transcript.is_file() or not transcript.stat().st_size:
        return ()
    with opening.within(world, transcript, _READ, _TAIL) as (path, _):
        try:
            events: list[Event] = list(registry.open_transcript(path))
        except InputError:  # the first lines of a session are no agent's yet (measured, 2.1.330)
            return ()
    return [item.text for item in record(events).decisions]
