"""`onward document`."""

from __future__ import annotations

from pathlib import Path

import click

from onward.cli import options
from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands import document
from onward.commands.result import Result


@click.command("document", cls=Verb)
@click.argument("path", required=False, default="", metavar="[PATH|list]")
@click.option("--session", default="", metavar="ID|FILE", help="Another session than the newest.")
@options.words
@options.rules
@as_json
@pass_call
def command(call: Call, *, path: str, session: str, words: Path | None) -> Result:
    """Write active-context.md, then the session document (to PATH, if given).

    `onward document list` lists the documents, a pending backup on top.
    """
    if path == "list":
        return document.list_documents(call.world)
    return document.document(call.world, path, session, words=words)
