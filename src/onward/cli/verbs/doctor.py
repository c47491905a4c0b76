"""`onward doctor`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands import doctor
from onward.commands.result import Result


@click.command("doctor", cls=Verb)
@click.option("--fix", is_flag=True, help="Make the safe fixes first, and say which.")
@as_json
@pass_call
def command(call: Call, *, fix: bool) -> Result:
    """Look at what is installed here, try it, and name what fixes each finding.

    The registered commands are run as they stand, in a throw-away project: nothing of yours is
    changed without --fix. Exit code 1 if anything is broken, 0 with warnings only.
    """
    return doctor.doctor(call.world, fix=fix)
