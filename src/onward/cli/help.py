"""Help pages: plain text everywhere, drawn by rich on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from onward.cli import table
from onward.cli.output import colourful

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Verb(click.Command):
    """One verb."""

    def get_help(self, ctx: click.Context) -> str:
        """The page, drawn where colour is wanted."""
        if not colourful(sys.stdout):
            return super().get_help(ctx)
        import rich_click  # noqa: PLC0415 - dear, and for terminals only

        twin = rich_click.RichCommand(name=self.name, params=self.params, help=self.help)
        return _drawn(twin, ctx)


class VerbGroup(click.Group):
    """A verb with verbs of its own. `sections` names them without importing them, `front` is
    a plain page that was written by hand.
    """

    command_class = Verb
    sections: Mapping[str, Mapping[str, str]] = {}
    front: Callable[[], str] | None = None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a verb, the page itself is the answer: as an error it would be one line."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """The page, drawn where colour is wanted."""
        if not colourful(sys.stdout):
            return self.front() if self.front else super().get_help(ctx)
        import rich_click  # noqa: PLC0415 - as above

        sections = self.sections or {"Verbs": {n: self._about(n) for n in self.commands}}
        texts = {verb: text for verbs in sections.values() for verb, text in verbs.items()}
        stubs: dict[str, Any] = {
            n: rich_click.RichCommand(name=n, short_help=t) for n, t in texts.items()
        }
        panels: list[Any] = [
            rich_click.RichCommandPanel(h, commands=list(v)) for h, v in sections.items()
        ]
        twin = rich_click.RichGroup(
            name=self.name,
            commands=stubs,
            params=self.params,
            help=self.help,
            panels=panels,
            options_metavar="" if self.front else self.options_metavar,
            subcommand_metavar="VERB [OPTIONS] [ARGS]" if self.front else self.subcommand_metavar,
            epilog=table.MORE if self.front else None,
        )
        return _drawn(twin, ctx)

    def _about(self, name: str) -> str:
        return self.commands[name].get_short_help_str(80)


def _drawn(twin: Any, ctx: click.Context) -> str:
    """The page of a command's twin, which knows how to draw itself."""
    import rich_click  # noqa: PLC0415 - as above

    context = rich_click.RichContext(
        twin,
        info_name=ctx.info_name,
        parent=ctx.parent,
        help_option_names=ctx.help_option_names,
    )
    page = twin.get_help(context)
    assert isinstance(page, str)  # noqa: S101 - click's own promise
    return page
