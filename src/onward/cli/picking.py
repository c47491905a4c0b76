"""The question below the overview: which entry to continue, by its number or by a name."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from onward.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence


def pick(names: Sequence[str]) -> int | None:
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
