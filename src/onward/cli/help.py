"""Help pages: plain text everywhere, coloured on a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from onward.cli.output import colourful

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class _Formatter(click.HelpFormatter):
    """The layout of click, with colour for headings and for the words to type."""

    def write_heading(self, heading: str) -> None:
        """The heading of click, in bold."""
        self.write(f"{'':>{self.current_indent}}{_heading(f'{heading}:')}\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """The table of click, its first column coloured."""
        super().write_dl([(_command(first), text) for first, text in rows], col_max, col_spacing)


class _Context(click.Context):
    """Whether colour is wanted is decided in one place, for the page and for click's `echo`."""

    def make_formatter(self) -> click.HelpFormatter:
        """The formatter for this stream."""
        if colourful(sys.stdout):
            self.color = True
            return _Formatter(width=self.terminal_width, max_width=self.max_content_width)
        return super().make_formatter()


class Verb(click.Command):
    """One verb."""

    context_class = _Context


class VerbGroup(click.Group):
    """A verb with verbs of its own. `front` writes a page that needs no imports."""

    context_class = _Context
    command_class = Verb
    front: Callable[..., str] | None = None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a verb, the page itself is the answer: as an error it would be one line."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """The page, coloured where colour is wanted."""
        if self.front is None:
            return super().get_help(ctx)
        ctx.color = colourful(sys.stdout)
        return self.front(_heading, _command) if ctx.color else self.front()


def _heading(text: str) -> str:
    return click.style(text, bold=True)


def _command(text: str) -> str:
    return click.style(text, fg="cyan")
