"""`onward resume`."""

from __future__ import annotations

import click

from onward.cli import output
from onward.cli.help import Verb
from onward.cli.options import as_json, checkpoint_names, pass_call
from onward.cli.surroundings import Call
from onward.commands import resume
from onward.commands.result import Result


@click.command("resume", cls=Verb)
@click.argument("name", required=False, default="", shell_complete=checkpoint_names)
@click.option("--yes/--no", "answer", default=None, help="Go on with it; or put it in the trash.")
@as_json
@pass_call
def command(call: Call, *, name: str, answer: bool | None) -> Result:
    """Pick up where checkpoint NAME left off; without NAME, the newest one.

    Shows what was done, the next action, and what changed since. On a terminal it then asks;
    anywhere else it only prints. NAME may also be a session document or protocol file.
    """
    if answer is False:
        return resume.decline(call.world, name)
    if answer is None and call.asking and not call.json:
        output.emit(resume.present(call.world, name), as_json=False)
        # No default: a stray Enter must not put it in the trash.
        if not click.confirm("Ready to continue?", default=None, err=True):
            return resume.decline(call.world, name)
        return resume.go_on(call.world, name)
    return resume.present(call.world, name, accepted=bool(answer))
