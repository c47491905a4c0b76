"""`onward scrub`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from onward.cli import options
from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call
from onward.cli.surroundings import Call
from onward.commands import scrub
from onward.commands.result import Result
from onward.errors import UsageError
from onward.storage.project import KINDS


def _kinds(ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`--also phone,card` and `--also phone --also card`."""
    kinds = tuple(word.strip() for value in values for word in value.split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(
                f"--also takes {' and '.join(KINDS)}",
                f"{ctx.command_path} --also {','.join(KINDS)}",
            )
    return kinds


def _offered(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    return [kind for kind in KINDS if kind.startswith(begun)]


@click.command("scrub", cls=Verb)
@click.argument(
    "paths",
    nargs=-1,
    type=click.Path(path_type=Path),
    metavar="[FILE]...",
    shell_complete=options.files,
)
@click.option("--check", is_flag=True, help="Only tell what is there; exit code 1 if anything is.")
@click.option("--secrets-only", is_flag=True, help="Leave e-mail addresses and home folders alone.")
@click.option(
    "--also",
    multiple=True,
    metavar="KIND,...",
    callback=_kinds,
    shell_complete=_offered,
    help="Personal data that goes on request: phone, card.",
)
@options.rules
@as_json
@pass_call
def command(
    call: Call, *, paths: tuple[Path, ...], check: bool, secrets_only: bool, also: tuple[str, ...]
) -> Result | Iterator[scrub.Piece]:
    """Take secrets and personal data out of any text.

    onward scrub < notes.txt > clean.txt

    The clean text goes to stdout, and where something was found to stderr, as LINE:COLUMN: RULE,
    never the value. JSON and JSON Lines stay valid, and no other byte is changed. A line of plain
    text that holds `onward:allow` is left alone, and so is what .onwardignore names.

    In a pre-commit hook: onward scrub --check FILE...
    """
    wish = scrub.Wish(also=also, secrets_only=secrets_only)
    stdin = None if paths else _stdin()
    if check:
        return scrub.check(call.world, paths, stdin, wish)
    return scrub.filtered(call.world, paths, stdin, wish)


def _stdin() -> BinaryIO:
    """The bytes of stdin. Raises UsageError where a user would have to type them."""
    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("there is no text to scrub", "onward scrub < notes.txt > clean.txt")
    return sys.stdin.buffer
