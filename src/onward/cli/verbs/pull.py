"""`onward pull`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call, patience, told
from onward.cli.surroundings import Call
from onward.commands.result import Result
from onward.commands.share import pull
from onward.repo.remote import Wish


@click.command("pull", cls=Verb)
@click.argument("remote", required=False, default="", callback=told)
@patience
@as_json
@pass_call
def command(call: Call, *, remote: str, timeout: int) -> Result:
    """Fetch what other machines pushed to REMOTE, else to the usual one (see `onward push --help`).

    Then `onward list` shows their checkpoints as NAME@MACHINE, and `onward resume NAME@MACHINE`
    takes one up, its paths those of this clone. Nothing in the project changes.
    """
    return pull.pull(call.world, remote, Wish("pull", asking=call.asking, limit=timeout))
