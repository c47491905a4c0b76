"""Where this call runs, and whether another registration of the same hook has claimed it.

`<data>/claims` holds a line `mark seconds` of each call of the last seconds. A mark is a keyed hash of
all that tells a call from every other, with the machine's key of redaction: no words of a session lie
there, nor can short ones be guessed from it. Hooks import this at once, so it imports next to nothing.
"""

from __future__ import annotations

import os
import time

from onward.storage import machine
from onward.transcripts.hook_call import CLIENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from onward.transcripts.hook_call import Client, HookCall


_GOOD_FOR = 3.0  # seconds; two registrations of one hook start within milliseconds
_WINDOWS = os.name == "nt"
_PATIENCE = 20  # tries of 10 ms each: never long in the client's way
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_OPEN = os.O_RDWR | os.O_CREAT | _PLAIN


class Here:
    """The folder `data` for our own things, the user's `home`, the environment, the clock.

    `agent` is the client as the command line named it; `project` its project once the payload
    is read, "" before; `notice` one line for the user, where the client can show it.
    """

    __slots__ = ("agent", "data", "env", "home", "notice", "now", "project")

    def __init__(self, env: Mapping[str, str], agent: str = "", project: str = "") -> None:
        self.agent = agent
        self.env = env
        self.home = os.path.expanduser("~")  # noqa: PTH111 - pathlib costs more than the hook may
        self.data = machine.data_folder(env, self.home)
        self.now = time.time()
        self.project = project
        self.notice = ""

    def client(self) -> Client:
        """What `transcripts/` offers to hooks of the client."""
        return CLIENTS[self.agent]

    def ready(self) -> bool:
        """Whether our folder is there; made where the home is, never a home with it."""
        if os.path.isdir(self.data):  # noqa: PTH112 - as above
            return True
        if not self.env.get("ONWARD_DATA") and not os.path.isdir(self.home):  # noqa: PTH112
            return False
        try:
            os.makedirs(self.data, 0o700, exist_ok=True)  # noqa: PTH103
        except OSError:
            return False
        return True

    def once(self, call: HookCall) -> bool:
        """Whether this call is the first of its kind: False where another registration of the same
        hook has claimed it within the last seconds. True where nothing can be claimed.
        """
        if not self.ready():
            return True
        try:
            claims = os.open(f"{self.data}/claims", _OPEN, 0o600)
        except OSError:
            return True
        try:
            mark = _mark(call, machine.key(self.data))
            return not _lock(claims) or _claim(claims, mark, self.now)
        except OSError:
            return True
        finally:
            os.close(claims)


def _mark(call: HookCall, secret: bytes) -> str:
    """What tells this call from every other."""
    try:
        from _blake2 import blake2b  # noqa: PLC0415 - hashlib takes as long as all else here
    except ImportError:  # another Python, or another release of it
        from hashlib import blake2b  # noqa: PLC0415 - as above
    where = (call.session, call.event, call.detail, call.prompt_id, str(call.pid), call.helper)
    told = "\0".join((*where, call.prompt, call.last, call.command))
    return blake2b(told.encode("utf-8", "replace"), key=secret[:64], digest_size=16).hexdigest()


def _claim(claims: int, mark: str, now: float) -> bool:
    """Write `mark` down unless it is there. A line that was torn is passed over."""
    kept = []
    for line in os.read(claims, 65536).decode("ascii", "replace").splitlines():
        found, _, when = line.partition(" ")
        if when.isdigit() and abs(now * 1000 - int(when)) < _GOOD_FOR * 1000:
            if found == mark:
                return False
            kept.append(line)
    kept.append(f"{mark} {int(now * 1000)}")
    os.lseek(claims, 0, os.SEEK_SET)
    os.ftruncate(claims, 0)
    os.write(claims, ("\n".join(kept) + "\n").encode("ascii"))
    return True


def _lock(descriptor: int) -> bool:
    """Take the lock; False where it is held too long or the disk knows none."""
    for _ in range(_PATIENCE):
        try:
            _try(descriptor)
        except OSError as error:
            if not (_WINDOWS or isinstance(error, BlockingIOError)):
                raise
            time.sleep(0.01)
        else:
            return True
    return False


def _try(descriptor: int) -> None:
    if _WINDOWS:
        import msvcrt  # noqa: PLC0415 - there only

        # LK_LOCK tries ten times, a second apart.
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return
    import fcntl  # noqa: PLC0415 - not on Windows

    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
