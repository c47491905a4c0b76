"""A compaction: what it must keep before it, and what the client's own summary lacks after it.

The client does not wait for the second answer: it writes the summary down only when its hooks have
answered.
"""

from __future__ import annotations

from onward.hooks import activity, processes, triage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_WAIT = 8.0
"""Seconds for the summary, which clients write 0.1 to 0.2 s after their hooks have answered."""


def before(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Capture the transcript; returns what goes to the compaction prompt.

    Also without growth since the last capture there may be something to keep. A copy that the
    disk refuses is told in the log. Raises what the reading of the transcript raises.
    """
    processes.note(call, here, where)
    if triage.is_empty(call.transcript):
        return ""
    activity.filled(call, here, where[0])
    if not triage.is_worth(here, call.session, call.transcript):
        return _kept(call, here, where[0])
    from contextlib import suppress  # noqa: PLC0415 - only where there is work

    from onward.errors import OnwardError  # noqa: PLC0415 - as above
    from onward.hooks import capture, log  # noqa: PLC0415 - as above

    def copy() -> None:
        try:
            if not capture.later(here, call.session, call.transcript, where, event="compact"):
                capture.capture(here, call.session, call.transcript, where)
        except (OnwardError, OSError) as error:
            log.note(here, f"not captured before its compaction: {log.told(error)}")

    with suppress(OnwardError, OSError):  # told by the copy
        triage.standing(call.transcript)
    # The disk has as much to do as the processor: the copy is made while the rest is read.
    with capture.Beside(copy):
        return _kept(call, here, where[0])


def _kept(call: HookCall, here: Here, root: str) -> str:
    from pathlib import Path  # noqa: PLC0415 - as above

    from onward.hooks import context  # noqa: PLC0415 - as above

    context.find_packages()
    from onward.commands import compaction  # noqa: PLC0415 - needs the packages

    project, world = context.project(here, root), context.world(here, root)
    path = Path(call.transcript)
    return str(compaction.before_compaction(world, project, path, call.session))


def after(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Wait for the summary, and return what it leaves out; "" for a session that is not
    written down. Raises what the reading of the transcript raises.
    """
    if triage.is_empty(call.transcript):
        return ""
    from pathlib import Path  # noqa: PLC0415 - only where there is work

    from onward.hooks import context  # noqa: PLC0415 - as above

    context.find_packages()
    from onward.commands import compaction  # noqa: PLC0415 - needs the packages

    project, world = context.project(here, where[0]), context.world(here, where[0])
    path = Path(call.transcript)
    return str(compaction.after_compaction(world, project, path, call.session, wait=_WAIT))
