"""`onward forget`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import all_names, as_json, pass_call, patience, told
from onward.cli.surroundings import Call
from onward.commands.result import Result
from onward.commands.share import forget
from onward.commands.share.forget import What
from onward.errors import UsageError
from onward.repo.remote import Wish


@click.command("forget", cls=Verb)
@click.argument("name", required=False, default="", callback=told, shell_complete=all_names)
@click.option("--all", "everything", is_flag=True, help="All that was pushed from here.")
@click.option("--remote", default="", metavar="REMOTE", help="Take it back from this remote.")
@patience
@as_json
@pass_call
def command(call: Call, *, name: str, everything: bool, remote: str, timeout: int) -> Result:
    """Take back what was pushed under NAME: others lose it with their next pull.

    The remote's ref of this machine is written anew, so that nothing there leads to it; the server
    itself may keep the bytes until it cleans up. Your own file stays (`onward delete NAME` is for
    that), and is pushed again once it says something else. NAME may be a checkpoint, a session
    document or `protocol`.

    NAME@MACHINE, of another machine, is only hidden here.
    """
    if everything == bool(name):
        raise UsageError("forget takes a NAME or --all", "onward forget --all")
    wish = Wish("forget", asking=call.asking, limit=timeout)
    return forget.forget(call.world, What(name, all=everything), remote, wish)
