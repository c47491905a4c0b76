"""`onward read`."""

from __future__ import annotations

from pathlib import Path

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, files, pass_call
from onward.cli.surroundings import Call
from onward.commands import read
from onward.commands.result import Result


@click.command("read", cls=Verb)
@click.argument("file", type=click.Path(path_type=Path), shell_complete=files)
@as_json
@pass_call
def command(call: Call, *, file: Path) -> Result:
    """Read transcript FILE and count what it holds, damaged lines too."""
    return read.read_file(call.world.cwd / file)
