"""`onward note`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call, rules
from onward.cli.surroundings import Call
from onward.commands import note
from onward.commands.result import Result


@click.command("note", cls=Verb)
@click.argument("text")
@click.option(
    "--as",
    "kind",
    type=click.Choice(list(note.HEADINGS)),
    default="decision",
    show_default=True,
    help="What it is.",
)
@rules
@as_json
@pass_call
def command(call: Call, *, text: str, kind: str) -> Result:
    """Add TEXT to SESSION-STATE.md, where the next save reads it first."""
    return note.note(call.world, text, kind)
