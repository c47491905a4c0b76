"""`onward distill`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, files, pass_call, rules, told
from onward.cli.surroundings import Call
from onward.commands import distill, source, workspace
from onward.commands.result import Result


@click.command("distill", cls=Verb)
@click.argument("file", metavar="FILE|ID", callback=told, shell_complete=files)
@click.option("--explain", is_flag=True, help="Which template filled a field, from which event.")
@rules
@as_json
@pass_call
def command(call: Call, *, file: str, explain: bool) -> Result:
    """Show all that a transcript holds for the next session, with evidence and places.

    What nobody wrote is made by a few templates that quote an event: --explain names them.
    """
    path = source.transcript(call.world, file)
    return distill.distill_file(path, workspace.redactor(call.world), explain=explain)
