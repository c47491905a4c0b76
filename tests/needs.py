"""Programs that some tests need and a machine may lack.

`@pytest.mark.needs("sshd")` on a test or a parameter, or `needs("sshd")` within a fixture: without
the program the test is skipped with a line that says how to install it; with `ONWARD_REQUIRE=all`
in the environment it fails with that line.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from typing import NamedTuple, NoReturn, Self

import pytest

REQUIRE = "ONWARD_REQUIRE"
_BESIDES = {"sshd": ("/usr/sbin", "/usr/local/sbin", "/sbin")}
"""Where a server lies: only root's PATH looks there."""


class _Packages(NamedTuple):
    """What a program is called by those who package it."""

    debian: str
    brew: str

    def __str__(self) -> str:
        return f"apt-get install {self.debian}, or brew install {self.brew}"


PROGRAMS = {
    "bash": _Packages("bash", "bash"),
    "busybox": _Packages("busybox", "busybox"),
    "chromium": _Packages("chromium", "chromium"),
    "fish": _Packages("fish", "fish"),
    "localedef": _Packages("locales", "gettext"),
    "npm": _Packages("npm", "node"),
    "ps": _Packages("procps", "procps"),
    "shellcheck": _Packages("shellcheck", "shellcheck"),
    "ssh": _Packages("openssh-client", "openssh"),
    "ssh-keygen": _Packages("openssh-client", "openssh"),
    "sshd": _Packages("openssh-server", "openssh"),
    "tmux": _Packages("tmux", "tmux"),
    "zsh": _Packages("zsh", "zsh"),
}


class Reason(str):
    """Why a test is skipped or fails: a program is absent."""

    __slots__ = ("program",)
    program: str

    def __new__(cls, program: str) -> Self:
        """The line that a user reads."""
        made = super().__new__(cls, f"{program} is not installed ({PROGRAMS[program]})")
        made.program = program
        return made


def find(program: str) -> str | None:
    """The path of a program of the table, None where the machine has none."""
    assert program in PROGRAMS, f"tests/needs.py does not say how {program} is installed"
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *_BESIDES.get(program, ())))
    return shutil.which(program, path=path)


def needs(*programs: str) -> None:
    """Skip the running test, or fail it, unless these programs are there."""
    for program in programs:
        if find(program) is None:
            lack(program)


def lack(program: str) -> NoReturn:
    """Skip the running test, or fail it: a program, or what comes with it, is not installed."""
    if os.environ.get(REQUIRE) == "all":
        pytest.fail(Reason(program), pytrace=False)
    pytest.skip(Reason(program))


def absent(error: BaseException | None) -> str:
    """The program for which `needs` skipped or failed a test, "" where something else did."""
    reason = getattr(error, "msg", None)
    return reason.program if isinstance(reason, Reason) else ""


def summary(counts: Counter[str], verb: str) -> list[str]:
    """A line for each program, with the number of tests that it cost."""
    return [f"{count} {verb}: {Reason(program)}" for program, count in sorted(counts.items())]
