"""The state of the work: how the checks ended, what is not committed, the agent's last words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onward.brief import lines
from onward.brief.closing import closing
from onward.brief.select import Line, Part
from onward.brief.text import code, one_line, tag
from onward.brief.weights import Ranks, Weights
from onward.model import Checkpoint, Clean, Drift, Item, Run, order_of

GROUP = 4
"""Checks in one line; a reader passes over longer ones."""

_APART = ("~", "/", ".env")  # not of the project, or never committed
_PATHS, _NAMED = 6, 3


def state(c: Checkpoint, drift: Drift[Clean] | None, budget: int, w: Weights) -> Part:
    """What failed in full, what passed in few words."""
    failed = [run for run in c.runs if run.outcome == "failed"]
    told = c.next_action.text if c.next_action else ""
    found = [Line(text=lines.run(run), rank=w.failed.at(n)) for n, run in enumerate(failed)]
    found += _grouped("Passed", [r for r in c.runs if r.outcome == "passed"], w.passed)
    unseen = [r for r in c.runs if r.outcome == "unseen"]
    found += _grouped("Ran, outcome not seen", unseen, w.unseen)
    open_files = _uncommitted(c, drift)
    if open_files:
        found.append(Line(text=open_files, rank=w.uncommitted))
    if c.closing and one_line(c.closing.text) not in one_line(told):
        when = ", before what is wanted now" if _older(c.closing, c.requests) else ""
        found.append(closing(c.closing, f"The agent's last words{when}", budget, w))
    return Part(heading="## State of the work", lines=tuple(found), noun="earlier run")


def _grouped(lead: str, runs: Sequence[Run[Clean]], ranks: Ranks) -> Iterator[Line]:
    """Checks that ended alike, those of one folder in one line, the newest first."""
    number = 0
    for folder in dict.fromkeys(run.cwd for run in runs):
        mine = [run for run in runs if run.cwd == folder]
        where = f" in {code(folder)}" if folder else ""
        for start in range(0, len(mine), GROUP):
            group = mine[start : start + GROUP]
            told = ", ".join(map(lines.ended, group))
            text = f"- {lead}{where}: {told}{tag(group[0].places[:1])}"
            yield Line(text=text, rank=ranks.at(number), count=len(group))
            number += 1


def _uncommitted(c: Checkpoint, drift: Drift[Clean] | None) -> str:
    """What git says now, else what it said at the save, else what the transcript shows. A file
    that has a line of its own is only counted.
    """
    listed = [f.to or f.path for f in c.files if f.change not in {"read", "named"} and not f.commit]
    if drift is not None and c.repo is not None:
        names, lead = list(drift.uncommitted), "Still uncommitted"
    elif c.repo is not None:
        names, lead = list(c.repo.dirty), "Uncommitted when saved"
    else:
        names = [path for path in listed if not path.startswith(_APART)]
        lead = "No commit was seen after the last edit of"
    if not names:
        return ""
    if len(names) > _NAMED and set(names) <= set(listed):
        return f"- {lead}: {len(names)} files, the first ones under Files"
    more = len(names) - _PATHS
    return f"- {lead}: {', '.join(code(n) for n in names[:_PATHS])}" + (
        f" and {more} more" if more > 0 else ""
    )


def _older(closing: Item[Clean], requests: tuple[Item[Clean], ...]) -> bool:
    """Whether the agent said it before the person's last words in the same transcript."""
    places = (*closing.places[:1], *(requests[-1].places[:1] if requests else ()))
    at = [order_of(place) for place in places if order_of(place)]
    return len(at) == 2 and at[0] < at[1]
