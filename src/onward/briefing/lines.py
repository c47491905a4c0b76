"""What the sections share: the rank at which each kind of line is bought, and items as lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from onward.briefing.budget import Line, Section
from onward.briefing.text import one_line, shorten, tag
from onward.model import Clean, Item, Run

TEXT, WHY = 320, 200
"""Characters of a line and of the reason behind it; the place has the rest."""


class Rank(NamedTuple):
    """Rank of the first line of a kind, and how much later each further one is bought."""

    first: float
    step: float

    def at(self, number: int) -> float:
        """Of the line with this number, counted from 0."""
        return self.first + self.step * number


RANKS = {
    "open task": Rank(0.1, 0.001),
    "done task": Rank(25.0, 1.0),
    "checklist": Rank(0.5, 0.0),
    "unticked": Rank(7.0, 0.0),
    "note": Rank(0.3, 0.6),
    "change": Rank(1.0, 0.3),
    "step": Rank(1.4, 0.1),
    "older step": Rank(5.5, 0.3),
    "message": Rank(5.2, 0.8),
    "failed": Rank(0.9, 0.5),
    "passed": Rank(1.3, 0.15),
    "cut off": Rank(1.45, 0.5),
    "unseen": Rank(3.0, 0.8),
    "background": Rank(1.2, 0.5),
    "failure": Rank(1.5, 0.8),
    "old failure": Rank(2.0, 0.8),
    "blocker": Rank(1.1, 0.5),
    "commit": Rank(2.4, 0.4),
    "command": Rank(1.6, 1.2),
    "dead end": Rank(1.8, 0.8),
    "decision": Rank(2.5, 0.5),
    "approved": Rank(1.35, 0.0),
    "earlier": Rank(1.9, 0.2),
    "earlier reply": Rank(4.5, 1.0),
    "ended": Rank(4.9, 1.0),
    "context": Rank(9.0, 2.0),
    "constraint": Rank(0.9, 0.3),
}


def bullet(item: Item[Clean]) -> str:
    """`- text: reason [claimed t:541]`."""
    why = f" ({shorten(one_line(item.why), WHY)})" if item.why else ""
    doubt = f" (unverified: {shorten(one_line(item.unverified), WHY)})" if item.unverified else ""
    return f"- {shorten(one_line(item.text), TEXT)}{why}{doubt}{tag(item.places, item.evidence)}"


def own(items: Iterable[Item[Clean]]) -> list[Item[Clean]]:
    """The lines of the record, without those of the note."""
    return [item for item in items if not item.author]


def items(heading: str, those: Iterable[Item[Clean]], kind: str, noun: str = "") -> Section:
    """A section of items, each in full as well where there is room."""
    lines = []
    for n, item in enumerate(those):
        rank = RANKS[kind].at(n)
        text = bullet(item)
        whole = f"- {one_line(item.text)}{tag(item.places, item.evidence)}"
        longer = ((rank + 6, whole),) if len(whole) > len(text) else ()
        lines.append(Line(text=text, rank=rank, longer=longer))
    return Section(heading=heading, lines=tuple(lines), noun=noun or kind)


def by(run: Run[Clean]) -> str:
    """Who ran it, where that is not the agent, to stand behind how it ended."""
    return ", pasted by the user" if run.pasted else ""
