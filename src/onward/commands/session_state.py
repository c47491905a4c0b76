"""SESSION-STATE.md, the log that the next save reads first: `note` adds what the user says, hooks add
what they type, answer, approve and refuse, as it comes.

The documents' write-ahead log, "updated on every significant human input". Nothing here decides what a
sentence means: the input itself is kept, verbatim, clipped and bounded. The file belongs to the user and
to their agent: a line is added at the end of its section, and nothing of theirs is moved or rewritten.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from onward import evidence, repo
from onward.commands import opening, workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import InputError, UsageError
from onward.model import Clean, Event
from onward.record import record
from onward.storage import atomic, documents, live, locks
from onward.storage.project import Project
from onward.transcripts import registry

HEADINGS: Mapping[str, str] = {
    "decision": "Decisions",
    "correction": "Corrections",
    "preference": "Preferences",
    "dead-end": "Dead Ends",
    "blocker": "Blockers",
}
INPUT, DECISIONS = "## Requests", "## Decisions"
KEPT = 20
"""Inputs in the log; the oldest go."""
CLIP = 300
"""Characters of one line."""

_READ, _TAIL = 16 << 20, 1 << 20  # bytes of a transcript that are read for answers and refusals
_NOTED, _MARKS = "noted", 500
_OURS = re.compile(r"^- (?P<text>.*) \[asked id:(?P<id>[0-9a-f]{8})\]\s*$")
"""A line of the log. A line that was edited no longer has the text of its id: it is the user's."""


def note(world: World, text: str, kind: str) -> Result:
    """Add `text` as one bullet, whose tag says that the user vouches for it. Raises UsageError for an empty one, StorageError."""
    line = workspace.redactor(world).text(" ".join(text.split()))
    if not line:
        raise UsageError(
            "a note needs words", 'onward note "We keep JWT: sessions need sticky servers"'
        )
    project = workspace.here(world)
    workspace.at_work(world, project)
    path = project.state_file
    with locks.hold(locks.beside(path), inside=project.root):
        before = documents.read_bytes(path, project.root)
        after = add(before, f"## {HEADINGS[kind]}", f"- {evidence.escape(line)} [asked]")
        atomic.write_bytes(path, after, inside=project.root)
    shown = workspace.shown(path, world, project.root)
    data = {"kind": kind, "text": line, "path": shown}
    text = f"Noted in {shown} under {HEADINGS[kind]}: {evidence.escape(line)}"
    return Result(text=compose(text), data=data)


def log_input(world: World, project: Project, session: str, transcript: Path, prompt: str) -> int:
    """Log a prompt, and what the user decided since the one before; returns the lines added.

    Nothing is written in a folder that is no project, nor a line again that the user removed.
    Raises what reading the transcript and writing raise.
    """
    here = replace(world, cwd=project.root)
    if not _is_project(here, project):
        return 0
    redactor = workspace.redactor(here)
    found = [(DECISIONS, text) for text in _decided(world, transcript)] + [(INPUT, prompt)]
    marks = live.get(str(world.data), session, _NOTED)
    lines: list[tuple[str, Clean]] = []
    for heading, raw in found:
        text = compose(evidence.escape(redactor.text(_clipped(raw))))
        mark = _mark(text)
        if text and mark not in marks:
            lines.append((heading, text))
            marks.append(mark)
    if lines:
        path = project.state_file
        with locks.hold(locks.beside(path), inside=project.root):
            before = documents.read_bytes(path, project.root)
            after = before
            for heading, text in lines:
                after = add(after, heading, f"- {text} [asked id:{_mark(text)}]")
            atomic.write_bytes(path, trim(after), inside=project.root)
        live.put(str(world.data), session, _NOTED, *marks[-_MARKS:])
    return len(lines)


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
            found = _OURS.match(row.decode("utf-8", "replace"))
            if found and found["id"] == _mark(found["text"]):
                logged.append(at)
    gone = set(logged[:-KEPT])
    return b"".join(row for at, row in enumerate(rows) if at not in gone)


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= CLIP else f"{line[: CLIP - 1].rsplit(' ', 1)[0]}…"


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


def _is_project(world: World, project: Project) -> bool:
    if not workspace.may_save(world, project):
        return False
    # Copies of transcripts are kept wherever a session was: the memory folder alone is no sign.
    signs = (*project.places, project.active_context, project.root / "onward.toml")
    found = any(os.path.lexists(sign) for sign in signs if sign != project.memory)
    return found or repo.top(project.root) is not None
