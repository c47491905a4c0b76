"""Hooks: the shell that sleeps beside a session until it has been idle for long enough.

The record `sleeper` of a session: that shell's process, and when it began.
"""

from __future__ import annotations

import os

from onward.hooks import alive
from onward.storage import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_TERM = 15  # SIGTERM; the module `signal` is dear


def begin(call: HookCall, here: Here, root: str, seconds: float) -> None:
    """Start it, unless one sleeps beside this session: where it is dear to ask for a process,
    its lock alone tells.
    """
    if alive.is_listed() and _is_there(live.get(here.data, call.session, "sleeper")):
        return
    from onward.hooks import spawn  # noqa: PLC0415 - once in a session

    pid = spawn.sleeper(here, call.session, call.transcript, seconds, call.pid, root)
    if pid:
        live.put(here.data, call.session, "sleeper", str(pid), alive.began(str(pid)))


def end(here: Here, session: str) -> None:
    """End it, with all that it started."""
    known = live.get(here.data, session, "sleeper")
    if _is_there(known):
        try:  # noqa: SIM105 - contextlib is dear
            os.killpg(int(known[0]), _TERM)
        except OSError:
            pass
    live.drop(here.data, session, "sleeper")


def _is_there(known: list[str]) -> bool:
    """Whether the process still runs, and is not another one under its number."""
    return len(known) == 2 and alive.began(known[0]) == known[1] not in {"", "?"}
