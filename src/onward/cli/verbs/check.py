"""`onward check`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, names_and_files, pass_call, told
from onward.cli.surroundings import Call
from onward.commands import check
from onward.commands.result import Result


@click.command("check", cls=Verb)
@click.argument(
    "name",
    required=False,
    default="",
    metavar="[NAME|FILE]",
    callback=told,
    shell_complete=names_and_files,
)
@as_json
@pass_call
def command(call: Call, *, name: str) -> Result:
    """Hold a checkpoint against the quality bar; without NAME, the newest one.

    Each finding names the line, the reason, and a good form. Exit code 7 with findings.
    """
    return check.check(call.world, name)
