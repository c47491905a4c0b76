"""`onward brief`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, names_and_files, pass_call, rules, told
from onward.cli.surroundings import Call
from onward.commands import brief
from onward.commands.result import Result


@click.command("brief", cls=Verb)
@click.argument("what", metavar="FILE|NAME|SESSION", callback=told, shell_complete=names_and_files)
@click.option(
    "--budget",
    type=click.IntRange(min=200),
    default=1500,
    show_default=True,
    metavar="N",
    help="Tokens at most; 200 or more.",
)
@click.option("--no-drift", is_flag=True, help="Do not look at the repository.")
@rules
@as_json
@pass_call
def command(call: Call, *, what: str, budget: int, no_drift: bool) -> Result:
    """Write the briefing for the next session, from a transcript or a saved place.

    The place may be a checkpoint's name (NAME@MACHINE for one of another machine), a session
    document or a protocol file; SESSION is the id of a transcript.
    """
    return brief.brief(call.world, what, budget=budget, look=not no_drift)
