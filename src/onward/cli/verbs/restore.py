"""`onward restore`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, deleted_names, pass_call, told
from onward.cli.surroundings import Call
from onward.commands import restore
from onward.commands.result import Result


@click.command("restore", cls=Verb)
@click.argument("name", callback=told, shell_complete=deleted_names)
@click.option("--force", is_flag=True, help="Also where NAME exists: that one goes to the trash.")
@as_json
@pass_call
def command(call: Call, *, name: str, force: bool) -> Result:
    """Bring the checkpoint NAME that was deleted or replaced last back from the trash.

    With --force the one that exists goes to the trash, and the newest kept one that differs
    from it comes back; the same again swaps them.
    """
    return restore.restore(call.world, name, force=force)
