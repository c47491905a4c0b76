"""Options and arguments that several verbs share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

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
    """A name or a file. A path that `--json` printed, with `~` for the home folder, opens the file
    in each verb: a program that hands it on has no shell to expand it.
    """
    is_path = value.startswith(("~/", "~\\"))
    return os.path.expanduser(value) if is_path else value  # noqa: PTH111 - "" stays ""


def _set_json(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    call = ctx.find_object(Call)
    if call is not None:
        call.json = value


def checkpoint_names(
    _: click.Context, __: click.Parameter, incomplete: str, *, others: bool = False
) -> list[CompletionItem]:
    """The names of checkpoints that begin so; with `others` those of other machines too."""
    from onward.commands.listing import rows  # noqa: PLC0415 - as above

    call = Call()
    found = rows(call.cwd, lambda: call.world, call.data if others else "")
    return [CompletionItem(row.name) for row in found if row.name.startswith(incomplete)]


all_names = partial(checkpoint_names, others=True)


def names_and_files(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names of checkpoints and ids of sessions that begin so; files where none does."""
    names = all_names(ctx, parameter, incomplete)
    return names or sessions_and_files(ctx, parameter, incomplete)


def sessions_and_files(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The ids of sessions that begin so, by the names of files alone; files where none does."""
    found = set[str]()
    if re.match("[0-9a-f]|ses_", incomplete):
        from onward.transcripts import registry  # noqa: PLC0415 - as above

        world = Call().world
        for path in registry.transcripts(world.home, world.env):
            ids = (_ID.search(part) for part in (path.name.partition(".")[0], path.parent.name))
            found |= {each[0] for each in ids if each and each[0].startswith(incomplete)}
    return [CompletionItem(each) for each in sorted(found)] or files(ctx, parameter, incomplete)


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Whatever files the shell finds itself."""
    return [CompletionItem(incomplete, type="file")]


def deleted_names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names that `restore` can bring back, the one that was deleted last first."""
    from onward.commands.save import deleted_names as deleted  # noqa: PLC0415 - as above

    return [CompletionItem(name) for name in deleted(Call().world) if name.startswith(incomplete)]


def _set_rules(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    call = ctx.find_object(Call)
    if call is None or path is None or ctx.resilient_parsing:
        return
    from onward.storage import project  # noqa: PLC0415 - few calls name rules

    found = project.rules(path)
    for each in found.notes:
        output.note(each)
    call.rules = found.rules


optional = partial(click.argument, required=False, default="", callback=told)
needed = partial(click.argument, callback=told)
"""An argument that may be left out, and one that may not; neither may be given empty."""
of_session = partial(
    click.option,
    "--session",
    default="",
    callback=named,
    metavar="ID|FILE",
    shell_complete=sessions_and_files,
)
session = of_session(help="Another session than the newest.")
words = click.option(
    "--from",
    "words",
    type=click.Path(path_type=Path),
    metavar="DRAFT.json",
    help="What the agent adds in its own words; removed after the save.",
)
rules = click.option(
    "--rules",
    type=click.Path(path_type=Path),
    metavar="FILE",
    expose_value=False,
    callback=_set_rules,
    help="Redact by the rules of this gitleaks.toml too.",
)
patience = click.option(
    "--timeout",
    type=click.IntRange(min=1),
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="How long one call of git may take.",
)
as_json = click.option(
    "--json", is_flag=True, expose_value=False, callback=_set_json, help="Print JSON."
)
pass_call = click.make_pass_decorator(Call)


def verb(
    name: str, *, of: click.Group | None = None
) -> Callable[[Callable[..., object]], click.Command]:
    """Makes a verb, of a group with `of`, of a function that takes the call first."""

    def made(function: Callable[..., object]) -> click.Command:
        command = as_json(click.command(name)(pass_call(function)))
        if of:
            of.add_command(command)
        return command

    return made
