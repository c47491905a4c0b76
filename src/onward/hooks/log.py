"""The one place that tells what went wrong, since a hook itself must stay silent."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here

NAME = "hooks.log"
LIMIT = 65536  # bytes; twice that is kept, the older half as hooks.log.1
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


def note(here: Here, text: str) -> None:
    """Add one line: into our own folder, else into the backup log of the project.

    `text` says what failed and where in our code; never words of a payload or a transcript.
    """
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(here.now))
    # Part of it may be of a file that came with a repository.
    plain = "".join(each if each.isprintable() else "?" for each in " ".join(text.split())[:300])
    line = f"{stamp} {plain}\n".encode("utf-8", "replace")
    if not (here.ready() and _add(f"{here.data}/{NAME}", line)):
        memory = f"{here.project}/.claude/memory"
        # A link that came with a repository must not lead our line elsewhere.
        if (
            here.project
            and os.path.realpath(memory) == f"{os.path.realpath(here.project)}/.claude/memory"
        ):
            _add(f"{memory}/.backup-log", line)


def told(error: BaseException) -> str:
    """What a foreseen error says, which holds no words of a transcript; of others, `where`."""
    return getattr(error, "message", "") or where(error)


def fault(error: BaseException) -> str:
    """Where it came from and, of a foreseen error, what it says."""
    is_foreseen = type(error).__module__ == "onward.errors"
    return f"{where(error)}: {told(error)}" if is_foreseen else where(error)


def where(error: BaseException) -> str:
    """The kind of an error and the last place in our own code: `OSError at storage/atomic.py:90`."""
    place, trace = "", error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        name = code.co_filename.replace("\\", "/")
        if "/onward/" in name and code.co_name != "_up":  # the alarm: where it rang is meant
            place = f" at {name.rpartition('/onward/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}{place}"


def _add(path: str, line: bytes) -> bool:
    try:
        log = os.open(path, _APPEND, 0o600)
        try:
            full = os.fstat(log).st_size > LIMIT
            done = os.write(log, line) == len(line)
        finally:
            os.close(log)
        if full and path.endswith(NAME):
            os.replace(path, f"{path}.1")  # noqa: PTH105 - pathlib costs more than the hook may
    except OSError:
        return False
    return done
