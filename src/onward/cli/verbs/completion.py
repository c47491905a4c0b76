"""`onward completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from onward.cli.help import Verb
from onward.commands.result import Result
from onward.errors import UsageError
from onward.model import Clean


@click.command("completion", cls=Verb)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, *, shell: str) -> Result:
    """Print the completion script for a shell.

    bash: add `eval "$(onward completion bash)"` to ~/.bashrc; zsh likewise;
    fish: `onward completion fish > ~/.config/fish/completions/onward.fish`
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"no completion for {shell}", "onward completion bash")
    script = kind(ctx.find_root().command, {}, "onward", "_ONWARD_COMPLETE").source()
    return Result(text=Clean(script))
