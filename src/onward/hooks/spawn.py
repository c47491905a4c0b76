"""Work that outlives the call, in a child that the client knows nothing of.

Measured: a child with its streams redirected survives every end of the client, and one that
keeps the client's pipe open holds up the prompt (2.1.197 waited 8 s for it).
"""

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here

_ENTRY = f"{os.path.dirname(os.path.abspath(__file__))}{os.sep}entry.py"  # noqa: PTH100, PTH120
_IDLE = f"{os.path.dirname(_ENTRY)}{os.sep}idle.sh"  # noqa: PTH120 - pathlib is slow to import
_STEPS = 10  # looks at the transcript in the time that counts as idle
_PRIVATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def later(here: Here, kind: str, fields: dict[str, str]) -> None:
    """Let a detached child do the job `kind`. Raises OSError where none can be started."""
    job = _job(here, kind, fields)
    try:
        _start(_words(here), job)
    finally:
        os.close(job)


def sleeper(  # noqa: PLR0917 - what a sleeping shell must be told
    here: Here, session: str, transcript: str, seconds: float, pid: int, project: str
) -> int:
    """Start the shell that waits until the transcript has not grown for `seconds`, does the
    job "autosave" with signal "idle" once, and ends; it also ends when process `pid` is gone.

    Returns its process id, which leads a group of its own; 0 where one waits already, where
    the client's process is unknown, and on Windows. The lock is on the transcript itself and
    goes with the processes that hold it.
    """
    if os.name == "nt" or pid <= 0:
        return 0
    import fcntl  # noqa: PLC0415 - not on Windows

    lock = os.open(transcript, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return 0
        fields = {"signal": "idle", "session": session, "transcript": transcript}
        job = _job(here, "autosave", fields | {"project": project})
        try:
            pause = f"{max(seconds / _STEPS, 0.1):.1f}"
            words = ["/bin/sh", _IDLE, pause, str(_STEPS), str(pid), transcript, *_words(here)]
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
    return [sys.executable, "-I", _ENTRY, here.agent, "later"]


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
