"""Which lines of a briefing fit its budget: one ranking, one purse."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from onward.brief.tokens import estimate


class Line(Struct, frozen=True, kw_only=True):
    """A line (or a quoted block) of a section. The lowest `rank` is bought first.

    `count` is how many findings it tells, for the note on what was left out. `longer` is the same
    told at more length, with the rank of each: the longest that there is room for takes its place.
    """

    text: str
    rank: float
    count: int = 1
    longer: tuple[tuple[float, str], ...] = ()


class Part(Struct, frozen=True, kw_only=True):
    """A section: its heading, its lines in the order they are read, what to call the rest.

    `noun`, in the singular, names the lines that do not fit: `12 files`. With `always` the first line of
    the lowest rank stays whatever the budget.
    """

    heading: str
    lines: tuple[Line, ...]
    noun: str = "line"
    always: bool = False


class _Offer(NamedTuple):
    """A text that may be bought: a line, or the same line told at more length."""

    rank: float
    part: int
    line: int
    text: str
    longer: bool


def choose(parts: list[Part], tokens: int, characters: int) -> list[dict[int, str]]:
    """Of each part the lines that are bought, by their numbers, in reading order."""
    taken: list[dict[int, str]] = [{} for _ in parts]
    purse, room = float(tokens), characters
    offers = sorted(_offers(parts), key=lambda offer: offer.rank)
    bound = {offer.part: offer for offer in reversed(offers) if parts[offer.part].always}
    for offer in [*bound.values(), *offers]:
        have = taken[offer.part].get(offer.line)
        if offer.longer != (have is not None):
            continue
        cost, size = _price(parts[offer.part], offer.text, first=not taken[offer.part])
        if have is not None:
            less, shorter = _price(parts[offer.part], have, first=False)
            cost, size = cost - less, size - shorter
        if offer is bound.get(offer.part) or (cost <= purse and size <= room):
            taken[offer.part][offer.line] = offer.text
            purse, room = purse - cost, room - size
    return [dict(sorted(chosen.items())) for chosen in taken]


def _offers(parts: list[Part]) -> Iterator[_Offer]:
    for p, part in enumerate(parts):
        for n, line in enumerate(part.lines):
            yield _Offer(line.rank, p, n, line.text, longer=False)
            yield from (_Offer(rank, p, n, text, longer=True) for rank, text in line.longer)


def _price(part: Part, line: str, *, first: bool) -> tuple[float, int]:
    """Tokens and characters of a line; the first of a section pays for its heading too."""
    text = f"{part.heading}\n\n{line}\n" if first else f"{line}\n"
    return estimate(text), len(text)
