"""Distil: what the next session should know beside the work itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.distill.findings.lessons import Lessons, lessons
from onward.distill.said.cues import is_question, is_rule
from onward.distill.said.requests import window
from onward.distill.said.settling import typed
from onward.distill.said.talk import Talk
from onward.distill.said.waiting import Waiting, reports, was_running
from onward.distill.text import one_line
from onward.model import Item, order_of

_RULES = 8
_SUMMARY = re.compile(r"(?:^|\n)[^\S\n]*(?:</analysis>\s*)?(?:<summary>|Summary:)\s*\n")


def context(
    talk: Talk, waiting: Waiting, found: Lessons, decided: Sequence[Item[str]] = ()
) -> tuple[Item[str], ...]:
    """The person's rules that are not told as decisions, facts of the machine, what ran, and
    what sub-agents reported.
    """
    held = window(talk)
    since = order_of(held[0].place) if held else 0
    told = {place for item in decided for place in item.places}
    return (
        *(rule for rule in rules(talk) if not told.intersection(rule.places)),
        *lessons(found),
        *was_running(waiting),
        *reports(waiting, since),
        *_earlier(talk),
    )


def rules(talk: Talk) -> list[Item[str]]:
    """Manners the person laid down for all that follows, newest first."""
    out: list[Item[str]] = []
    for said in reversed(talk.said):
        laid = [s for s in typed(said.text) if is_rule(s) and not is_question(s)]
        if laid:
            text = one_line(" … ".join(laid), 300)
            out.append(Item(text=text, evidence="asked", places=(said.place,)))
    return out[:_RULES]


def _earlier(talk: Talk) -> list[Item[str]]:
    """A summary of what came before this file: second-hand, and all there is of it."""
    if not talk.only_summary:
        return []
    # Summaries open with how they were made; what they say follows such a heading.
    found = _SUMMARY.search(talk.only_summary)
    told = talk.only_summary[found.end() :] if found else talk.only_summary
    text = "Summary of what came before this transcript: " + one_line(told, 900)
    return [Item(text=text, evidence="claimed", places=(talk.only_summary_place,))]
