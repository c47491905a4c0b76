"""`onward show`."""

from __future__ import annotations

from typing import Any

import click

from onward.cli.help import Verb
from onward.cli.options import all_names, as_json, pass_call, rules, told
from onward.cli.surroundings import Call
from onward.commands import show
from onward.commands.places import View
from onward.commands.result import Result

_COUNT = click.IntRange(min=0)


@click.command("show", cls=Verb)
@click.argument("what", metavar="NAME|PLACE", callback=told, shell_complete=all_names)
@click.argument("place", required=False, default="", callback=told)
@click.option("--session", default="", metavar="ID|FILE", help="Whose transcript a place is of.")
@click.option("--before", type=_COUNT, default=0, metavar="N", help="Also the N records before.")
@click.option("--after", type=_COUNT, default=0, metavar="N", help="Also the N records after.")
@click.option("--find", default="", metavar="TEXT", help="Begin at the line that holds TEXT.")
@click.option("--offset", type=_COUNT, default=0, metavar="N", help="Begin after N characters.")
@click.option("--all", "whole", is_flag=True, help="All of it, however long.")
@rules
@as_json
@pass_call
def command(call: Call, /, *, what: str, place: str, session: str, **view: Any) -> Result:
    """Print a checkpoint, or what stands at a place: t:541, t:720-746, t:last, c:9f5a3c7.

    onward show t:541

    onward show build-login-page t:720-746

    onward show 0b1c2d3e t:last --before 5

    With both, the place is looked up in the session that the checkpoint was made from; NAME may
    also be a document, a transcript or a session's id. A place alone is looked up in the session of
    the newest checkpoint, else in the newest of this project. Of another machine's checkpoint,
    NAME@MACHINE, the words are here but not the session.

    One call prints up to 1,500 tokens of a place and ends with the command that reads on. The
    records around it take one line each: place, who, size. Below stand the result of a tool call,
    or the call of a result, and the files that an edit touched.
    """
    if place:
        return show.show(call.world, place, session, of=what, view=View(**view))
    return show.show(call.world, what, session, view=View(**view))
