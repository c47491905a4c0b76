"""Hooks: which sessions run, so that one whose client was killed is found by the next start."""

from __future__ import annotations

import os

from onward.storage import sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_ENDED = ("Z", "X")  # a killed process stays on the system's list until its parent looks
_SILENCE = 3600.0
"""Seconds without activity after which a session counts as dead where no process can be asked."""


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
        return now - os.stat(record.transcript).st_mtime < _SILENCE  # noqa: PTH116 - pathlib is dear
    except OSError:
        return False


def began(pid: str) -> str:
    """When a process began, in the system's own words; "" where there is no such process, "?"
    where nothing tells.
    """
    if not pid.isdigit() or int(pid) <= 0 or os.name == "nt":
        return "?"
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib is dear
            # The name of the program stands in brackets and may hold anything.
            words = file.read().rpartition(b")")[2].decode().split()
            return "" if words[0] in _ENDED else words[19]
    except (OSError, IndexError):
        return "" if is_listed() else _asked(pid)


def is_listed() -> bool:
    """Whether the system keeps a list of its processes that costs next to nothing to look at."""
    return os.path.exists("/proc/self/stat")  # noqa: PTH110 - pathlib is dear


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
