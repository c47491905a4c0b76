"""`onward hook`: what a shim calls where the launcher is gone. Not on the help page."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import click

from onward.cli.help import Verb
from onward.clients.files import write_launcher
from onward.errors import OnwardError
from onward.hooks import entry
from onward.hooks.environment import Here


@click.command("hook", cls=Verb, hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def command(words: tuple[str, ...]) -> None:
    """Serve one call of a hook: AGENT EVENT [PID], the payload on stdin.

    Ends with status 0, whatever happens. The launcher is written anew, so that the next call
    is quick again.
    """
    here = Here(os.environ)
    with suppress(OnwardError):
        if here.ready():
            write_launcher(Path(here.data))
    entry.main(list(words))
