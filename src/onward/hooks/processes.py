"""The processes of sessions: which clients still run, so that a killed one is found by the
next start, and the shell that sleeps beside a session until it has been idle for long enough.

The record `sleeper` of a session: that shell's process, and when it began.
"""

from __future__ import annotations

import os

from onward.storage import live, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_TERM = 15  # SIGTERM; the module `signal` is slow to import


def note(call: HookCall, here: Here, where: tuple[str, str]) -> None:
    """Record that a session runs. One that runs in another process stays that one's: a forked
    session may begin under the id of its origin (measured, 2.1.197).
    """
    known, pid = sessions.running(here.data, call.session), str(call.pid)
    if known is None or not (known.pid == pid or sessions.is_running(known, here.now)):
        record = sessions.Running(pid, sessions.began(pid), *where, call.transcript)
        sessions.run(here.data, call.session, record)


def over(call: HookCall, here: Here) -> None:
    """The session has ended, unless it runs on in another process."""
    known = sessions.running(here.data, call.session)
    if known is None or known.pid == str(call.pid) or not sessions.is_running(known, here.now):
        sessions.end(here.data, call.session)


def begin_idle_wait(call: HookCall, here: Here, root: str, seconds: float) -> None:
    """Start the shell that sleeps until a session has been idle for long enough, unless one does:
    where asking for a process is slow, its lock alone tells.
    """
    if sessions.is_listed() and _is_there(live.get(here.data, call.session, "sleeper")):
        return
    from onward.hooks import spawn  # noqa: PLC0415 - once in a session

    pid = spawn.sleeper(here, call.session, call.transcript, seconds, call.pid, root)
    if pid:
        live.put(here.data, call.session, "sleeper", str(pid), sessions.began(str(pid)))


def end_idle_wait(here: Here, session: str) -> None:
    """End that shell, with all that it started."""
    known = live.get(here.data, session, "sleeper")
    if _is_there(known):
        try:  # noqa: SIM105 - contextlib is slow to import
            os.killpg(int(known[0]), _TERM)
        except OSError:
            pass
    live.drop(here.data, session, "sleeper")


def _is_there(known: list[str]) -> bool:
    """Whether the process still runs, and is not another one under its number."""
    return len(known) == 2 and sessions.began(known[0]) == known[1] not in {"", "?"}
