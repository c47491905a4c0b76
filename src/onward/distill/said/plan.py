"""Distil: the plan that the person approved."""

from __future__ import annotations

import re
from collections import deque

from onward.distill.said.requests import names_work
from onward.distill.said.talk import Talk
from onward.distill.text import one_line, sentences, unfenced
from onward.model import Event, Item, Planned, Prompt, TodoList

_KEPT = 20
_LIMIT = 900
"""Characters of a plan: the next session goes by it."""
_STEP_LIMIT = 140
_FEW = 2
_SAYING = 20
_MARKUP = ("#", "|", ">", "---")
_HEADING = re.compile(r"^#{1,3}\s+(.*?)\s*#*$", re.MULTILINE)
_STEP = re.compile(
    r"^\s{0,3}(?:\d+[.)]\s+|[-*]\s+\[ \]\s+|#{2,4}\s+(?=(?:step|phase|task|stage)\s*\d|\d))(.+)$",
    re.IGNORECASE | re.MULTILINE,
)
_POINT = re.compile(r"^\s{0,3}[-*]\s+(\S.{8,})$", re.MULTILINE)
_LEAD_IN = re.compile(r"^(?:implementation\s+)?plan\s*(?::|-|–|—|to|for)\s*", re.IGNORECASE)


class Plans:
    """Collects plans put before the person, and which of them hold."""

    def __init__(self) -> None:
        self.approved: Planned | None = None
        self.approved_at = -1
        self.done_at = -1
        """Where the whole task list stood ticked off, if nothing was added since."""
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
                self.approved, self.approved_at, self.done_at = event, at, -1
        elif isinstance(event, TodoList):
            done = all(item.status == "completed" for item in event.items)
            self.done_at = at if done and event.items else -1
        elif isinstance(event, Prompt):
            self.pending = None


def title_of(plan: Planned) -> str:
    """A plan's heading without the word "plan" before it, else its first line."""
    found = _HEADING.search(plan.text)
    first = found.group(1) if found else next(iter(plan.text.strip().splitlines()), "")
    return one_line(_LEAD_IN.sub("", first.strip("*_ ")) or first, 120)


def plan(plans: Plans, talk: Talk) -> Item[str] | None:
    """The last approved plan while it is being carried out, else one that still waits for the
    person's word: title, its file if one was named, what for, and its steps.
    """
    held = current(plans, talk)
    if held is None:
        return None
    title = title_of(held) + (f" ({held.path})" if held.path else "")
    title += "" if held.approved else " — not approved yet"
    return Item(
        text=_fitting([title, *filter(None, [_purpose(held.text, 240)])], _steps(held.text)),
        evidence="asked" if held.approved else "claimed",
        places=(held.place,),
        why=one_line(held.words, 300) or None,
    )


def current(plans: Plans, talk: Talk) -> Planned | None:
    """The plan that the work goes by, or that is to be decided on next."""
    finished = moved_on(plans.approved_at, talk) or carried_out(plans, talk)
    if plans.approved is not None and not finished:
        return plans.approved
    return plans.pending or _put_aside(plans, talk)


def _put_aside(plans: Plans, talk: Talk) -> Planned | None:
    """The last plan, where the person said nothing on it: they may carry it out elsewhere."""
    last = plans.all[-1][1] if plans.all else None
    refused = talk.refused is not None and talk.refused.kind == "plan"
    return last if refused and last and last.approved is False and not last.words else None


def _steps(text: str) -> list[str]:
    """A plan's steps: numbered ones and boxes to tick, else its points."""
    plain = unfenced(text)
    found = _STEP.findall(plain)
    if len(found) < _FEW:
        found = _POINT.findall(plain)
    return [one_line(step.replace("**", "").strip("_ :"), _STEP_LIMIT) for step in found]


def _fitting(lines: list[str], steps: list[str]) -> str:
    """Whole steps, as many as there is room for; what is left out is counted."""
    room = _LIMIT - sum(len(line) + 1 for line in lines)
    for at, step in enumerate(steps):
        room -= len(step) + 3
        if room < 0:
            left = len(steps) - at
            return "\n".join([*lines, f"- and {left} more {'step' if left == 1 else 'steps'}"])
        lines = [*lines, f"- {step}"]
    return "\n".join(lines)


def purpose_of(plan: Planned) -> str | None:
    """The first sentence of a plan that says what it is for."""
    told = [s for s in sentences(_purpose(plan.text, 600)) if len(s) > _SAYING]
    return one_line(told[0], 240) if told else None


def _purpose(text: str, limit: int) -> str:
    """How a plan begins below its title: what it is for, and what holds for all of it."""
    step = _STEP.search(text)
    plain = unfenced(text[: step.start()] if step else text)
    lines = [
        line.replace("**", "").strip(" *-")
        for line in plain.splitlines()
        if not line.startswith(_MARKUP)
    ]
    return one_line(" ".join(line for line in lines if line), limit)


def carried_out(plans: Plans, talk: Talk) -> bool:
    """Whether every task was ticked off since a plan was approved, then something finished, and
    then the person spoke again.
    """
    later = talk.since(plans.done_at) if plans.done_at > plans.approved_at else []
    return any(said.boundary for said in later)


def moved_on(approved_at: int, talk: Talk) -> bool:
    """Whether something was finished and then asked anew since a plan was approved."""
    return any(said.boundary and names_work(said) for said in talk.since(approved_at))
