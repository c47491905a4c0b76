"""`onward save`."""

from __future__ import annotations

from contextlib import suppress
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
@click.option("--next", "following", default="", help="One line: the very next step.")
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
    --force` brings it back. What you wrote into it stays. On a terminal, it asks once for the next
    step where only the record knows one.
    """
    # Several words are taken for one name, which is refused with the name they would make.
    wish = save.Wish(name=" ".join(name), **words)
    if not wish.force and call.asking and save.is_taken(call.world, wish.name):
        question = f"The checkpoint {wish.name} exists. Replace it?"
        if not click.confirm(question, err=True):
            raise RefusedError(f"the checkpoint {wish.name} stays as it is", "choose another name")
        wish = replace(wish, force=True)
    try:
        saved = save.save(call.world, wish)
    except save.UnfinishedError:
        following = _asked(call, wish, "")
        if not following:
            raise
        return save.save(call.world, replace(wish, following=following))
    data = saved.data
    if not isinstance(data, save.Saved) or data.next_by or wish.words:
        return saved
    following = _asked(call, wish, data.next_action or "")
    if not following:
        return saved
    # What was saved a moment ago is the first half of this.
    second = save.save(call.world, replace(wish, following=following, force=True, again=True))
    trashed = (save.in_trash(data.name),) if data.replaced else ()
    return second._replace(notes=(*second.notes, *trashed))


def _asked(call: Call, wish: save.Wish, stands: str) -> str:
    """The next step in the user's words, "" where they leave what stands or nobody can answer."""
    if call.json or not call.asking or wish.following.strip():
        return ""
    if stands:
        click.echo(f"Next action, from the record: {' '.join(stands.split())}", err=True)
    question = "The next step in your words (Enter keeps it)" if stands else "The next step"
    with suppress(click.Abort):
        answer = click.prompt(question, default="", show_default=False, err=True)
        return str(answer).strip()
    return ""
