"""`onward show`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import all_names, as_json, pass_call, rules, told
from onward.cli.surroundings import Call
from onward.commands import show
from onward.commands.result import Result


@click.command("show", cls=Verb)
@click.argument("what", metavar="NAME|PLACE", callback=told, shell_complete=all_names)
@click.argument("place", required=False, default="", callback=told)
@click.option("--session", default="", metavar="ID|FILE", help="Whose transcript a place is of.")
@rules
@as_json
@pass_call
def command(call: Call, *, what: str, place: str, session: str) -> Result:
    """Print a checkpoint, or what stands at a place: t:541, c:9f5a3c7.

    With both, `onward show build-login-page t:541`, the place is looked up in the session that the
    checkpoint was made from; NAME may also be a document or a session's id. A place alone is
    looked up in the session of the newest checkpoint, else in the newest of this project. Of another
    machine's checkpoint, NAME@MACHINE, the words are here but not the session.
    """
    if place:
        return show.show(call.world, place, session, of=what)
    return show.show(call.world, what, session)
