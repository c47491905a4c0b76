"""`onward protocol save`, `load`, `done` and `next`."""

from __future__ import annotations

from pathlib import Path

import click

from onward.cli import options
from onward.cli.help import VerbGroup
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands import protocol
from onward.commands.result import Result


@click.group("protocol", cls=VerbGroup)
def command() -> None:
    """Save or load session-protocol.json; close or reorder its tasks."""


@command.command("save")
@click.option("--session", default="", metavar="ID|FILE", help="Another session than the newest.")
@click.option("--brief", "short", is_flag=True, help="Report in one line.")
@options.words
@options.rules
@as_json
@pass_call
def save(call: Call, *, session: str, short: bool, words: Path | None) -> Result:
    """Merge this session's tasks and context into session-protocol.json."""
    return protocol.save(call.world, session, short=short, words=words)


@command.command("load")
@click.option("--brief", "short", is_flag=True, help="Report in one line.")
@as_json
@pass_call
def load(call: Call, *, short: bool) -> Result:
    """Read session-protocol.json: age, counts, changes in git, next task."""
    return protocol.load(call.world, short=short)


@command.command("done")
@click.argument("task", metavar="TASK_ID")
@as_json
@pass_call
def done(call: Call, *, task: str) -> Result:
    """Mark a task as completed: TASK_003, or 3.

    It stays completed whatever later saves say. The former file goes to the trash.
    """
    return protocol.done(call.world, task)


@command.command("next")
@click.argument("task", metavar="TASK_ID")
@as_json
@pass_call
def put_first(call: Call, *, task: str) -> Result:
    """Make an open task the next one: TASK_003, or 3.

    It stays first until it is completed. The former file goes to the trash.
    """
    return protocol.put_first(call.world, task)
