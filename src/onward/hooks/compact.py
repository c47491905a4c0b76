"""Hooks: a compaction is about to happen: raw copy, marker, log, and what must be kept."""

from __future__ import annotations

from onward.hooks import alive, triage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Capture the transcript; returns what goes to the compaction prompt.

    Also without growth since the last capture there may be something to keep. A copy that the
    disk refuses is told in the log. Raises what the reading of the transcript raises.
    """
    alive.note(call, here, where)
    if triage.is_empty(call.transcript):
        return ""
    if not triage.is_worth(here, call.session, call.transcript):
        return _kept(call, here, where[0])
    from onward.errors import OnwardError  # noqa: PLC0415 - only where there is work
    from onward.hooks import capture, log  # noqa: PLC0415 - as above
    from onward.hooks.beside import Beside  # noqa: PLC0415 - as above

    def copy() -> None:
        try:
            capture.capture(here, call.session, call.transcript, where)
        except (OnwardError, OSError) as error:
            log.note(here, f"not captured before its compaction: {log.told(error)}")

    # The disk has as much to do as the processor: the copy is made while the rest is read.
    with Beside(copy):
        return _kept(call, here, where[0])


def _kept(call: HookCall, here: Here, root: str) -> str:
    from pathlib import Path  # noqa: PLC0415 - as above

    from onward.hooks import context, packages  # noqa: PLC0415 - as above

    packages.find()
    from onward.commands import compaction_prompt  # noqa: PLC0415 - needs the packages

    project, world = context.project(here, root), context.world(here, root)
    return str(compaction_prompt.before_compaction(world, project, Path(call.transcript)))
