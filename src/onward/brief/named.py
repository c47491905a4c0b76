"""The names beside a file: `defines parse_row, Row; also next_row; by command`, taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable

_LEADS = re.compile(r"(?:defines|also) ")


def names(why: str) -> list[str]:
    """All names that are told."""
    return [name for _, each in _parts(why) for name in each]


def without(why: str, drop: Callable[[str], bool]) -> str:
    """The same without some of the names."""
    left = [(lead, [name for name in each if not drop(name)]) for lead, each in _parts(why)]
    return _joined([(lead, each) for lead, each in left if each])


def shortened(why: str, limit: int) -> str:
    """As many of the names as so many characters have room for, each whole; one at least."""
    shown: list[tuple[str, list[str]]] = []
    for lead, each in _parts(why):
        shown.append((lead, []))
        for name in each:
            shown[-1][1].append(name)
            if len(_joined(shown)) > limit and names(_joined(shown)) != [name]:
                shown[-1][1].pop()
                return _joined([part for part in shown if part[1]])
    return _joined(shown)


def _parts(why: str) -> list[tuple[str, list[str]]]:
    found = []
    for part in why.split("; "):
        lead = match.group() if (match := _LEADS.match(part)) else ""
        found.append((lead, part.removeprefix(lead).split(", ")))
    return found


def _joined(parts: list[tuple[str, list[str]]]) -> str:
    """The parts in one line; where nothing stands before it, `also` is no word."""
    told = "; ".join(lead + ", ".join(each) for lead, each in parts)
    return told.removeprefix("also ")
