"""The processes of sessions: which clients still run, so that a killed one is found by the next start;
work that outlives the call, in a child that the client knows nothing of; and the shell that sleeps
beside a session until it has been idle for long enough.

Measured: a child with its streams redirected survives every end of the client, and one that
keeps the client's pipe open holds up the prompt (2.1.197 waited 8 s for it). The record `sleeper` of a
session: that shell's process, and when it began.
"""

from __future__ import annotations

import marshal
import os
import sys

from onward.storage import live, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.transcripts.hook_call import HookCall

_ENTRY = f"{os.path.dirname(os.path.abspath(__file__))}{os.sep}entry.py"  # noqa: PTH100, PTH120
_IDLE = f"{os.path.dirname(_ENTRY)}{os.sep}idle.sh"  # noqa: PTH120 - pathlib is slow to import
_STEPS = 10  # looks at the transcript in the time that counts as idle
_PRIVATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
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
    pid = sleeper(call, here, root, seconds)
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


# ------------------------------------------------------------------------ what outlives the call


def later(here: Here, kind: str, fields: dict[str, str]) -> None:
    """Let a detached child do the job `kind`. Raises OSError where none can be started."""
    job = _job(here, kind, fields)
    try:
        _start(_words(here), job)
    finally:
        os.close(job)


def sleeper(call: HookCall, here: Here, root: str, seconds: float) -> int:
    """Start the shell that waits until the transcript has not grown for `seconds`, does the
    job "autosave" with signal "idle" once, and ends; it also ends when the client is gone.

    Returns its process id, which leads a group of its own; 0 where one waits already, where
    the client's process is unknown, and on Windows. The lock is on the transcript itself and
    goes with the processes that hold it.
    """
    if os.name == "nt" or call.pid <= 0:
        return 0
    import fcntl  # noqa: PLC0415 - not on Windows

    lock = os.open(call.transcript, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return 0
        own = {"session": call.session, "transcript": call.transcript, "project": root}
        job = _job(here, "autosave", {"signal": "idle", **own})
        try:
            waits = (f"{max(seconds / _STEPS, 0.1):.1f}", str(_STEPS), str(call.pid))
            words = ["/bin/sh", _IDLE, *waits, call.transcript, *_words(here)]
            return _start(words, job, lock)
        finally:
            os.close(job)
    finally:
        os.close(lock)


def read_job(descriptor: int = 0) -> tuple[str, dict[str, str]]:
    """The job that a child finds on its stdin. Raises ValueError, EOFError or TypeError."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    parts = []
    while part := os.read(descriptor, 65536):
        parts.append(part)
    kind, fields = marshal.loads(b"".join(parts))  # noqa: S302 - from a file without a name
    return str(kind), dict(fields)


def _words(here: Here) -> list[str]:
    # Isolated, but with site-packages: this is where the heavy work is done.
    return [sys.executable, "-I", "-X", "utf8", _ENTRY, here.agent, "later"]


def _job(here: Here, kind: str, fields: dict[str, str]) -> int:
    """The job on a file that has no name, so that nothing is left behind whatever happens."""
    data = marshal.dumps((kind, fields))
    if hasattr(os, "memfd_create"):
        job = os.memfd_create("onward-job")
    else:
        here.ready()
        path = f"{here.data}/job-{os.getpid()}-{os.urandom(4).hex()}"
        job = os.open(path, _PRIVATE | getattr(os, "O_TEMPORARY", 0), 0o600)
        if os.name != "nt":
            os.unlink(path)  # noqa: PTH108 - pathlib is slow to import
    while data:
        data = data[os.write(job, data) :]
    os.lseek(job, 0, os.SEEK_SET)
    return job


def _start(words: list[str], stdin: int, kept: int = -1) -> int:
    """Start a process in a session of its own; `kept` stays open in it. Returns its id."""
    if os.name == "nt":
        return _start_detached(words, stdin)
    actions = [
        (os.POSIX_SPAWN_DUP2, stdin, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    if kept >= 0:
        os.set_inheritable(kept, True)
    try:
        return os.posix_spawn(words[0], words, os.environ, file_actions=actions, setsid=True)
    except NotImplementedError:  # a system without the flag
        return _start_detached(words, stdin, kept)


def _start_detached(words: list[str], stdin: int, kept: int = -1) -> int:
    import subprocess  # noqa: PLC0415 - 11 ms, which posix_spawn spares

    child = subprocess.Popen(
        words,
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(kept,) if kept >= 0 else (),
        start_new_session=os.name != "nt",
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0)
        | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    child.returncode = 0  # ours to forget: it outlives this process
    return child.pid
