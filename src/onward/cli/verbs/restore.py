"""`onward restore`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, deleted_names, pass_call
from onward.cli.surroundings import Call
from onward.commands import restore
from onward.commands.result import Result


@click.command("restore", cls=Verb)
@click.argument("name", shell_complete=deleted_names)
@as_json
@pass_call
def command(call: Call, *, name: str) -> Result:
    """Bring the checkpoint NAME that was deleted last back from the trash."""
    return restore.restore(call.world, name)
