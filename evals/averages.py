"""Means over repositories and how far they may be off."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

DRAWS = 2000
INSIDE = 0.9
"""The share of the draws between the two ends of an interval."""


class Mean(Struct, frozen=True, kw_only=True):
    """A mean, the interval around it (None with one repository), and how many cases it has."""

    value: float
    low: float | None
    high: float | None
    cases: int


def mean(values: Iterable[tuple[str, float | None]]) -> Mean | None:
    """The mean over repositories of the mean over the cases of each, so that no repository
    outweighs the rest; the interval is drawn from whole repositories.

    >>> found = mean([("a", 1.0), ("a", 0.0), ("b", 1.0)])
    >>> found.value, found.cases
    (0.75, 3)
    """
    each: dict[str, list[float]] = defaultdict(list)
    for repository, value in values:
        if value is not None:
            each[repository].append(value)
    if not each:
        return None
    means = [sum(found) / len(found) for _, found in sorted(each.items())]
    cases = sum(map(len, each.values()))
    value = sum(means) / len(means)
    if len(means) < 2:
        return Mean(value=value, low=None, high=None, cases=cases)
    dice = random.Random(1)
    draws = sorted(sum(dice.choices(means, k=len(means))) / len(means) for _ in range(DRAWS))
    edge = int(DRAWS * (1 - INSIDE) / 2)
    return Mean(value=value, low=draws[edge], high=draws[-edge - 1], cases=cases)


def quantile(values: Iterable[float], share: float) -> float | None:
    """The value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None
