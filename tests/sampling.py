"""A part of what is slow by nature: `make test` runs a sample, `make test-all` runs everything."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")


def everything() -> bool:
    """Whether nothing is left out: ONWARD_TESTS=all, which `make test-all` sets."""
    return os.environ.get("ONWARD_TESTS") == "all"


def sample(cases: Iterable[Case], most: int, key: str) -> list[Case]:
    """At most so many of the cases, in their order. Every run and every worker draws the same:
    the choice depends on `key` and on the number of cases alone.
    """
    found = list(cases)
    if everything() or len(found) <= most:
        return found
    drawn = random.Random(key).sample(range(len(found)), most)
    return [found[number] for number in sorted(drawn)]


def examples(most: int) -> int:
    """How many examples a law runs that asks for its own number: all, or a quarter and some."""
    return most if everything() else max(15, most // 4)
