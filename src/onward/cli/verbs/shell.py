"""Verbs for scripts: scrub, completion, and the hidden ones that installed files call, hook and slash."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from onward import commands
from onward.cli import Call, options, serve_hook
from onward.cli.options import verb
from onward.commands.result import Result
from onward.errors import UsageError
from onward.model import Clean
from onward.storage.project import KINDS


def _kinds(ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`--also phone,card` and `--also phone --also card`."""
    kinds = tuple(word.strip() for value in values for word in value.split(","))
    for kind in kinds:
        if kind not in KINDS:
            hint = f"{ctx.command_path} --also {','.join(KINDS)}"
            raise UsageError(f"--also takes {' and '.join(KINDS)}", hint)
    return kinds


_PATH = click.Path(path_type=Path)
_also = options.completed(lambda _: KINDS)
_ALSO = "Personal data that goes on request: phone, card."
_LONGEST = 100_000  # characters; nobody types as many
_WAIT = 2.0  # seconds; the words are there before we are


@verb("scrub")
@click.argument("paths", nargs=-1, type=_PATH, metavar="[FILE]...", shell_complete=options.files)
@click.option("--check", is_flag=True, help="Only tell what is there; exit code 1 if anything is.")
@click.option("--secrets-only", is_flag=True, help="Leave e-mail addresses and home folders alone.")
@click.option(
    "--also", multiple=True, metavar="KIND,...", callback=_kinds, shell_complete=_also, help=_ALSO
)
@options.rules
def scrub(
    call: Call, *, paths: tuple[Path, ...], check: bool, secrets_only: bool, also: tuple[str, ...]
) -> Result | Iterator[commands.scrub.Piece]:
    """Take secrets and personal data out of any text.

    onward scrub < notes.txt > clean.txt

    The clean text goes to stdout, and where something was found to stderr, as LINE:COLUMN: RULE,
    never the value. JSON and JSON Lines stay valid, and no other byte is changed. A line of plain
    text that holds `onward:allow` is left alone, and so is what .onwardignore names.

    In a pre-commit hook: onward scrub --check FILE...
    """
    if not paths and (sys.stdin is None or sys.stdin.isatty()):  # somebody would have to type it
        raise UsageError("there is no text to scrub", "onward scrub < notes.txt > clean.txt")
    stdin = None if paths else sys.stdin.buffer
    done = commands.scrub.check if check else commands.scrub.filtered
    return done(call.world, paths, stdin, also=also, personal=not secrets_only)


def _verbs(ctx: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The verbs that begin so, below those that were typed already."""
    command, context = ctx.find_root().command, ctx.find_root()
    for word in ctx.params.get("words") or ():
        found = command.get_command(context, word) if isinstance(command, click.Group) else None
        if found is None:
            return []
        command = found
    known = command.list_commands(context) if isinstance(command, click.Group) else []
    return [name for name in known if name.startswith(begun)]


@click.command("help")
@click.argument("words", nargs=-1, metavar="[VERB]...", shell_complete=_verbs)
@click.pass_context
def help_page(ctx: click.Context, *, words: tuple[str, ...]) -> int:
    """Print the page of a verb, as --help behind it does; without one, that of onward.

    onward help protocol save
    """
    root, told = ctx.find_root().command, [*words, "--help"]
    return int(root.main(told, prog_name="onward", standalone_mode=False, obj=ctx.obj))


_COMPDEF = "    compdef "
_STARTED = "    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, *, shell: str) -> Result:
    """Print the completion script for a shell.

    bash: add `eval "$(onward completion bash)"` to ~/.bashrc; zsh: likewise to ~/.zshrc, behind
    compinit if you call it; without it, the script does;
    fish: `onward completion fish > ~/.config/fish/completions/onward.fish`
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise UsageError(f"no completion for {shell}", "onward completion bash")
    script = kind(ctx.find_root().command, {}, "onward", "_ONWARD_COMPLETE").source()
    return Result(text=Clean(script.replace(_COMPDEF, _STARTED + _COMPDEF)))


@click.command("hook", hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def hook(words: tuple[str, ...]) -> None:
    """Serve one call of a hook: AGENT EVENT [PID], the payload on stdin."""
    serve_hook(words)


@click.command("slash", hidden=True)
@click.argument("name")
@click.argument("step", required=False, default="")
@options.pass_call
def slash(call: Call, *, name: str, step: str) -> Result:
    """Do what a slash command does before the agent reads it; its words come on stdin."""
    takes = name.rpartition(":")[2] in commands.slash.WITH_WORDS and not step
    return Result(
        text=commands.slash.run(call.world, name, step, _words() if takes else "", _shell())
    )


def _shell() -> str:
    """The shell that the client runs a command's lines in: it leads a process session of its own,
    also where `timeout` stands between (measured with both clients).
    """
    return str(os.getsid(0) if hasattr(os, "getsid") else os.getppid())


def _words() -> str:
    """What is on stdin. Without a here-document it is a pipe that nobody writes to and nobody
    closes (measured), and must not be waited for.
    """
    if sys.stdin.isatty():
        return ""
    if os.name != "nt":  # where only sockets can be asked
        try:
            ready, _, _ = select.select([sys.stdin], [], [], _WAIT)
        except (OSError, ValueError):  # no descriptor, as in a test
            ready = [sys.stdin]
        if not ready:
            return ""
    data = getattr(sys.stdin, "buffer", None)
    raw = data.read(_LONGEST).decode("utf-8", "replace") if data else sys.stdin.read(_LONGEST)
    return str(raw)
