"""The hidden verb behind the slash commands."""

from __future__ import annotations

import os
import select
import sys

import click

from onward.cli.help import Verb
from onward.cli.options import pass_call
from onward.cli.surroundings import Call
from onward.commands import slash
from onward.commands.result import Result

_LONGEST = 100_000  # characters; nobody types as many
_WAIT = 2.0  # seconds; the words are there before we are


@click.command("slash", cls=Verb, hidden=True)
@click.argument("name")
@click.argument("step", required=False, default="")
@pass_call
def command(call: Call, *, name: str, step: str) -> Result:
    """Do what a slash command does before the agent reads it; its words come on stdin."""
    takes = name.rpartition(":")[2] in slash.WITH_WORDS and not step
    return Result(text=slash.run(call.world, name, step, _words() if takes else "", _shell()))


def _shell() -> str:
    """The shell that the client runs a command's lines in: it leads a process session of its own,
    also where `timeout` stands between (measured with both clients).
    """
    return str(os.getsid(0) if hasattr(os, "getsid") else os.getppid())


def _words() -> str:
    """What is on stdin. Without a here-document it is a pipe that nobody writes to and nobody
    closes (measured), and must not be waited for.
    """
    if sys.stdin.isatty():
        return ""
    if os.name != "nt":  # where only sockets can be asked
        try:
            ready, _, _ = select.select([sys.stdin], [], [], _WAIT)
        except (OSError, ValueError):  # no descriptor, as in a test
            ready = [sys.stdin]
        if not ready:
            return ""
    data = getattr(sys.stdin, "buffer", None)
    raw = data.read(_LONGEST).decode("utf-8", "replace") if data else sys.stdin.read(_LONGEST)
    return str(raw)
