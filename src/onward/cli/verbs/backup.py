"""`onward backup list`, `resume` and `discard`."""

from __future__ import annotations

import click

from onward.cli.help import VerbGroup
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands import backup
from onward.commands.result import Result


@click.group("backup", cls=VerbGroup)
def command() -> None:
    """List, resume or discard the raw backups."""


@command.command("list")
@as_json
@pass_call
def list_all(call: Call) -> Result:
    """List the raw backups, the newest first, and which are pending."""
    return backup.list_backups(call.world)


@command.command("resume")
@as_json
@pass_call
def resume(call: Call) -> Result:
    """Brief from the pending backup.

    Of several, the newest with work in it.

    active-context.md is brought up to date, then the marker goes. Without a pending backup, brief
    from what was saved last.
    """
    return backup.resume_newest(call.world)


@command.command("discard")
@click.option(
    "--all", "everything", is_flag=True, help="All that are pending, not the first alone."
)
@as_json
@pass_call
def discard(call: Call, *, everything: bool) -> Result:
    """Remove the pending backup and its marker without reading it."""
    return backup.discard(call.world, everything=everything)
