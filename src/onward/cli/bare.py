"""`onward` without a verb: what was I in the middle of?"""

from __future__ import annotations

import os
import sys
from itertools import accumulate, chain
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from onward.cli import output
from onward.commands.overview import telling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onward.cli.surroundings import Call
    from onward.commands.overview.telling import Overview
    from onward.model import Clean

_OFTEN = 10  # files read between two words about it


def answer(call: Call, *, everything: bool = False, why: bool = False) -> int:
    """Print what is open; on a terminal ask which one to continue, and print its briefing."""
    found = telling.overview(call.world, _progress, everything=everything)
    width = call.width
    if call.json or width is None or not found.rows:
        return output.emit(telling.plain(found, why=why), as_json=call.json)
    head, entries = telling.drawn(found.rows, width, why=why)
    asking = call.asking and os.environ.get("TERM") != "dumb"
    if asking:  # heading, notes, one line about older ones, the question
        entries = _fitting(entries, get_terminal_size().lines - 3 - len(found.notes))
    output.say("\n".join(map(output.one_line, chain([head], *entries))))
    if left := len(found.rows) - len(entries):
        output.note(f"{left} older not shown here; all of them in lines: onward | less")
    for note in found.notes:
        output.note(note)
    if asking:
        chosen = _pick([row.project for row in found.rows])
        if chosen is not None:
            return _go(call, found, chosen)
    return 0


def _fitting(entries: list[list[Clean]], lines: int) -> list[list[Clean]]:
    """As many as fit on the screen above the question."""
    ends = accumulate(map(len, entries))
    return entries[: max(1, sum(end < lines for end in ends))]


def _go(call: Call, found: Overview, chosen: int) -> int:
    return output.emit(
        telling.going_on(call.world, found.seen[chosen], found.rows[chosen]), as_json=False
    )


def _progress(done: int, of: int) -> None:
    """Tell on a terminal how far a first reading has come."""
    if not sys.stderr.isatty() or (done % _OFTEN and done < of):
        return
    if of < _OFTEN:
        return
    output.progress(f"reading sessions, once: {done} of {of}" if done < of else "")


def _pick(names: Sequence[str]) -> int | None:
    """Ask on the terminal until the answer fits; the index of the chosen name, None for none.

    An empty line, the end of the input and Ctrl-C choose nothing.
    """
    try:
        while typed := _ask(len(names)):
            if (found := choice(typed, names)) is not None:
                return found
            output.note(f"not found: {typed}")
    except KeyboardInterrupt:
        output.note("")
    return None


def choice(typed: str, names: Sequence[str]) -> int | None:
    """The index that is meant by a number from 1, else by the beginning of a name: of the first
    entry whose name begins so. None where nothing fits.
    """
    if typed.isdecimal() and 0 < int(typed) <= len(names):
        return int(typed) - 1
    starts = (n for n, name in enumerate(names) if name.casefold().startswith(typed.casefold()))
    return next(starts, None)


def _ask(count: int) -> str:
    sys.stderr.write(f"Continue which one? 1-{count} or a name; Enter: none > ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        output.note("")
    return line.strip()
