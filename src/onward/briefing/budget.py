"""Share a budget among the lines of sections: what matters most is bought first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from onward.briefing.tokens import estimate


class Line(Struct, frozen=True, kw_only=True):
    """A line (or a block) of a section. The lowest `rank` is bought first.

    `count` is how many findings it holds, for the note on what was omitted. `longer` holds the same
    at more length with the rank of each; one that is bought takes the place of the shorter.
    """

    text: str
    rank: float
    count: int = 1
    longer: tuple[tuple[float, str], ...] = ()
    facts: frozenset[str] = frozenset()


class Section(Struct, frozen=True, kw_only=True):
    """A heading with its lines in reading order; `noun`, in the singular, names what is omitted."""

    heading: str
    others: str = ""
    """The heading where some of its lines are told by another section."""
    lines: tuple[Line, ...]
    noun: str = ""


class _Offer(NamedTuple):
    rank: float
    section: int
    line: int
    text: str
    longer: bool


def choose(sections: Sequence[Section], tokens: float, characters: float) -> list[dict[int, str]]:
    """Of each section the lines that fit, by their numbers, in reading order; "" for one whose
    facts another line tells.
    """
    taken: list[dict[int, str]] = [{} for _ in sections]
    told: set[str] = set()
    for offer in sorted(_offers(sections), key=lambda offer: offer.rank):
        facts = sections[offer.section].lines[offer.line].facts
        if facts and facts <= told:
            taken[offer.section].setdefault(offer.line, "")
            continue
        have = taken[offer.section].get(offer.line)
        if offer.longer != (have is not None):
            continue
        section = sections[offer.section]
        heading = "" if any(taken[offer.section].values()) else section.others or section.heading
        cost, size = _price(offer.text, heading)
        if have is not None:
            less, shorter = _price(have)
            cost, size = cost - less, size - shorter
        if cost <= tokens and size <= characters:
            taken[offer.section][offer.line] = offer.text
            told |= facts
            tokens, characters = tokens - cost, characters - size
    return [dict(sorted(chosen.items())) for chosen in taken]


def _offers(sections: Sequence[Section]) -> Iterator[_Offer]:
    for s, section in enumerate(sections):
        for n, line in enumerate(section.lines):
            yield _Offer(line.rank, s, n, line.text, longer=False)
            yield from (_Offer(rank, s, n, text, longer=True) for rank, text in line.longer)


def _price(text: str, heading: str = "") -> tuple[int, int]:
    """Tokens and characters; the first line of a section pays for its heading too."""
    whole = f"{heading}\n\n{text}\n" if heading else f"{text}\n"
    return estimate(whole), len(whole)


def layout(sections: Sequence[Section], chosen: Sequence[dict[int, str]]) -> list[str]:
    """The sections that have a line, as Markdown."""
    return [
        _section(
            section.others if section.others and "" in taken.values() else section.heading, shown
        )
        for section, taken in zip(sections, chosen, strict=True)
        if (shown := [text for text in taken.values() if text])
    ]


def _section(heading: str, shown: list[str]) -> str:
    body = [heading, ""] if heading else []
    for n, line in enumerate(shown):
        if n and not (line.startswith("- ") and shown[n - 1].startswith("- ")):
            body.append("")
        body.append(line)
    return "\n".join(body)


def omitted(sections: Sequence[Section], chosen: Sequence[dict[int, str]]) -> dict[str, int]:
    """How many findings of each kind did not fit, by noun."""
    left: dict[str, int] = {}
    for section, taken in zip(sections, chosen, strict=True):
        missing = sum(line.count for n, line in enumerate(section.lines) if n not in taken)
        if missing and section.noun:
            left[section.noun] = left.get(section.noun, 0) + missing
    return left
