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
    each = _each(values)
    if not each:
        return None
    means = [sum(found) / len(found) for found in each]
    cases = sum(map(len, each))
    value = sum(means) / len(means)
    if len(means) < 2:
        return Mean(value=value, low=None, high=None, cases=cases)
    dice = random.Random(1)
    draws = sorted(sum(dice.choices(means, k=len(means))) / len(means) for _ in range(DRAWS))
    edge = int(DRAWS * (1 - INSIDE) / 2)
    return Mean(value=value, low=draws[edge], high=draws[-edge - 1], cases=cases)


def plain(values: Iterable[tuple[str, float | None]]) -> float | None:
    """The same mean without its interval, for those who ask thousands of times."""
    means = [sum(found) / len(found) for found in _each(values)]
    return sum(means) / len(means) if means else None


def _each(values: Iterable[tuple[str, float | None]]) -> list[list[float]]:
    """The values of each repository that has some, in the order of their names."""
    each: dict[str, list[float]] = defaultdict(list)
    for repository, value in values:
        if value is not None:
            each[repository].append(value)
    return [found for _, found in sorted(each.items())]


def quantile(values: Iterable[float], share: float) -> float | None:
    """The value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else None
