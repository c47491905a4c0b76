"""`onward show`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, checkpoint_names, pass_call, told
from onward.cli.surroundings import Call
from onward.commands import show
from onward.commands.result import Result


@click.command("show", cls=Verb)
@click.argument("what", metavar="NAME|PLACE", callback=told, shell_complete=checkpoint_names)
@click.option("--session", default="", metavar="ID|FILE", help="Whose transcript a place is of.")
@as_json
@pass_call
def command(call: Call, *, what: str, session: str) -> Result:
    """Print a checkpoint, or what stands at a place: t:541, c:9f5a3c7.

    A place is looked up in the session that the newest checkpoint was made from, else in the
    newest session of this project.
    """
    return show.show(call.world, what, session)
