"""`onward save`."""

from __future__ import annotations

from typing import Any

import click
from msgspec.structs import replace

from onward.cli import options
from onward.cli.help import Verb
from onward.cli.options import as_json, checkpoint_names, pass_call
from onward.cli.surroundings import Call
from onward.commands import save
from onward.commands.result import Result
from onward.errors import RefusedError


@click.command("save", cls=Verb)
@click.argument("name", nargs=-1, required=True, metavar="NAME", shell_complete=checkpoint_names)
@click.option("--task", default="", help="One line: what this work is.")
@click.option("--session", default="", metavar="ID|FILE", help="Another session than the newest.")
@options.words
@click.option("--draft", is_flag=True, help="Save a session of one reply without edits too.")
@click.option("--force", is_flag=True, help="Replace a checkpoint of that name.")
@options.rules
@as_json
@pass_call
def command(call: Call, /, name: tuple[str, ...], **words: Any) -> Result:
    """Save your place under NAME, in kebab-case: build-login-page.

    Reads SESSION-STATE.md first, then the transcript of the session that this is called in, else
    of the newest of this project. A replaced checkpoint goes to the trash; `onward restore NAME
    --force` brings it back. What a person wrote into it stays.
    """
    # Several words are taken for one name, which is refused with the name they would make.
    wish = save.Wish(name=" ".join(name), **words)
    if not wish.force and call.asking and save.is_taken(call.world, wish.name):
        question = f"The checkpoint {wish.name} exists. Replace it?"
        if not click.confirm(question, err=True):
            raise RefusedError(f"the checkpoint {wish.name} stays as it is", "choose another name")
        wish = replace(wish, force=True)
    return save.save(call.world, wish)
