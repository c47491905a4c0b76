"""The frame: one pass over a session's events, and small collectors with bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from onward.model import Event

K = TypeVar("K")
V = TypeVar("V")


class Collector(Protocol):
    """Something that watches the events of a session go by."""

    def see(self, event: Event, at: int, /) -> None:
        """Take note of one event. `at` is its running number, from 0, in live order."""


def fold(events: Iterable[Event], collectors: Sequence[Collector]) -> None:
    """Show every event to every collector, once and in order."""
    for at, event in enumerate(events):
        for collector in collectors:
            collector.see(event, at)


def keep(kept: dict[K, V], most: int) -> None:
    """Bound a dictionary: the entries that came first go."""
    while len(kept) > most:
        del kept[next(iter(kept))]
