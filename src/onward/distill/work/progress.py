"""Distil: what was done, in lines that can be checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from onward.distill import paths
from onward.distill.findings.state import edits
from onward.distill.said.tasks import Todos
from onward.distill.text import one_line
from onward.model import FileFact, Item, Run, order_of

_MOST = 25
_SPANS = 4
_PASSES = 6
"""Passing runs told as progress, newest; the others stand among the runs."""


def progress(
    files: Sequence[FileFact[str]],
    commits: Sequence[Item[str]],
    runs: Sequence[Run[str]],
    history: Sequence[Item[str]] = (),
) -> tuple[Item[str], ...]:
    """Edits by file, commits, pushes and pull requests, passing runs, tasks ticked off: in
    order of time. The newest are kept; what is older is told in one line.
    """
    done = [
        wrote(f) for f in files if f.change not in {"read", "named"} and not paths.apart(f.path)
    ]
    green = [r for r in runs if r.outcome == "passed"]
    done += [*commits, *(passed(run) for run in green[:_PASSES]), *history]
    ordered = sorted(done, key=_line)
    if len(ordered) <= _MOST:
        return tuple(ordered)
    older, newer = ordered[: -_MOST + 1], ordered[-_MOST + 1 :]
    return (_consolidated(older), *newer)


def _line(item: Item[str]) -> float:
    return max((order_of(place) for place in item.places), default=0)


def wrote(file: FileFact[str]) -> Item[str]:
    """A changed file with its line ranges and line counts."""
    verb = {"created": "Wrote", "deleted": "Deleted", "renamed": "Renamed"}.get(
        file.change, "Edited"
    )
    text = f"{verb} {file.path}"
    if file.to:
        text += f" to {file.to}"
    if file.spans and file.change == "edited":
        text += f" {_ranges(file.spans)}"
    if file.added or file.removed:
        text += f" (+{file.added} -{file.removed})"
    if file.commit:
        text += f", committed in {file.commit}"
    places = (*file.places, f"c:{file.commit}") if file.commit else file.places
    return Item(text=text, evidence="observed", places=tuple(dict.fromkeys(places)), why=file.why)


def _ranges(spans: Sequence[tuple[int, int]]) -> str:
    if len(spans) == 1 and spans[0][0] == spans[0][1]:
        return f"line {spans[0][0]}"
    shown = [f"{a}-{b}" if b > a else str(a) for a, b in spans[-_SPANS:]]
    more = f" and {len(spans) - _SPANS} more places" if len(spans) > _SPANS else ""
    return f"lines {', '.join(shown)}{more}"


def passed(run: Run[str]) -> Item[str]:
    """A run that passed, and whether that still holds."""
    text = f"`{one_line(run.command, 240)}`" + (f" in {run.cwd}" if run.cwd else "") + " passed"
    text += f": {one_line(run.summary, 160)}" if run.summary else ""
    if run.edits_after:
        text += f" ({edits(run.edits_after)} since)"
    return Item(text=text, evidence="observed", places=run.places)


def _consolidated(older: Sequence[Item[str]]) -> Item[str]:
    """One line for all that does not fit."""
    kinds = Counter(_kind(item.text) for item in older)
    told = ", ".join(f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in kinds.items())
    return Item(text=f"Before that: {told}", evidence="observed", places=older[0].places)


def _kind(text: str) -> str:
    if text.startswith(("Wrote ", "Edited ", "Deleted ", "Renamed ")):
        return "changed file"
    return "passing run" if text.startswith("`") else "other step"


def ticked_off(todos: Todos, shown: bool) -> list[Item[str]]:
    """Completed entries of the task list as one line, unless the list itself is shown."""
    if shown or not todos.ticked:
        return []
    titles = list(todos.ticked)
    place = todos.ticked[titles[-1]][1]
    told = "; ".join(one_line(t, 80) for t in titles[-8:])
    count = "1 entry" if len(titles) == 1 else f"{len(titles)} entries"
    text = f"Ticked off in the task list, {count}: {told}"
    return [Item(text=one_line(text, 600), evidence="claimed", places=(place,))]
