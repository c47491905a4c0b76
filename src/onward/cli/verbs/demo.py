"""`onward demo`: the main job on the bundled sample, in a temporary home."""

from __future__ import annotations

import shutil
import sys
import textwrap

import click

from onward.cli import output
from onward.cli.help import Verb
from onward.cli.scratch import Scratch
from onward.errors import NotFoundError

_WIDTH = 96
_FIRST = 14  # lines of `distill`, which prints a hundred


@click.command("demo", cls=Verb)
def command() -> int:
    """Show save and resume on a bundled sample session.

    Runs onward and git in a temporary home, which is removed afterwards. Your own sessions and
    files are neither read nor changed.
    """
    if shutil.which("git") is None:
        raise NotFoundError("the demo needs git, which was not found", "install git")
    with Scratch() as scratch:
        _say("A session was held in ~/tally. It stopped in the middle, with a failing test.")
        _show(scratch, "onward sessions")
        _show(scratch, f"onward distill {scratch.session[:8]}", first=_FIRST)
        _show(scratch, "onward save add-currency-option")
        _show(scratch, "onward list")

        _say("Two days later Ben renames a module, and somebody edits a line.")
        scratch.pass_time(days=2)
        for line in rename(scratch):
            _command(line)
        scratch.pass_time(days=1)
        output.say("\n")
        _say("The next morning, in a fresh session:")
        _show(scratch, "onward resume add-currency-option --yes")
    return 0


def rename(scratch: Scratch) -> list[str]:
    """Change the repository after the save; the commands as a user would type them."""
    lines = [
        "git mv src/tally/rates.py src/tally/exchange.py",
        "git commit -m 'Name the module by what it does' --author 'Ben Okafor <ben@example.com>'",
    ]
    for line in lines:
        scratch.run(line)
    cli = scratch.read("src/tally/cli.py")
    scratch.write("src/tally/cli.py", cli.replace("{category:<12}", "{category:<14}"))
    return [*lines, "sed -i 's/category:<12/category:<14/' src/tally/cli.py"]


def _show(scratch: Scratch, line: str, first: int = 0) -> None:
    """Print a command and its output; `first`: only so many lines of it."""
    _command(line)
    out = scratch.run(line).rstrip("\n").split("\n")
    omitted = len(out) - first if first else 0
    for each in out[:first] if omitted > 0 else out:
        wrapped = textwrap.wrap(each, _WIDTH, subsequent_indent=" " * 4)
        output.say("\n".join(wrapped) or "\n")
    if omitted > 0:
        output.say(f"... and {omitted} more lines")
    output.say("\n")


def _command(line: str) -> None:
    output.say(f"{_styled('$', fg='green', bold=True)} {_styled(line, bold=True)}")


def _say(text: str) -> None:
    output.say(f"{_styled(f'# {text}', fg='cyan')}\n\n")


def _styled(text: str, *, fg: str | None = None, bold: bool | None = None) -> str:
    return click.style(text, fg=fg, bold=bold) if output.colourful(sys.stdout) else text
