"""Hooks: a compaction is about to happen: raw copy, marker, log, and what must be kept."""

from __future__ import annotations

from pathlib import Path

from onward.agents.hook_call import HookCall
from onward.hooks import alive, capture, ground, packages, worth
from onward.hooks.here import Here


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Capture the transcript; returns what goes to the compaction prompt.

    Also without growth since the last capture there may be something to keep. Raises what the
    copy and the reading of the transcript raise.
    """
    alive.note(call, here, where)
    if worth.is_empty(call.transcript):
        return ""
    if worth.is_worth(here, call.session, call.transcript):
        capture.capture(here, call.session, call.transcript, where)
    packages.find()
    from onward.commands import keep  # noqa: PLC0415 - the copy comes before what can break

    project, world = ground.project(here, where[0]), ground.world(here, where[0])
    return str(keep.before_compaction(world, project, Path(call.transcript)))
