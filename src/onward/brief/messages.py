"""The agent's messages in a briefing: line by line, as many of them as there is room for."""

from __future__ import annotations

import re
from itertools import pairwise

from onward.brief.select import Line
from onward.brief.text import fitted, one_line, tag, unmarked
from onward.brief.weights import Weights
from onward.model import Clean, Item

_LAST = (300, 900, 1400, 2400)
"""Characters of the last message: those that are told before most else, and what there is room for."""
_EARLIER = (400, 1000)
"""Characters of an earlier one, beyond the line that stands for it."""
_SHORT = 20
"""Characters below which a line says nothing by itself."""
_INLINE = 240
"""Characters of an answer in prose that stands in one line with its lead."""
_GAP = " […]"
"""How a line ends after which others were left out."""
_LISTED = re.compile(r"[-*•]\s|\(?\d{1,3}[.)]\s|\*\*")


def closing(item: Item[Clean], lead: str, told: str, w: Weights) -> Line:
    """The last message after its lead, with longer forms for when there is room; without the lines
    that `told` says elsewhere, as long as others are left.
    """
    said = _said(item.text, told)
    sizes = zip(w.closing, _LAST, strict=True)
    forms = [(rank, _told(said, item, lead, size)) for rank, size in sizes]
    longer = [each for before, each in pairwise(forms) if each[1] != before[1]]
    (rank, text), *_ = forms
    return Line(text=text, rank=rank, longer=tuple(longer))


def at_length(
    item: Item[Clean], lead: str, number: int, told: str, w: Weights
) -> tuple[tuple[float, str], ...]:
    """An earlier message by the lines in its `why`, the `number` of it counted from the newest: each
    form with its rank; none where a line says it all.
    """
    if not item.why:
        return ()
    said = _said(item.why, told)
    if sum(map(len, said)) <= len(item.text):
        return ()
    first, *rest = dict.fromkeys(_told(said, item, lead, size) for size in _EARLIER)
    rank = w.message.at(number)
    return ((rank, first), *((rank + w.whole, form) for form in rest))


def _said(text: str, told: str) -> list[str]:
    said = [one_line(line) for line in text.split("\n") if line.strip()]
    left = [line for line in said if _stays(line) or _bare(line) not in told]
    return left if any(len(line) >= _SHORT for line in left) else said


def _bare(line: str) -> str:
    return unmarked(line.removesuffix(_GAP))


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
