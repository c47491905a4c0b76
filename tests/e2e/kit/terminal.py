"""End-to-end kit: programs in terminal windows, as a user has them (tmux, own server)."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
_STILL = 0.3  # seconds without a change after which a screen is taken to be drawn
_STEP, _LONGEST = 0.05, 0.2
"""Seconds between two looks, and what they grow to: each look at a screen starts a process, and
each at all processes reads three files of every one, on the processors that the client needs.
"""
_TAIL = 15  # characters of a typed text that are looked for on the screen
_DRAWN = 3.0  # seconds for that; a text may be wrapped, or not shown at all
T = TypeVar("T")


def until(met: Callable[[], T | None], told: Callable[[], str], limit: float) -> T:
    """Wait for something that is true. Raises TimeoutError with what `told` says."""
    end, step = time.monotonic() + limit, _STEP
    while not (found := met()):
        if time.monotonic() > end:
            raise TimeoutError(f"not within {limit:g} s: {told()}")
        time.sleep(step)
        step = min(1.25 * step, _LONGEST)
    return found


def _squeezed(text: str) -> str:
    return "".join(text.split())


class Tmux:
    """A tmux server of our own at `socket`. `env` is what its windows start from."""

    def __init__(self, socket: Path, env: Mapping[str, str]) -> None:
        self.socket = socket
        self.env = {name: env[name] for name in ("PATH", "TERM", "LANG", "HOME")}

    def __call__(self, *words: str) -> str:
        """One command of tmux; its output, "" where it failed."""
        base = ("tmux", "-S", str(self.socket), "-f", "/dev/null")
        done = subprocess.run(
            [*base, *words], capture_output=True, text=True, env=self.env, check=False
        )
        return done.stdout

    def start(self, words: list[str], env: Mapping[str, str], cwd: Path) -> Window:
        """Run a program in a new window, in exactly this environment."""
        line = "exec " + shlex.join(["env", "-i", *(f"{k}={v}" for k, v in env.items()), *words])
        if not self("list-sessions"):
            self("new-session", "-d", "-x", "160", "-y", "50", "sleep 100000")
            self("set", "-g", "remain-on-exit", "on")
        told = self(
            "new-window", "-P", "-F", "#{pane_id} #{pane_pid}", "-c", str(cwd), line
        ).split()
        assert len(told) == 2, f"tmux opened no window in {cwd}"
        return Window(self, told[0], int(told[1]))


class Window:
    """One program in one window. `pid` is the program's."""

    def __init__(self, tmux: Tmux, pane: str, pid: int) -> None:
        self.tmux = tmux
        self.pane = pane
        self.pid = pid

    @property
    def screen(self) -> str:
        """What the user sees."""
        return self.tmux("capture-pane", "-p", "-t", self.pane)

    def wait(self, pattern: str, limit: float = 40) -> re.Match[str]:
        """Until the screen shows it. Raises TimeoutError with the screen."""
        return until(
            lambda: re.search(pattern, self.screen),
            lambda: f"{pattern!r} on the screen:\n{self.screen}",
            limit,
        )

    def wait_gone(self, words: str, limit: float = 40) -> None:
        """Until the screen shows these words no more."""
        until(lambda: words not in self.screen, lambda: f"{words!r} still there", limit)

    def still(self, limit: float = 5) -> str:
        """The screen, once nothing moves on it (or after `limit` seconds)."""
        end = time.monotonic() + limit
        last, since = self.screen, time.monotonic()
        while time.monotonic() < min(since + _STILL, end):
            time.sleep(_STILL / 3)
            if (now := self.screen) != last:
                last, since = now, time.monotonic()
        return last

    def type(self, text: str, *, enter: bool = True) -> None:
        """Type a text and, once it is drawn, press Enter."""
        self.tmux("send-keys", "-t", self.pane, "-l", text)
        end, tail = time.monotonic() + _DRAWN, _squeezed(text)[-_TAIL:]
        # An Enter that the client reads together with the text is a line break in it.
        while tail not in _squeezed(self.screen) and time.monotonic() < end:
            time.sleep(_STEP)
        self.still(1)  # while the agent works something always moves
        if enter:
            self.key("Enter")

    def key(self, *names: str) -> None:
        """Press keys, by tmux's names (`Enter`, `Escape`, `C-c`), at once."""
        self.tmux("send-keys", "-t", self.pane, *names)

    def kill(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        os.kill(self.pid, number)

    def close_pane(self) -> None:
        """Close the window, as with the mouse."""
        self.tmux("kill-pane", "-t", self.pane)

    def kill_terminal(self) -> None:
        """End the whole terminal program, with all its windows."""
        self.tmux("kill-server")

    @property
    def alive(self) -> bool:
        """Whether the program runs; one that ended and waits to be collected does not."""
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text()
        except OSError:
            return False
        return stat.rpartition(")")[2].split()[0] != "Z"

    def wait_dead(self, limit: float = 30) -> None:
        """Until the program ended. Raises TimeoutError with the screen."""
        until(lambda: not self.alive, lambda: f"the end of the program:\n{self.screen}", limit)
