"""`onward list`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands import list as listing
from onward.commands.result import Result


@click.command("list", cls=Verb)
@as_json
@pass_call
def command(call: Call) -> Result:
    """List the checkpoints of this project, the newest first.

    With name, creation, task, and age: how long since it was last saved. What `onward pull` brought
    from other machines is among them, as NAME@MACHINE.
    """
    return listing.list_checkpoints(
        call.cwd, call.seconds, lambda: call.world, call.width, call.data
    )
