"""Hooks: a compaction was done, and the session goes on: what the client's own summary lacks.

The client does not wait for the answer: it writes the summary down only when its hooks have
answered.
"""

from __future__ import annotations

from onward.hooks import triage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_WAIT = 8.0
"""Seconds for the summary, which clients write 0.1 to 0.2 s after their hooks have answered."""


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Wait for the summary, and return what it leaves out; "" for a session that is not
    written down. Raises what the reading of the transcript raises.
    """
    if triage.is_empty(call.transcript):
        return ""
    from pathlib import Path  # noqa: PLC0415 - only where there is work

    from onward.hooks import context, packages  # noqa: PLC0415 - as above

    packages.find()
    from onward.commands import after_compaction  # noqa: PLC0415 - needs the packages

    project, world = context.project(here, where[0]), context.world(here, where[0])
    return str(after_compaction.after_compaction(world, project, Path(call.transcript), wait=_WAIT))
