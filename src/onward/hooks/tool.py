"""Hooks: the agent is about to run a long command: the state is saved first."""

from __future__ import annotations

from onward.hooks import alive
from onward.storage import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_LONG = 30_000  # milliseconds, the documents' 30 s
_PAUSE = 60.0  # seconds in which one save is enough


def run(call: HookCall, here: Here, where: tuple[str, str]) -> str:
    """Let a child autosave where a command may take more than 30 s; at most once a minute."""
    alive.note(call, here, where)
    if not (call.background or call.limit > _LONG):
        return ""
    last = live.get(here.data, call.session, "long")
    if last and 0 <= here.now - float(last[0]) < _PAUSE:
        return ""
    live.put(here.data, call.session, "long", str(here.now))
    from onward.hooks import spawn  # noqa: PLC0415 - only for long commands

    fields = {"project": where[0], "session": call.session, "transcript": call.transcript}
    spawn.later(here, "autosave", fields | {"signal": "long"})
    return ""
