"""Verbs about the other forms: protocol, document, backup."""

from __future__ import annotations

from pathlib import Path

import click

from onward import commands
from onward.cli import options
from onward.cli.options import verb
from onward.cli.surroundings import Call
from onward.commands.result import Result


@click.group("protocol", cls=options.VerbGroup)
def protocol() -> None:
    """Save or load session-protocol.json; close or reorder its tasks."""


@verb("save", of=protocol)
@options.session
@click.option("--brief", "short", is_flag=True, help="Report in one line.")
@options.words
@options.rules
def save(call: Call, *, session: str, short: bool, words: Path | None) -> Result:
    """Merge this session's tasks and context into session-protocol.json."""
    return commands.document.save_protocol(call.world, session, short=short, words=words)


@verb("load", of=protocol)
@click.option("--brief", "short", is_flag=True, help="Report in one line.")
def load(call: Call, *, short: bool) -> Result:
    """Read session-protocol.json: age, counts, changes in git, next task."""
    return commands.document.load_protocol(call.world, short=short)


@verb("done", of=protocol)
@click.argument("task", metavar="TASK_ID")
def done(call: Call, *, task: str) -> Result:
    """Mark a task as completed: TASK_003, or 3.

    It stays completed whatever later saves say. The former file goes to the trash.
    """
    return commands.document.edit_protocol(call.world, task, first=False)


@verb("next", of=protocol)
@click.argument("task", metavar="TASK_ID")
def put_first(call: Call, *, task: str) -> Result:
    """Make an open task the next one: TASK_003, or 3.

    It stays first until it is completed. The former file goes to the trash.
    """
    return commands.document.edit_protocol(call.world, task, first=True)


@verb("document")
@click.argument("path", required=False, default="", metavar="[PATH|list]")
@options.session
@options.words
@options.rules
def document(call: Call, *, path: str, session: str, words: Path | None) -> Result:
    """Write active-context.md, then the session document (to PATH, if given).

    `onward document list` lists the documents, a pending backup on top.
    """
    if path == "list":
        return commands.document.list_documents(call.world)
    return commands.document.write(call.world, path, session, words=words)[1]


@click.group("backup", cls=options.VerbGroup)
def backup() -> None:
    """List, resume or discard the raw backups."""


@verb("list", of=backup)
def list_all(call: Call) -> Result:
    """List the raw backups, the newest first, and which are pending."""
    return commands.backup.list_backups(call.world)


@verb("resume", of=backup)
@click.argument("number", required=False, default="", metavar="[NUMBER]")
def resume(call: Call, *, number: str) -> Result:
    """Brief from the pending backup.

    Of several, the newest with work in it, or the one of NUMBER.

    active-context.md is brought up to date, then the marker goes. Without a pending backup, brief
    from what was saved last.
    """
    picked = commands.backup.chosen(number, "onward backup resume")
    return commands.backup.resume_newest(call.world, picked)[0]


@verb("discard", of=backup)
@click.argument("number", required=False, default="", metavar="[NUMBER]")
@click.option(
    "--all", "everything", is_flag=True, help="All that are pending, not the first alone."
)
def discard(call: Call, *, number: str, everything: bool) -> Result:
    """Put the pending backup into the trash without reading it, and take it off the marker.

    Of several, the one that is offered first, or the one of NUMBER.
    """
    picked = commands.backup.chosen(number, "onward backup discard")
    return commands.backup.discard(call.world, picked, everything=everything)
