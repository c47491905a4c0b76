"""`onward delete`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, checkpoint_names, pass_call, told
from onward.cli.surroundings import Call
from onward.commands import delete
from onward.commands.result import Result


@click.command("delete", cls=Verb)
@click.argument("name", callback=told, shell_complete=checkpoint_names)
@as_json
@pass_call
def command(call: Call, *, name: str) -> Result:
    """Move checkpoint NAME to the trash, when its task is done.

    `onward restore NAME` brings it back.
    """
    return delete.delete(call.world, name)
