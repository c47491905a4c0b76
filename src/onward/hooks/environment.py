"""Where this call runs, whether another registration of the same hook has claimed it, and the one place
that tells what went wrong, since a hook itself must stay silent.

Hooks import this at once, so it imports next to nothing.
"""
# The standard library's comfort (pathlib, contextlib) costs more than the hook may.
# ruff: noqa: PTH102, PTH103, PTH105, PTH108, PTH111, PTH112, PTH208, SIM105

from __future__ import annotations

import os
import time

from onward.storage import machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from onward.transcripts.hook_call import HookCall

_SPAN = 1.5  # seconds; two registrations of one hook start within milliseconds
_LOG = "hooks.log"
_LIMIT = 65536  # bytes; twice that is kept, the older half as hooks.log.1
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _PLAIN


class Here:
    """The folder `data` for our own things, the user's `home`, the environment, the clock.

    `agent` is the client as the command line named it; `project` its project once the payload
    is read, "" before; `notice` one line for the user, where the client can show it.
    """

    __slots__ = ("agent", "data", "env", "home", "notice", "now", "project")

    def __init__(self, env: Mapping[str, str], agent: str = "", project: str = "") -> None:
        self.agent = agent
        self.env = env
        self.home = os.path.expanduser("~")
        self.data = machine.data_folder(env, self.home)
        self.now = time.time()
        self.project = project
        self.notice = ""

    def ready(self) -> bool:
        """Whether our folder is there; made where the home is, never a home with it."""
        if os.path.isdir(self.data):
            return True
        if not self.env.get("ONWARD_DATA") and not os.path.isdir(self.home):
            return False
        try:
            os.makedirs(self.data, 0o700, exist_ok=True)
        except OSError:
            return False
        return True

    def once(self, call: HookCall) -> bool:
        """Whether this call is the first of its kind: False where another registration of the same
        hook has claimed it within the last seconds. True where nothing can be claimed.

        A claim is an empty file for this span of time and one for the next: of calls that come
        together, be it in one span or in two, one alone makes both.
        """
        if not self.ready():
            return True
        folder, span = f"{self.data}/claimed", int(self.now / _SPAN)
        try:
            mark = _mark(call, machine.key(self.data))
            _forget(folder, [f"{each}-" for each in (span - 1, span, span + 1)])
        except OSError:
            return True
        try:
            for each in (span, span + 1):
                os.close(os.open(f"{folder}/{each}-{mark}", _NEW, 0o600))
        except FileExistsError:
            return False
        except OSError:
            return True
        return True

    def note(self, text: str, error: BaseException | None = None) -> None:
        """Add one line to the log: into our own folder, else into the backup log of the project.

        `text` says what failed; never words of a payload or a transcript. Of an error stands there
        where in our code it came from and, if it was foreseen, what it says.
        """
        told = f"{text}: {_fault(error)}" if error else text
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(self.now))
        # Part of it may be of a file that came with a repository.
        plain = "".join(c if c.isprintable() else "?" for c in " ".join(told.split())[:300])
        line = f"{stamp} {plain}\n".encode("utf-8", "replace")
        if self.ready() and _add(f"{self.data}/{_LOG}", line):
            return
        # A link that came with a repository must not lead our line elsewhere.
        memory = f"{self.project}/.claude/memory"
        real = f"{os.path.realpath(self.project)}/.claude/memory"
        if self.project and os.path.realpath(memory) == real:
            _add(f"{memory}/.backup-log", line)


def _mark(call: HookCall, secret: bytes) -> str:
    """What tells this call from every other: a hash with the machine's key of redaction, so that no
    words of a session lie there, nor can short ones be guessed from it.
    """
    try:
        from _blake2 import blake2b  # noqa: PLC0415 - hashlib takes as long as all else here
    except ImportError:  # another Python, or another release of it
        from hashlib import blake2b  # noqa: PLC0415 - as above
    where = (call.session, call.event, call.detail, call.prompt_id, str(call.pid), call.helper)
    told = "\0".join((*where, call.prompt, call.last, call.command))
    return blake2b(told.encode("utf-8", "replace"), key=secret[:64], digest_size=16).hexdigest()


def _forget(folder: str, kept: list[str]) -> None:
    """Make the folder of claims, and remove those of other spans of time. Raises OSError."""
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    for name in os.listdir(folder):
        if not name.startswith(tuple(kept)):
            try:
                os.unlink(f"{folder}/{name}")
            except OSError:  # another call was quicker
                pass


def _fault(error: BaseException) -> str:
    """The kind of an error and the last place in our own code (`OSError at storage/atomic.py:90`) and,
    of a foreseen one, what it says.
    """
    place, trace = "", error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        name = code.co_filename.replace("\\", "/")
        if "/onward/" in name and code.co_name != "_up":  # the alarm: where it rang is meant
            place = f" at {name.rpartition('/onward/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    is_foreseen = type(error).__module__ == "onward.errors"
    said = f": {getattr(error, 'message', '')}" if is_foreseen else ""
    return f"{type(error).__name__}{place}{said}"


def _add(path: str, line: bytes) -> bool:
    try:
        log = os.open(path, _APPEND, 0o600)
        try:
            full = os.fstat(log).st_size > _LIMIT
            done = os.write(log, line) == len(line)
        finally:
            os.close(log)
        if full and path.endswith(_LOG):
            os.replace(path, f"{path}.1")
    except OSError:
        return False
    return done
