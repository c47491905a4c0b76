"""What comes first: whole words over parts of words, the user over the agent over a result, new
over old, and one session no more than it must.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log2
from typing import Final, Protocol, TypeVar

from onward.search.record import By

_WEIGHT: Final[Mapping[By, float]] = {"user": 3.0, "agent": 2.0, "result": 1.0}
_SAVED: Final = 1.0
"""For what a checkpoint or a document kept of all that was said."""
_WHOLE: Final = 10.0
"""For terms that stand there as words: more than all else together, so that `race` finds every
"race" before the first "trace".
"""
_MISSING: Final = 50.0
"""Lost for each word that it lacks: more than all else together."""
_FADE: Final = 0.5
"""Lost each time the age doubles: after a day .5, after a month 2.5, after a year 4.3."""
_AGAIN: Final = 0.3
"""Lost for each better hit of the same session."""


class Scored(Protocol):
    """A hit as far as its order goes."""

    @property
    def score(self) -> float:
        """As `score` has it."""

    @property
    def group(self) -> str:
        """The session or the file that it is of."""


H = TypeVar("H", bound=Scored)


def score(by: By, days: float, *, saved: bool, whole: bool, missing: int = 0) -> float:
    """How good a hit is by itself; `days` is its age, `missing` how many words it lacks."""
    fresh = _FADE * log2(1 + max(days, 0.0))
    return _WEIGHT[by] + _SAVED * saved + _WHOLE * whole - _MISSING * missing - fresh


def ranked(hits: Iterable[H]) -> list[H]:
    """The hits, the best first; of equal ones, in the order that they came in."""
    seen: Counter[str] = Counter()
    final: list[tuple[float, int, H]] = []
    ordered = sorted(hits, key=lambda hit: hit.score, reverse=True)
    for number, hit in enumerate(ordered):
        final.append((hit.score - _AGAIN * seen[hit.group], -number, hit))
        seen[hit.group] += 1
    final.sort(key=lambda one: one[:2], reverse=True)
    return [hit for *_, hit in final]
