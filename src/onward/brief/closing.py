"""The agent's last words in a briefing: line by line, as many of them as there is room for."""

from __future__ import annotations

import re
from itertools import pairwise

from onward.brief.select import Line
from onward.brief.text import fitted, one_line, tag, unmarked
from onward.brief.weights import Weights
from onward.model import Clean, Item

SHORTEST = (300, 900)
"""Characters where the budget is 1,000 tokens or less, and from 1,500: never told in fewer."""
_LONGER = (900, 1400, 2400)
"""Characters where there is room left."""
_SHORT = 20
"""Characters below which a line says nothing by itself."""
_INLINE = 240
"""Characters of an answer in prose that stands in one line with its lead."""
_LISTED = re.compile(r"[-*•]\s|\(?\d{1,3}[.)]\s|\*\*")


def closing(item: Item[Clean], lead: str, budget: int, told: str, w: Weights) -> Line:
    """The words after their lead, with longer forms for when there is room; without the lines that
    `told` says elsewhere, as long as others are left.
    """
    shortest = max(SHORTEST[0], min(SHORTEST[1], SHORTEST[0] + (budget - 1000) * 6 // 5))
    sizes = ((w.closing, shortest), *zip(w.closing_longer, _LONGER, strict=True))
    said = _said(item, told)
    forms = [(rank, _told(said, item, lead, size)) for rank, size in sizes]
    longer = [each for before, each in pairwise(forms) if each[1] != before[1]]
    return Line(text=forms[0][1], rank=w.closing, longer=tuple(longer))


def _said(item: Item[Clean], told: str) -> list[str]:
    said = [one_line(line) for line in item.text.split("\n") if line.strip()]
    left = [line for line in said if _stays(line) or unmarked(line) not in told]
    return left if any(len(line) >= _SHORT for line in left) else said


def _stays(line: str) -> bool:
    """Whether a line is told though it stands above: one that leads to the next, or a slight one."""
    return len(line) < _SHORT or line.endswith((":", "\uff1a"))


def _told(said: list[str], item: Item[Clean], lead: str, limit: int) -> str:
    kept = [unmarked(line) for line in fitted(said, limit)]
    place = tag(item.places, "claimed")
    whole = " ".join(kept)
    if len(kept) == 1 or (len(whole) <= _INLINE and not any(map(_LISTED.match, said))):
        return f"- {lead}: {whole}{place}"
    return "\n".join([f"- {lead}{place}:", *(f"  > {line}" for line in kept)])
