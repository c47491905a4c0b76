"""`onward search`."""

from __future__ import annotations

import sys
from typing import Any

import click

from onward.cli import output
from onward.cli.options import files, named, rules, verb
from onward.cli.surroundings import Call
from onward.commands import search, search_files, search_page
from onward.commands.result import Result, compose
from onward.errors import NotFoundError

_STYLES = {
    "hit": "1;31",
    "head": "1",
    "dim": "2",
    "user": "32",
    "agent": "36",
    "result": "33",
}
_MOST = 20
_LONG = 1_000_000_000  # bytes; less is looked through before anybody wonders


@verb("search")
@click.argument("words", nargs=-1)
@click.option("--word", is_flag=True, help="Only whole words: `race`, and not `trace`.")
@click.option("--project", default="", metavar="NAME|DIR", help="Only of this project; . is here.")
@click.option(
    "--agent",
    default="",
    metavar="NAME",
    shell_complete=lambda _, __, begun: [each.NAME for each in search_files.named(begun)],
    help="Only of this client's sessions.",
)
@click.option("--since", default="", metavar="TIME", help="2026-03-01, yesterday, 3d, 12h ...")
@click.option("--until", default="", metavar="TIME", help="The same; a day counts whole.")
@click.option(
    "--file", default="", metavar="PATH", shell_complete=files, help="Only what touches this file."
)
@click.option(
    "--session",
    default="",
    callback=named,
    metavar="ID|NAME",
    help="Only this session, with the text.",
)
@click.option("--by", type=click.Choice(["user", "agent", "result"]), help="Only what these said.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show so many, the best; without it at most 20, in 1,500 tokens.",
)
@click.option("--all", "whole", is_flag=True, help="Show all of them.")
@rules
def command(
    call: Call,
    /,
    *,
    words: tuple[str, ...],
    limit: int | None,
    whole: bool,
    agent: str,
    **given: Any,
) -> Result:
    """Find what was said in any session, of any project.

    onward search jwt gateway

    onward search "git push" --by user --since 2w

    onward search --file src/auth.py

    onward search "connection refused" --session build-login-page

    onward search --by user --session build-login-page

    All words must stand in one record; what stands in quotes, as it was typed. Capital letters
    count where you type any. Where no record holds all of them, you are told how many hold each
    word, in any form, and the nearest are shown with the numbers of the words that they lack.

    With --session, each hit tells the command or the file that it belongs to, a call how it ended,
    and the best three are printed with the text around the words. Without words, it tells all,
    from the first on.

    Looks through both agents' transcripts, the checkpoints and session documents of their
    projects, and the raw backups. Each hit tells who said it, when, and what to type to see all
    of it. The best come first: whole words before parts of words, the user before the
    agent before a result, new before old. Exit code 3 where nothing was found.
    """
    world = call.world
    wish = search_files.wish(world, words, **given)
    most = None if whole else limit or _MOST
    with output.percent("searching", least=_LONG) as tell:
        found = search.search(world, wish, agent=agent, limit=most, progress=tell)
    if not whole and limit is None:
        found = search_page.fitted(world, wish.query, found, as_json=call.json)
    code = 0 if found.rows else NotFoundError.exit_code
    notes = tuple(search_page.notes(wish.query, found))
    data = search_page.data(wish.query, found) if call.json else None
    width = call.width
    if width is None or call.json:
        text = compose() if call.json else search_page.lines(world, wish.query, found)
        return Result(text=text, data=data, exit_code=code, notes=notes)
    is_coloured = output.colourful(sys.stdout)

    def paint(style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if text and is_coloured else text

    # Clean before it was coloured; what cleans an answer would take the colours out.
    output.say(search_page.page(world, wish.query, found, width, paint))
    return Result(text=compose(), exit_code=code, notes=notes)
