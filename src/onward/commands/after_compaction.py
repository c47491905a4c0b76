"""The verified state of a session whose context was just replaced by the client's own summary."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from onward.briefing import compaction
from onward.commands import excerpt, session_note, workspace
from onward.commands.opening import open_transcript
from onward.commands.world import World
from onward.documents import times
from onward.model import Clean, Compacted, Edited, Event, Ran, Reply, Used
from onward.record import record
from onward.redaction import Redactor
from onward.storage.project import Project

LARGEST = 16 << 20
"""Bytes of a transcript that is read whole; of a larger one the last `TAIL`."""
TAIL = 8 << 20
_PAUSE = 0.05
_SETTLED = 0.1
"""Seconds in which the client writes the summary after what stands before it."""
_FRESH = 5.0
"""Seconds before this call that the summary may have been made (measured: 0.2): an older one was
told of, and no model writes two of them in so short a time."""
_ACTS = (Reply, Ran, Edited, Used)


class _Before(Struct, frozen=True):
    """A session up to the last replacement of its context, and the summary that stands for it."""

    events: list[Event]
    summary: str


def after_compaction(
    world: World, project: Project, transcript: Path, session: str = "", *, wait: float = 0.0
) -> Clean:
    """The state before the compaction, and where the summary contradicts it; never empty.

    The client writes the summary only once its hooks have answered, and 0.1 to 0.2 seconds after
    that (measured with versions 2.1.197 and 2.1.330): a hook that let the client go on may
    `wait` so many seconds for it. Where none comes in that time, or the agent goes on without, the
    state is told without a comparison. Raises OnwardError.
    """
    end = time.monotonic() + wait
    redactor = workspace.redactor(world, keep=False)
    while True:
        size = _size(transcript)
        events, is_whole = _read(world, transcript, redactor)
        before = _before(events, world.now)
        if before or _went_on(events, world.now) or not _grows(transcript, size, end):
            break
    found = before or _Before(events, "")
    draft = record(found.events, str(project.root))
    return compaction.verified(
        redactor.draft(session_note.with_demands(world, project, session, draft)),
        redactor.text(found.summary),
        [redactor.text(name) for name in _unknown(transcript, found.summary)] if is_whole else (),
        places=is_whole,
    )


def _unknown(transcript: Path, summary: str) -> list[str]:
    """Commit hashes and file names that stand in the summary alone."""
    named = compaction.names(summary)
    raw = transcript.read_bytes() if named else b""
    return [name for name in named if _occurs(name, raw) <= _occurs(name, summary.encode())]


def _occurs(name: str, raw: bytes) -> int:
    """How often a hash, or the last part of a path, stands in a text."""
    return raw.count(name.rsplit("/", 1)[-1].encode())


def _read(world: World, transcript: Path, redactor: Redactor) -> tuple[list[Event], bool]:
    """What is in a transcript by now, and whether that is all of it."""
    with excerpt.within(world, transcript, LARGEST, TAIL) as (path, is_whole):
        return list(open_transcript(path, redactor)[1]), is_whole


def _grows(transcript: Path, size: int, end: float) -> bool:
    """Wait until a transcript is larger or smaller than `size`; False if it is not by `end`."""
    while _size(transcript) == size:
        if time.monotonic() >= end:
            return False
        time.sleep(_PAUSE)
    time.sleep(_SETTLED)
    return time.monotonic() < end


def _went_on(events: list[Event], now: datetime) -> bool:
    """Whether the agent did or said anything since `now`. What it did before a compaction may be
    written down late; what the user types, and titles, at any time.
    """
    own = (e for e in reversed(events) if isinstance(e, _ACTS) and not e.thread)
    at = next((times.moment(event.at) for event in own), None)
    return at is not None and at > now


def _before(events: list[Event], now: datetime) -> _Before | None:
    """The state that the newest summary stands for, if that is fresh."""
    found = [
        (at, event)
        for at, event in enumerate(events)
        if isinstance(event, Compacted) and event.summary and not event.thread
    ]
    if not found:
        return None
    at, last = found[-1]
    made = times.moment(last.at)
    if made is None or (now - made).total_seconds() > _FRESH:
        return None
    return _Before(events[:at], last.summary)


def _size(transcript: Path) -> int:
    try:
        return transcript.stat().st_size
    except OSError:
        return 0
