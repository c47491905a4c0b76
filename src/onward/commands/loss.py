"""What a client's own summary leaves out, told to the session that goes on with it."""

from __future__ import annotations

import time
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from onward.agents import registry
from onward.brief.loss import loss
from onward.commands import excerpt, rim
from onward.commands.result import compose
from onward.commands.world import World
from onward.distill import distill
from onward.distill.said.settling import lays_a_rule
from onward.formats import times
from onward.model import Clean, Compacted, Draft, Event
from onward.store.project import Project

LARGEST = 16 << 20
"""Bytes of a transcript that is read whole; of a larger one the last `TAIL`."""
TAIL = 8 << 20
_PAUSE = 0.05
_SETTLED = 0.1
"""Seconds in which the client writes the summary after what stands before it."""
_FRESH = 30.0
"""Seconds before this call that the summary may have been made: an older one was told of."""


class _Before(Struct, frozen=True):
    """A session up to the last replacement of its context, and the summary that stands for it."""

    events: list[Event]
    summary: str
    since: int
    is_whole: bool


def after_compaction(
    world: World, project: Project, transcript: Path, *, wait: float = 0.0
) -> Clean:
    """The report on the summary that was made just now; "" where it lacks nothing.

    The client writes the summary only once its hooks have answered, and 0.1 to 0.2 seconds after
    that (measured with versions 2.1.197 and 2.1.330): a hook that let the client go on may
    `wait` so many seconds for it, for any other there is none yet. Raises OnwardError.
    """
    before = _before(world, transcript)
    end, size = time.monotonic() + wait, _size(transcript)
    while before is None and time.monotonic() < end:
        time.sleep(_PAUSE)
        if _size(transcript) != size:
            time.sleep(_SETTLED)
            before, size = _before(world, transcript), _size(transcript)
    if before is None:
        return compose()
    redactor = rim.redactor(world, keep=False)
    return loss(
        redactor.draft(_ruled(distill(before.events, str(project.root)))),
        redactor.text(before.summary),
        since=before.since,
        places=before.is_whole,
    )


def _before(world: World, transcript: Path) -> _Before | None:
    """The state that the newest summary stands for, if that is fresh."""
    with excerpt.within(world, transcript, LARGEST, TAIL) as (path, is_whole):
        events = list(registry.open_transcript(path))
    found = [
        (at, event)
        for at, event in enumerate(events)
        if isinstance(event, Compacted) and event.summary and not event.thread
    ]
    if not found:
        return None
    at, last = found[-1]
    made = times.moment(last.at)
    if made is None or made.timestamp() < world.now.timestamp() - _FRESH:
        return None
    since = found[-2][1].line if found[1:] else 0
    return _Before(events[:at], last.summary, since, is_whole)


def _size(transcript: Path) -> int:
    try:
        return transcript.stat().st_size
    except OSError:
        return 0


def _ruled(draft: Draft) -> Draft:
    """Of the decisions only the rules, and what was said twice: others were acted on."""
    kept = (
        item
        for item in draft.decisions
        if item.evidence == "asked" and (lays_a_rule(item.text) or len(item.places) > 1)
    )
    return replace(draft, decisions=tuple(kept))
