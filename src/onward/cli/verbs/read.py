"""`onward read`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, files, pass_call, told
from onward.cli.surroundings import Call
from onward.commands import read, source
from onward.commands.result import Result


@click.command("read", cls=Verb)
@click.argument("file", metavar="FILE|ID", callback=told, shell_complete=files)
@as_json
@pass_call
def command(call: Call, *, file: str) -> Result:
    """Count what a transcript holds, damaged lines too."""
    return read.read_file(source.transcript(call.world, file))
