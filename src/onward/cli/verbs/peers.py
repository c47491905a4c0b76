"""`onward peers`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands.result import Result
from onward.commands.share import peers


@click.command("peers", cls=Verb)
@as_json
@pass_call
def command(call: Call) -> Result:
    """List the machines that pushed: when, how much, and how old your copy of it is.

    Yours is marked. No remote is asked: `onward pull` does that.
    """
    return peers.peers(call.world)
