"""`onward resume`."""

from __future__ import annotations

from shlex import quote

import click

from onward.cli import output
from onward.cli.help import Verb
from onward.cli.options import as_json, names_and_files, pass_call, told
from onward.cli.surroundings import Call
from onward.commands import resume
from onward.commands.result import Result
from onward.errors import UsageError


@click.command("resume", cls=Verb)
@click.argument("name", required=False, default="", callback=told, shell_complete=names_and_files)
@click.option("--yes", is_flag=True, help="Continue without asking.")
@click.option("--no", is_flag=True, help="Put it in the trash.")
@as_json
@pass_call
def command(call: Call, *, name: str, yes: bool, no: bool) -> Result:
    """Pick up where checkpoint NAME left off; without NAME, the newest one.

    Shows what was done, the next action, and what changed since. On a terminal it then asks:
    yes prints the briefing, no puts the checkpoint in the trash. Anywhere else it only prints.
    NAME may also be a session document, a protocol file, a transcript or a session's id, and
    NAME@MACHINE is one that `onward pull` brought; nothing changes on that machine.
    """
    if yes and no:
        hint = " ".join(["onward resume", *([quote(name)] if name else []), "--yes"])
        raise UsageError("--yes and --no exclude each other", hint)
    if no:
        return resume.decline(call.world, name)
    if not yes and call.asking and not call.json:
        shown = resume.glance(call.world, name)
        output.emit(shown.result, as_json=False)
        # No default: a stray Enter must not put it in the trash.
        if click.prompt(shown.question, prompt_suffix=" ", err=True, value_proc=_yes):
            return resume.go_on(call.world, shown.name)
        return resume.decline(call.world, shown.name)
    return resume.present(call.world, name, accepted=yes)


def _yes(typed: str) -> bool:
    """The answer. What is none is asked for again."""
    answers = {"y": True, "yes": True, "n": False, "no": False}
    if (word := typed.strip().casefold().rstrip(".!")) in answers:
        return answers[word]
    raise click.UsageError("answer yes or no; Ctrl-C leaves everything as it is")
