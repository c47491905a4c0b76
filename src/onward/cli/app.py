"""The group of all verbs, which loads one only when it is called."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import click

from onward import __version__
from onward.cli import Call, output, table
from onward.commands.result import Result
from onward.errors import UsageError

_MODULE_OF = {verb: module for (_, module), verbs in table.SECTIONS.items() for verb in verbs}
# `hook` and `slash` are called by what we install, never typed: they are on no help page.
_MODULE_OF |= {"demo": "demo", "hook": "shell", "slash": "shell"}


class Onward(click.Group):
    """All verbs; the module of one is imported when it is asked for, never for the list."""

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002 - as click calls it
        """The page that is printed without click, too."""
        return table.page()

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """The verbs in the order of the help page."""
        return list(table.SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The verb of that name; None where there is none."""
        if cmd_name not in _MODULE_OF:
            return None
        module = import_module(f"onward.cli.verbs.{_MODULE_OF[cmd_name]}")
        # A verb of a verb has a name of its module's own.
        own = (each for name, each in vars(module).items() if name[0] != "_")
        verbs = (each for each in own if isinstance(each, click.Command))
        return next(each for each in verbs if each.name == cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the words begin with; a near miss is told with the whole command."""
        if args[0] not in _MODULE_OF:
            from difflib import get_close_matches  # noqa: PLC0415 - only a slip pays for it

            near = get_close_matches(args[0], table.SUMMARIES, n=1, cutoff=0.6)
            words = [near[0], *args[1:]] if near else ["--help"]
            raise UsageError(f"there is no verb {args[0]!r}", " ".join(["onward", *words]))
        return super().resolve_command(ctx, args)


@click.group(
    cls=Onward,
    help=table.ABOUT,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.option("--all", "everything", is_flag=True, help="Without a verb: finished work too.")
@click.option("--why", is_flag=True, help="Without a verb: why each counts as open.")
@click.option("--json", "as_json", is_flag=True, help="Without a verb: print JSON.")
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def onward(ctx: click.Context, *, everything: bool, why: bool, as_json: bool) -> int:
    """Tell what is open where no verb is given; see `table.ABOUT` for what the page says."""
    if ctx.invoked_subcommand is None:
        from onward.cli import bare  # noqa: PLC0415 - the verbs do without

        call = ctx.ensure_object(Call)
        call.json = as_json
        return bare.answer(call, everything=everything, why=why)
    if everything or why or as_json:
        raise UsageError(
            "--all, --why and --json before a verb say nothing: they are for onward without one",
            f"onward {ctx.invoked_subcommand} --help",
        )
    return 0


def call(args: list[str], shared: Call) -> int:
    """Run the verb that `args` name, print its answer, return the exit code."""
    try:
        outcome = onward.main(args, prog_name="onward", standalone_mode=False, obj=shared)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        usage = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
        text = " ".join(error.format_message().split()).rstrip(".")
        message = text[:1].lower() + text[1:]
        raise UsageError(message, f"{usage or 'onward'} --help") from None
    if isinstance(outcome, Result):
        return output.emit(outcome, as_json=shared.json)
    if isinstance(outcome, Iterator):
        return output.stream(outcome, as_json=shared.json)
    return outcome if isinstance(outcome, int) else 0
