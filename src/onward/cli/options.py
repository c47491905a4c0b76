"""Options and arguments that several verbs share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from onward import commands
from onward.cli import Call, output
from onward.errors import UsageError

_ID = re.compile(r"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_\w+)$")
"""A session's id at the end of a file's or a folder's name."""


class VerbGroup(click.Group):
    """A verb with verbs of its own. Without one, its page is the answer."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print the page where there are no words."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)


def told(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """As `named`; a value that was given and is empty is a slip, as of an unset variable."""
    given = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    if given and not value.strip():
        name = (parameter.metavar or parameter.name or "").strip("[]").upper()
        raise UsageError(f"an empty {name} was given", f"{ctx.command_path} --help")
    return named(ctx, parameter, value)


def named(_: click.Context, __: click.Parameter, value: str) -> str:
    """A name or a file, `~` for the home folder as `--json` prints it: no shell expanded that."""
    is_path = value.startswith(("~/", "~\\"))
    return os.path.expanduser(value) if is_path else value  # noqa: PTH111 - "" stays ""


def _set_json(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.ensure_object(Call).json = value


def completed(
    names: Callable[[str], Iterable[str]], *, or_files: bool = False
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Completes a word by those of these names that begin so, else by whatever files there are."""

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        found = [CompletionItem(name) for name in names(begun) if name.startswith(begun)]
        return found or [CompletionItem(begun, type="file")] * or_files

    return complete


def _checkpoints(*, others: bool) -> list[str]:
    """The names of checkpoints; with `others` those of other machines too."""
    call = Call()
    data = call.data if others else ""
    return [row.name for row in commands.listing.rows(call.cwd, lambda: call.world, data)[0]]


def _sessions(begun: str) -> list[str]:
    """The ids of sessions that begin so, by the names of files alone."""
    found = set[str]()
    if re.match("[0-9a-f]|ses_", begun):
        from onward.transcripts import registry  # noqa: PLC0415 - few complete an id

        world = Call().world
        for path in registry.transcripts(world.home, world.env):
            ids = (_ID.search(part) for part in (path.name.partition(".")[0], path.parent.name))
            found |= {each[0] for each in ids if each and each[0].startswith(begun)}
    return sorted(found)


def _named(begun: str) -> list[str]:
    names = [name for name in _checkpoints(others=True) if name.startswith(begun)]
    return names or _sessions(begun)


checkpoint_names = completed(lambda _: _checkpoints(others=False))
all_names = completed(lambda _: _checkpoints(others=True))
names_and_files = completed(_named, or_files=True)
sessions_and_files = completed(_sessions, or_files=True)
deleted_names = completed(lambda _: commands.save.deleted_names(Call().world))
files = completed(lambda _: (), or_files=True)


def _set_rules(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    if path is None or ctx.resilient_parsing:
        return
    from onward.storage import project  # noqa: PLC0415 - few calls name rules

    found = project.rules(path)
    for each in found.notes:
        output.note(each)
    ctx.ensure_object(Call).rules = found.rules


optional = partial(click.argument, required=False, default="", callback=told)
needed = partial(click.argument, callback=told)  # may not be left out; neither may be given empty
text = partial(click.option, default="")
path = partial(click.option, type=click.Path(path_type=Path))
number = partial(click.option, type=click.IntRange(min=1))
of_session = partial(
    text, "--session", callback=named, metavar="ID|FILE", shell_complete=sessions_and_files
)
session = of_session(help="Another session than the newest.")
_words_help = "What the agent adds in its own words; removed after the save."
words = path("--from", "words", metavar="DRAFT.json", help=_words_help)
_rules_help = "Redact by the rules of this gitleaks.toml too."
rules = path("--rules", metavar="FILE", expose_value=False, callback=_set_rules, help=_rules_help)
_limit_help = "How long one call of git may take."
patience = number("--timeout", default=120, show_default=True, metavar="SECONDS", help=_limit_help)
as_json = click.option(
    "--json", is_flag=True, expose_value=False, callback=_set_json, help="Print JSON."
)
Function = Callable[..., object]
pass_call = click.make_pass_decorator(Call)


def verb(name: str, *, of: click.Group | None = None) -> Callable[[Function], click.Command]:
    """Makes a verb, of a group with `of`, of a function that takes the call first."""

    def made(function: Function) -> click.Command:
        command = as_json(click.command(name)(pass_call(function)))
        if of:
            of.add_command(command)
        return command

    return made
