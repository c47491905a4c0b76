"""The program, killed at one of its steps: `dying.py KIND NUMBER WORD ...`.

with    together with the git call of that number, as soon as it runs
after   when that git has ended
file    before the file call of that number in `storage/atomic.py` and `storage/locks.py`

Counted are the git calls that change something, and the file calls that others can see.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from onward.cli import main
from onward.storage import atomic, locks

CALLS = {"open", "replace", "unlink", "mkdir"}
CHANGING = {"init", "fetch", "fast-import", "update-ref", "push", "gc"}


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Table:
    """Stands in for the module `os`, and dies before the call of a number."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        return self.counted(real) if name in CALLS else real

    def counted(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            self.left -= 1
            if self.left == 0:
                die()
            return real(*args, **more)

        return call


class Dying(subprocess.Popen[bytes]):
    """Every program that is started goes through here."""

    kind, left = "", 0

    def __init__(self, words: list[str], *args: Any, **more: Any) -> None:
        Dying.left -= not CHANGING.isdisjoint(words)
        self.struck = Dying.left == 0 and not CHANGING.isdisjoint(words)
        super().__init__(words, *args, **more)
        if self.struck and Dying.kind == "with":
            self.kill()
            die()

    def wait(self, timeout: float | None = None) -> int:
        code = super().wait(timeout)
        if self.struck and Dying.kind == "after":
            die()
        return code


if __name__ == "__main__":
    kind, number = sys.argv[1], int(sys.argv[2])
    if kind == "file":
        for module in (atomic, locks):
            module.os = Table(number)  # type: ignore[attr-defined]
    else:
        Dying.kind, Dying.left = kind, number
        subprocess.Popen = Dying  # type: ignore[misc, assignment]
    sys.exit(main(sys.argv[3:]))
