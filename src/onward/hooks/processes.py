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

_ENDED = ("Z", "X")  # a killed process stays on the system's list until its parent looks
_SILENCE = 3600.0
"""Seconds without activity after which a session counts as dead where no process can be asked."""
_TERM = 15  # SIGTERM; the module `signal` is slow to import


def note(call: HookCall, here: Here, where: tuple[str, str]) -> None:
    """Record that a session runs. One that runs in another process stays that one's: a forked
    session may begin under the id of its origin (measured, 2.1.197).
    """
    known, pid = sessions.running(here.data, call.session), str(call.pid)
    if known is None or not (known.pid == pid or is_running(known, here.now)):
        record = sessions.Running(pid, began(pid), *where, call.transcript)
        sessions.run(here.data, call.session, record)


def over(call: HookCall, here: Here) -> None:
    """The session has ended, unless it runs on in another process."""
    known = sessions.running(here.data, call.session)
    if known is None or known.pid == str(call.pid) or not is_running(known, here.now):
        sessions.end(here.data, call.session)


def is_running(record: sessions.Running, now: float) -> bool:
    """Whether the process of a record still runs, and is not another one under its number.

    Where that cannot be told, whether the transcript has grown within the last hour.
    """
    today = began(record.pid)
    if today != "?" and record.began != "?":
        return today == record.began != ""
    try:
        return now - os.stat(record.transcript).st_mtime < _SILENCE  # noqa: PTH116 - pathlib is slow to import
    except OSError:
        return False


def began(pid: str) -> str:
    """When a process began, in the system's own words; "" where there is no such process, "?"
    where nothing tells.
    """
    if not pid.isdigit() or int(pid) <= 0 or os.name == "nt":
        return "?"
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            # The name of the program stands in brackets and may hold anything.
            words = file.read().rpartition(b")")[2].decode().split()
            return "" if words[0] in _ENDED else words[19]
    except (OSError, IndexError):
        return "" if is_listed() else _asked(pid)


def is_listed() -> bool:
    """Whether the system keeps a list of its processes that costs next to nothing to look at."""
    return os.path.exists("/proc/self/stat")  # noqa: PTH110 - pathlib is slow to import


def _asked(pid: str) -> str:
    import subprocess  # noqa: PLC0415 - only systems without /proc pay for it

    # Whoever asks next, from whichever terminal, must be told the same.
    env = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    try:
        words = ["ps", "-o", "stat=", "-o", "lstart=", "-p", pid]
        said = subprocess.run(words, capture_output=True, timeout=2, check=False, env=env).stdout
    except (OSError, subprocess.SubprocessError):
        return "?"
    state, _, started = " ".join(said.decode("ascii", "replace").split()).partition(" ")
    return "" if state[:1] in _ENDED else started


def begin_idle_wait(call: HookCall, here: Here, root: str, seconds: float) -> None:
    """Start the shell that sleeps until a session has been idle for long enough, unless one does:
    where asking for a process is slow, its lock alone tells.
    """
    if is_listed() and _is_there(live.get(here.data, call.session, "sleeper")):
        return
    from onward.hooks import spawn  # noqa: PLC0415 - once in a session

    pid = spawn.sleeper(here, call.session, call.transcript, seconds, call.pid, root)
    if pid:
        live.put(here.data, call.session, "sleeper", str(pid), began(str(pid)))


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
    return len(known) == 2 and began(known[0]) == known[1] not in {"", "?"}
