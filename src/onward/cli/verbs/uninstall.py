"""`onward uninstall`."""

from __future__ import annotations

import click

from onward.cli.clients import client as client_option
from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.clients.registry import Client
from onward.commands import install
from onward.commands.result import Result


@click.command("uninstall", cls=Verb)
@click.option(
    "--project/--user",
    default=True,
    help="From this project (the default), or from your own settings.",
)
@client_option
@click.option("--dry-run", is_flag=True, help="Print a diff of every file and change nothing.")
@as_json
@pass_call
def command(call: Call, *, project: bool, client: Client, dry_run: bool) -> Result:
    """Take hooks, commands and skills out again; what you changed or wrote stays."""
    return install.uninstall(call.world, user=not project, dry_run=dry_run, client=client)
