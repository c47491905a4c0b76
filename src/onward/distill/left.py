"""Distill: what is left to do when the agent has finished its turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onward.distill.closing import next_steps
from onward.distill.state import (
    State,
    edits,
    line_of_run,
    quoted,
    standing,
    uncommitted,
)
from onward.distill.talk import line_of
from onward.distill.text import one_line
from onward.model import Item, Run

_PROSE = (".md", ".txt", ".rst", ".adoc")
"""Files that no test covers."""
_NAMED = 6


def what_is_left(state: State) -> Iterator[Item[str]]:
    """The agent's own next steps, a check that has gone stale, changes without a commit, and
    at last the question what comes next.
    """
    left = next_steps(state.talk.reply)
    if left:
        yield Item(
            text=f"Go by the agent's last words on what comes next: {quoted(left)}",
            evidence="claimed",
            places=(state.talk.reply_place,),
        )
    run = stale(state)
    if run is not None:
        where = f" in {run.cwd}" if run.cwd else ""
        yield Item(
            text=f"Run `{one_line(run.command, 300)}`{where} again: "
            f"{edits(run.edits_after)} came after it last passed",
            evidence="observed",
            places=run.places,
        )
    loose = uncommitted(state.files)
    if loose and any(f.commit for f in state.files):
        text = f"Look over and commit the changes in {_listed(loose)}"
        yield Item(text=text, evidence="observed")
    yield from _ask(state, loose)


def stale(state: State) -> Run[str] | None:
    """The newest check that passed before code was changed that is not committed yet, tests
    first; none if a test or a build passed after the last edit.
    """
    proving = [run for run in state.runs if run.kind in {"test", "build"}]
    if any(run.outcome == "passed" and not run.edits_after for run in proving):
        return None
    loose = set(uncommitted(state.files))
    edited = [f for f in state.files if f.path in loose and not f.path.endswith(_PROSE)]
    last = max((line_of(place) for f in edited for place in f.places), default=0)
    old = [run for run in state.runs if run.outcome == "passed" and line_of_run(run) < last]
    rank = {"test": 0, "build": 1, "types": 2}
    return min(old, key=lambda run: rank.get(run.kind, 3), default=None)


def _ask(state: State, loose: Sequence[str]) -> Iterator[Item[str]]:
    """Nothing is known to be left."""
    request, talk = standing(state), state.talk
    if request is None and not talk.reply:
        return
    told = f"the agent's last words were {quoted(one_line(talk.reply, 300))}"
    if request is not None:
        told = f"the agent said it was done with {request.text}"
    text = f"Ask the person what comes next: {told}"
    text += f"; no commit was seen for the changes in {_listed(loose)}" if loose else ""
    place = talk.reply_place or (request.place if request else "")
    yield Item(text=text, evidence="claimed", places=(place,))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
