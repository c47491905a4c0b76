"""The last steps of the session in a briefing, oldest first, the agent's last words among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.brief.listing import singles
from onward.brief.messages import at_length, closing
from onward.brief.select import Line, Part
from onward.brief.text import code, one_line, shorten, tag, unmarked
from onward.brief.weights import Weights
from onward.model import Checkpoint, Clean, FileFact, Item, order_of

_BARE = 700
"""Tokens that go to what is wanted and what comes next before any step is told."""
_SUMMING = 400
"""Characters beyond which the agent's last words sum up the steps before them."""
_LONG_PATH = 60
_LONGEST = 520
"""Characters of one step."""


def steps(c: Checkpoint) -> list[Item[Clean]]:
    """The steps without what the agent's last words, told beside them, say: all of its claims where
    they come last.
    """
    said = set(c.closing.places if c.closing else ())
    ends = not _goes_on(c)
    return [s for s in c.trail if not _own(s) or not (ends or said.intersection(s.places))]


def certain(c: Checkpoint, budget: int, w: Weights) -> list[Item[Clean]]:
    """The newest steps, which a briefing of this size tells: what they say is said nowhere else.
    Fewer where the agent's closing words sum them up; none that begins with the person's words.
    """
    summed = not _goes_on(c) and c.closing is not None and len(c.closing.text) > _SUMMING
    share = w.summed_share if summed else w.steps_share
    most = int(max(0, budget - _BARE) * share)
    return _from_an_act(steps(c)[-most:] if most else [])


def _from_an_act(found: list[Item[Clean]]) -> list[Item[Clean]]:
    """The steps from the first one on that is not the person's words."""
    while found and found[0].evidence == "asked":
        found = found[1:]
    return found


def _rank(number: int, new: int, w: Weights) -> float:
    """The rank of a step, counted from the newest: those before the `new` ones wait for room."""
    return w.step.at(number) if number < new else w.older_step.at(number - new)


def trail(c: Checkpoint, budget: int, w: Weights) -> Part:
    """The steps in order of time."""
    new = len(certain(c, budget, w))
    found = _from_an_act(steps(c)) if new else []
    listed = singles(c, budget, w)
    said = [step for step in reversed(found) if step.evidence == "claimed"]
    told = [
        Line(
            text=_told(step, c, listed),
            rank=_rank(len(found) - 1 - n, new, w),
            count=0,
            longer=at_length(step, _led(step), said.index(step), _above(c), w)
            if step in said
            else (),
        )
        for n, step in enumerate(found)
    ]
    if c.closing and one_line(c.closing.text) not in _above(c):
        told.insert(_place(c.closing, found), closing(c.closing, _lead(c), _above(c), w))
    return Part(
        heading="## The last steps" + (", oldest first" if found else ""),
        lines=tuple(told),
        noun="step",
    )


def _above(c: Checkpoint) -> str:
    """What stands above the steps that may be the agent's own words."""
    about = c.requests[-1].why if c.requests else None
    parts = (about, c.next_action.text if c.next_action else None)
    return "\n".join(unmarked(one_line(part)) for part in parts if part)


def _told(step: Item[Clean], c: Checkpoint, listed: list[FileFact[Clean]]) -> str:
    """A step in a line. The person's words that stand above are not told again, and a file with a
    long path that has a line of its own below goes by its name.
    """
    if c.requests and step.evidence == "asked" and set(step.places) & set(c.requests[-1].places):
        return f"- Their last words, above{tag(step.places)}"
    text = str(step.text)
    for run in c.runs:
        if run.outcome == "failed":  # how is told below
            text = re.sub(
                rf"({re.escape(code(run.command))}: failed)(?: \(|: ).*?(?=; `|$)", r"\1", text
            )
    listed = [fact for fact in listed if len(fact.path) > _LONG_PATH]
    names = [fact.path.rpartition("/")[2] for fact in listed]
    for fact, name in zip(listed, names, strict=True):
        if names.count(name) == 1:
            text = text.replace(code(fact.path), code(name))
    return f"- {shorten(one_line(text), _LONGEST)}{tag(step.places, step.evidence)}"


def _own(step: Item[Clean]) -> bool:
    """Whether a step is a message of the agent itself, not a sub-agent's report."""
    return step.evidence == "claimed" and step.text.startswith("“")


def _led(message: Item[Clean]) -> str:
    """How a message is led in: by whose it is."""
    return "The agent said" if _own(message) else message.text.partition(": “")[0]


def _goes_on(c: Checkpoint) -> bool:
    """Whether the session ended in the middle of its work: something came after the last words."""
    last = c.closing.places[:1] if c.closing else ()
    return not last or any(order_of(p) > order_of(last[0]) for s in c.trail[-1:] for p in s.places)


def _place(last: Item[Clean], found: Sequence[Item[Clean]]) -> int:
    """Where the agent's last words stand among the steps."""
    at = order_of(last.places[0]) if last.places else 0
    later = [n for n, s in enumerate(found) if s.places and order_of(s.places[0]) > at]
    return later[0] if at and later else len(found)


def _lead(c: Checkpoint) -> str:
    """How the agent's words are led in: the last ones only where no act came after, and whether they
    were said before what is wanted now.
    """
    asked = c.requests[-1].places[:1] if c.requests else ()
    places = (*(c.closing.places[:1] if c.closing else ()), *asked)
    at = [order_of(place) for place in places if order_of(place)]
    if len(at) == 2 and at[0] < at[1]:
        return "The agent's last words, before what is wanted now"
    later = [order_of(p) for s in steps(c) for p in s.places[:1] if s.evidence != "asked"]
    return "The agent said" if at and later and later[-1] > at[0] else "The agent's last words"
