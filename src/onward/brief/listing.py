"""The files of a briefing: one line each for the work in hand, groups for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onward.brief import lines
from onward.brief.select import Line
from onward.brief.text import code, tag
from onward.model import Checkpoint, Clean, FileFact

SINGLE = 8
"""So many files of the work in hand have a line of their own."""
GROUP = 6
"""Paths in one line; a reader passes over longer ones."""

_IN_HAND, _COMMITTED, _READ, _NAMED = 6.0, 8.0, 8.5, 10.0


def files(c: Checkpoint) -> tuple[Line, ...]:
    """Changed and not committed first, then what each commit took in, then what was read."""
    changed = [f for f in c.files if f.change not in {"read", "named"}]
    fresh = [f for f in changed if not f.commit]
    single = [
        Line(text=lines.file(f), rank=_IN_HAND + 0.6 * n) for n, f in enumerate(fresh[:SINGLE])
    ]
    return (
        *single,
        *_grouped("Changed too", fresh[SINGLE:], _IN_HAND + 0.6 * len(single)),
        *_committed(changed),
        *_grouped("Read", [f for f in c.files if f.change == "read"], _READ, step=2.5),
        *_grouped("Named", [f for f in c.files if f.change == "named"], _NAMED, step=2.5),
    )


def _committed(changed: Sequence[FileFact[Clean]]) -> Iterator[Line]:
    """The newest commit first, as the files come."""
    rank = _COMMITTED
    for commit in dict.fromkeys(f.commit for f in changed if f.commit):
        mine = [f for f in changed if f.commit == commit]
        for line in _grouped(f"In {commit}", mine, rank):
            yield line
            rank += 1.2


def _grouped(
    lead: str, facts: Sequence[FileFact[Clean]], rank: float, step: float = 1.2
) -> Iterator[Line]:
    for start in range(0, len(facts), GROUP):
        group = facts[start : start + GROUP]
        place = next((f.places[-1:] for f in group if f.places), ())
        text = f"- {lead}: {', '.join(map(_short, group))}{tag(place)}"
        yield Line(text=text, rank=rank + step * start / GROUP, count=len(group))


def _short(fact: FileFact[Clean]) -> str:
    notes = {"created": " (new)", "deleted": " (deleted)"}
    if fact.change == "renamed" and fact.to:
        return f"{code(fact.path)} → {code(fact.to)}"
    return code(fact.path) + notes.get(fact.change, "")
