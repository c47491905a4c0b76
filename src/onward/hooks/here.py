"""Hooks: where this call runs, and whether another one has its work in hand already."""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from onward.agents.hook_call import HookCall

_GOOD_FOR = 3.0  # seconds; two registrations of one hook start within milliseconds
_WINDOWS = os.name == "nt"
_PATIENCE = 20  # tries of 10 ms each: never long in the client's way
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Here:
    """The folder `data` for our own things, the person's `home`, the environment, the clock.

    `agent` is the client as the command line named it; `project` its project once the payload
    is read, "" before.
    """

    __slots__ = ("agent", "data", "env", "home", "now", "project")

    def __init__(self, env: Mapping[str, str], agent: str = "", project: str = "") -> None:
        self.agent = agent
        self.env = env
        self.home = os.path.expanduser("~")  # noqa: PTH111 - pathlib costs more than the hook may
        self.data = data_folder(env, self.home)
        self.now = time.time()
        self.project = project

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
        """Whether this call is the first of its kind: False where another registration of the
        same hook has claimed it within the last seconds. True where nothing can be claimed.
        """
        if not self.ready():
            return True
        try:
            claims = os.open(f"{self.data}/claims", _OPEN, 0o600)
        except OSError:
            return True
        try:
            return not _lock(claims) or _claim(claims, _key(call), self.now)
        except OSError:
            return True
        finally:
            os.close(claims)


def data_folder(env: Mapping[str, str], home: str) -> str:
    """The folder that the command line uses, found without platformdirs, whose import is dear."""
    chosen = env.get("ONWARD_DATA")
    if chosen:
        return chosen
    if os.name == "nt":
        base = env.get("LOCALAPPDATA") or f"{home}\\AppData\\Local"
        return f"{base}\\onward"
    base = env.get("XDG_DATA_HOME", "")
    if base.startswith("/"):
        return f"{base.rstrip('/')}/onward"
    if sys.platform == "darwin":
        return f"{home}/Library/Application Support/onward"
    return f"{home}/.local/share/onward"


def _key(call: HookCall) -> str:
    """What tells this call from every other; a number, as no words of a session may lie there."""
    where = (call.session, call.event, call.detail, call.prompt_id, str(call.pid), call.helper)
    told = "\0".join((*where, call.prompt, call.last, call.command))
    return str(int.from_bytes(told.encode("utf-8", "replace"), "big") % (2**127 - 1))


def _claim(claims: int, key: str, now: float) -> bool:
    """Write `key` down unless it is there. The file holds `key seconds` lines of the last
    moments; one that was torn is passed over.
    """
    kept = []
    for line in os.read(claims, 65536).decode("ascii", "replace").splitlines():
        found, _, when = line.partition(" ")
        if when.isdigit() and abs(now * 1000 - int(when)) < _GOOD_FOR * 1000:
            if found == key:
                return False
            kept.append(line)
    kept.append(f"{key} {int(now * 1000)}")
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
