"""`onward resume`."""

from __future__ import annotations

import click

from onward.cli import output
from onward.cli.help import Verb
from onward.cli.options import as_json, names_and_files, pass_call, told
from onward.cli.surroundings import Call
from onward.commands import resume
from onward.commands.result import Result


@click.command("resume", cls=Verb)
@click.argument("name", required=False, default="", callback=told, shell_complete=names_and_files)
@click.option("--yes/--no", "answer", default=None, help="Go on with it; or put it in the trash.")
@as_json
@pass_call
def command(call: Call, *, name: str, answer: bool | None) -> Result:
    """Pick up where checkpoint NAME left off; without NAME, the newest one.

    Shows what was done, the next action, and what changed since. On a terminal it then asks:
    yes prints the briefing, no puts the checkpoint in the trash. Anywhere else it only prints.
    NAME may also be a session document, a protocol file or a transcript.
    """
    if answer is False:
        return resume.decline(call.world, name)
    if answer is None and call.asking and not call.json:
        shown = resume.glance(call.world, name)
        output.emit(shown.result, as_json=False)
        # No default: a stray Enter must not put it in the trash.
        if click.prompt(shown.question, prompt_suffix=" ", err=True, value_proc=_yes):
            return resume.go_on(call.world, shown.name)
        return resume.decline(call.world, shown.name)
    return resume.present(call.world, name, accepted=bool(answer))


def _yes(typed: str) -> bool:
    """The answer. What is none is asked for again."""
    answers = {"y": True, "yes": True, "n": False, "no": False}
    if (word := typed.strip().casefold().rstrip(".!")) in answers:
        return answers[word]
    raise click.UsageError("answer yes or no; Ctrl-C leaves everything as it is")
