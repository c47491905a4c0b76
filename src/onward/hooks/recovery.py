"""Hooks: what a killed client left behind is captured, as if its session had just ended."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from onward.errors import OnwardError
from onward.hooks import capture, context, end, log, start, triage
from onward.hooks.environment import Here
from onward.storage import markers, sessions

if TYPE_CHECKING:
    from onward.model import Checkpoint
    from onward.transcripts.hook_call import HookCall


def run(
    call: HookCall, here: Here, found: Mapping[str, str], where: tuple[str, str]
) -> dict[str, Checkpoint]:
    """Capture the sessions of these transcripts, as far as there is anything to come back to.
    Returns the checkpoint of the one that will be told of, if that is one of them.

    What the disk refuses is told in the log, and such a session stays on record as lost.
    """
    lost: dict[str, bool] = {}
    for session, transcript in found.items():
        with _guarded(here):
            if triage.is_worth(here, session, transcript):
                lost[session] = end.is_settled(here, session, transcript, where[0])
            else:
                sessions.end(here.data, session)

    def copy() -> None:
        for session, saved in lost.items():
            with _guarded(here):
                capture.recover(here, session, found[session], where, settled=saved)

    early: dict[str, Checkpoint] = {}
    if lost:
        with capture.Beside(copy), _guarded(here):
            early = _early(call, here, {session: found[session] for session in lost}, where[0])
    return early


def _early(call: HookCall, here: Here, lost: Mapping[str, str], root: str) -> dict[str, Checkpoint]:
    """What takes as long as a copy: the checkpoint of the newest, if it is newer than all that
    waits; else the imports that telling of that takes, if no words for it lie ready.
    """
    project = context.project(here, root)
    if call.detail not in {"startup", "clear"} or not project.settings.handover:
        return {}
    waiting = markers.pending(project)
    newest = max(lost, key=lambda session: _written(lost[session]))
    is_first = not waiting or _written(lost[newest]) >= markers.order(waiting[0])[0]
    if not is_first and start.prepared(call, here, root):
        return {}
    context.find_packages()
    from onward.commands import handover  # noqa: PLC0415 - needs the packages
    from onward.hooks import greeting  # noqa: F401, PLC0415 - as above

    if not is_first:
        return {}
    found = handover.early(context.world(here, root), newest, Path(lost[newest]))
    return {newest: found} if found else {}


def _written(transcript: str) -> str:
    """When a transcript was last written, as the names of backups have it."""
    at = int(triage.grown(transcript)[1] or 0) / 1e9
    return time.strftime("%Y%m%d_%H%M%S", time.localtime(at))


@contextmanager
def _guarded(here: Here) -> Iterator[None]:
    """Let one session fail for itself."""
    try:
        yield
    except (OnwardError, OSError, ValueError) as error:
        log.note(here, f"a lost session was not captured: {log.told(error)}")
