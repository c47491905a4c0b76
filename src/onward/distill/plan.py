"""Distill: the plan that the person approved."""

from __future__ import annotations

import re
from collections import deque

from onward.distill.requests import names_work
from onward.distill.talk import Talk
from onward.distill.text import one_line, shorten
from onward.model import Event, Item, Planned, Prompt

_KEPT = 20
_STEPS = 10
_MARKUP = ("#", "|", ">", "---")
_HEADING = re.compile(r"^#{1,3}\s+(.*?)\s*#*$", re.MULTILINE)
_STEP = re.compile(
    r"^\s{0,3}(?:\d+[.)]\s+|[-*]\s+\[ \]\s+|#{2,4}\s+(?=(?:step|phase|task|stage)\s*\d|\d))(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_LEAD_IN = re.compile(r"^(?:implementation\s+)?plan\s*(?::|-|–|—|to|for)\s*", re.IGNORECASE)


class Plans:
    """Collects plans put before the person, and which of them hold."""

    def __init__(self) -> None:
        self.approved: Planned | None = None
        self.approved_at = -1
        self.pending: Planned | None = None
        self.all: deque[tuple[int, Planned]] = deque(maxlen=_KEPT)

    def see(self, event: Event, at: int) -> None:
        """Take note of a plan; words of the person settle it."""
        if event.thread:
            return
        if isinstance(event, Planned):
            self.pending = event if event.approved is None else None
            if event.approved and self.approved and title_of(event) == title_of(self.approved):
                return  # clients put an approved plan before the agent again and again
            self.all.append((at, event))
            if event.approved:
                self.approved, self.approved_at = event, at
        elif isinstance(event, Prompt):
            self.pending = None


def title_of(plan: Planned) -> str:
    """A plan's heading without the word "plan" before it, else its first line."""
    found = _HEADING.search(plan.text)
    first = found.group(1) if found else next(iter(plan.text.strip().splitlines()), "")
    return one_line(_LEAD_IN.sub("", first.strip("*_ ")) or first, 120)


def plan(plans: Plans, talk: Talk) -> Item[str] | None:
    """The last approved plan while it is being carried out: title, its file if one was named,
    and its steps.
    """
    held = plans.approved
    if held is None or moved_on(plans.approved_at, talk):
        return None
    title = title_of(held) + (f" ({held.path})" if held.path else "")
    found = [
        one_line(step.replace("**", "").strip("_ :"), 120) for step in _STEP.findall(held.text)
    ]
    steps = [f"- {step}" for step in found[:_STEPS]]
    if len(found) > _STEPS:
        steps.append(f"- and {len(found) - _STEPS} more steps")
    return Item(
        text=shorten("\n".join(filter(None, [title, _purpose(held.text), *steps])), 1200),
        evidence="asked",
        places=(held.place,),
        why=one_line(held.words, 300) or None,
    )


def _purpose(text: str) -> str:
    """How a plan begins below its title: what it is for, and what holds for all of it."""
    step = _STEP.search(text)
    plain = re.sub(r"```.*?(?:```|\Z)", "", text[: step.start()] if step else text, flags=re.DOTALL)
    lines = [line.strip(" *-") for line in plain.splitlines() if not line.startswith(_MARKUP)]
    return one_line(" ".join(line for line in lines if line), 400)


def moved_on(approved_at: int, talk: Talk) -> bool:
    """Whether something was finished and then asked anew since a plan was approved."""
    return any(said.boundary and names_work(said) for said in talk.since(approved_at))
