"""The state of the work: how the checks ended, what is not committed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from onward.brief import lines
from onward.brief.select import Line, Part
from onward.brief.text import code, tag
from onward.brief.weights import Ranks, Weights
from onward.model import Checkpoint, Clean, Drift, Run

GROUP = 4
"""Checks in one line; a reader passes over longer ones."""

_APART = ("~", "/", ".env")  # not of the project, or never committed
_PATHS, _NAMED = 6, 3


def state(c: Checkpoint, drift: Drift[Clean] | None, told: Callable[..., bool], w: Weights) -> Part:
    """What failed in full; in few words what passed and is not `told` elsewhere: of passes older than
    one that is, it says so.
    """
    failed = [run for run in c.runs if run.outcome == "failed"]
    found = [
        Line(text=lines.run(run, elsewhere=_elsewhere(run, c.runs)), rank=w.failed.at(n))
        for n, run in enumerate(failed)
    ]
    above = [r for r in c.runs if told(f"{code(r.command)}: passed", _where(r))]
    passed = [r for r in c.runs if r.outcome == "passed" and r not in above]
    older = above and passed and c.runs.index(above[0]) < c.runs.index(passed[0])
    lead = "Passed before those above" if older else "Passed"
    found += _grouped(lead, passed, w.passed)
    unseen = [r for r in c.runs if r.outcome == "unseen" and not told(code(r.command), _where(r))]
    found += _grouped("Ran, outcome not seen", unseen, w.unseen)
    open_files = _uncommitted(c, drift)
    if open_files:
        found.append(Line(text=open_files, rank=w.uncommitted))
    return Part(heading="## State of the work", lines=tuple(found), noun="earlier run")


def _elsewhere(failed: Run[Clean], runs: Sequence[Run[Clean]]) -> bool:
    """Whether the same command passed after it, in another folder; runs come newest first."""
    newer = runs[: runs.index(failed)]
    return any(r.command == failed.command and r.outcome == "passed" for r in newer)


def _where(run: Run[Clean]) -> str:
    return code(run.cwd) if run.cwd else ""


def _grouped(lead: str, runs: Sequence[Run[Clean]], ranks: Ranks) -> Iterator[Line]:
    """Checks that ended alike, those of one folder in one line, the newest first."""
    number = 0
    for folder in dict.fromkeys(run.cwd for run in runs):
        mine = [run for run in runs if run.cwd == folder]
        where = f" in {code(folder)}" if folder else ""
        for start in range(0, len(mine), GROUP):
            group = mine[start : start + GROUP]
            said = [lines.ended(run, briefly=_again(run, mine[: mine.index(run)])) for run in group]
            apart = len({run.places[:1] for run in group}) > 1
            marks = [tag(run.places[:1]) if apart or run is group[-1] else "" for run in group]
            told = ", ".join(f"{one}{mark}" for one, mark in zip(said, marks, strict=True))
            began = "Passed earlier" if start and lead.startswith("Passed") else lead
            text = f"- {began}{where}: {told}"
            yield Line(text=text, rank=ranks.at(number), count=len(group))
            number += 1


def _again(run: Run[Clean], newer: Sequence[Run[Clean]]) -> bool:
    """Whether a newer run told is of the same program, said of its first two words."""
    return any(run.command.split()[:2] == other.command.split()[:2] for other in newer)


def _uncommitted(c: Checkpoint, drift: Drift[Clean] | None) -> str:
    """What git says now, else what it said at the save, else what the transcript shows: counted
    where they are many and stand below.
    """
    changed = [f for f in c.files if f.change not in {"read", "named"}]
    listed = [f.to or f.path for f in changed if not f.commit]
    own = [path for path in listed if not path.startswith(_APART)]
    names: Sequence[str]
    if drift is not None and c.repo is not None:
        names, lead = drift.uncommitted, "Still uncommitted"
    elif c.repo is not None:
        names, lead = c.repo.dirty, "Uncommitted when saved"
    else:
        names, lead = own, "Not committed, as far as seen"
    if not names:
        return ""
    if len(names) > _NAMED and set(own) <= set(names) <= set(listed):
        every = [f for f in changed if not f.path.startswith(_APART)]
        if not any(f.commit for f in every):
            return f"- {lead}: all {len(names)} changed files"
        if len(names) > _PATHS:
            return f"- {lead}: {len(names)} of {len(every)} changed files, below without [c:…]"
        names = _by_name(names)
    more = len(names) - _PATHS
    return f"- {lead}: {', '.join(code(n) for n in names[:_PATHS])}" + (
        f" and {more} more" if more > 0 else ""
    )


def _by_name(paths: Sequence[str]) -> list[str]:
    """The files by their names alone, for they stand below in full; those of one name by their paths."""
    names = [path.rpartition("/")[2] for path in paths]
    return [
        name if names.count(name) == 1 else path for name, path in zip(names, paths, strict=True)
    ]
