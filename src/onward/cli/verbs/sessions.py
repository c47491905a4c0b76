"""`onward sessions`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands import sessions
from onward.commands.result import Result


@click.command("sessions", cls=Verb)
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
@as_json
@pass_call
def command(call: Call, *, everywhere: bool) -> Result:
    """List the sessions that were held in this project, the newest first.

    The id in front is taken by other verbs: `onward save NAME --session ID` saves that one,
    `onward brief ID` briefs from it, `onward distill ID` shows all of it.
    """
    return sessions.sessions(call.world, everywhere=everywhere, width=call.width)
