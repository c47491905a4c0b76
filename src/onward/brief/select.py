"""Which lines of a briefing fit its budget: one ranking, one purse."""

from __future__ import annotations

from msgspec import Struct

from onward.brief.tokens import estimate


class Line(Struct, frozen=True, kw_only=True):
    """A line (or a quoted block) of a section. The lowest `rank` is bought first.

    `count` is how many findings it tells, for the note on what was left out.
    """

    text: str
    rank: float
    count: int = 1


class Part(Struct, frozen=True, kw_only=True):
    """A section: its heading, its lines in the order they are read, what to call the rest.

    `noun`, in the singular, names the lines that do not fit: `+12 files`. With `always` the first line of
    the lowest rank stays whatever the budget.
    """

    heading: str
    lines: tuple[Line, ...]
    noun: str = "line"
    always: bool = False


OMISSION = 9  # tokens of a line such as "- +12 files"


def choose(parts: list[Part], tokens: int, characters: int) -> list[list[int]]:
    """Of each part the numbers of the lines that are bought, in reading order."""
    taken: list[set[int]] = [set() for _ in parts]
    purse, room = float(tokens), characters
    offers = sorted(
        ((line.rank, p, n) for p, part in enumerate(parts) for n, line in enumerate(part.lines)),
        key=lambda offer: offer[0],
    )
    bound = {p: n for _, p, n in reversed(offers) if parts[p].always}
    for p, n in bound.items():
        cost, size = _price(parts[p], parts[p].lines[n], first=True)
        taken[p].add(n)
        purse, room = purse - cost, room - size
    for _, p, n in offers:
        if n in taken[p]:
            continue
        cost, size = _price(parts[p], parts[p].lines[n], first=not taken[p])
        if cost <= purse and size <= room:
            taken[p].add(n)
            purse, room = purse - cost, room - size
    return [sorted(chosen) for chosen in taken]


def _price(part: Part, line: Line, *, first: bool) -> tuple[float, int]:
    """Tokens and characters of a line; the first of a section pays for its heading too."""
    text = f"{part.heading}\n\n{line.text}\n" if first else f"{line.text}\n"
    tail = OMISSION if first and len(part.lines) > 1 else 0
    return estimate(text) + tail, len(text) + (24 if tail else 0)
