"""Distil: approaches that did not work or that the person refused."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from onward.distill.checks.bursts import Burst
from onward.distill.checks.runs import Runs
from onward.distill.findings.state import quoted
from onward.distill.said.cues import is_choice, is_correction, is_question
from onward.distill.said.manner import weighty
from onward.distill.said.plan import Plans, title_of
from onward.distill.said.settling import typed
from onward.distill.said.talk import Talk, same_act
from onward.distill.said.waiting import Waiting
from onward.distill.text import abridge, act_line, one_line
from onward.distill.work.edits import Edits
from onward.model import Edited, Event, Item, Ran, Refusal, order_of

_MOST = 12
_KEPT = 60
_WORDS = 160
_NOT = re.compile(r"\W*(?:not|nicht|non|não|kein\w*|never|nunca|jamais)\b", re.IGNORECASE)
_ALIKE = 2
"""Words that the titles of two plans share which are about one thing."""


class Refusals:
    """Collects acts that the person refused and that were not done after all."""

    def __init__(self) -> None:
        self.held: deque[Refusal] = deque(maxlen=_KEPT)

    def see(self, event: Event, _at: int) -> None:
        """Take note of a refusal; the same file edited or the same command run settles it."""
        if isinstance(event, Refusal) and not event.thread and event.act:
            self.held.append(event)
        elif isinstance(event, Edited):
            self._settle(f"edit {event.path}")
        elif isinstance(event, Ran) and event.state == "done" and event.failed is False:
            self._settle(event.command)

    def _settle(self, act: str) -> None:
        for refusal in [r for r in self.held if same_act(r.act, act)]:
            self.held.remove(refusal)


def dead_ends(  # noqa: PLR0917 - one collector for each kind
    refusals: Refusals, plans: Plans, waiting: Waiting, runs: Runs, edits: Edits, talk: Talk
) -> tuple[Item[str], ...]:
    """What was taken back, what never went green, and what the person refused."""
    found = [
        *reversed(edits.reverted()),
        *(_with_words(item, talk) for item in reversed(edits.removed())),
        *(_burst(burst) for burst in runs.bursts()),
        *_refused(refusals),
        *_plans(plans),
        *reversed(waiting.killed),
    ]
    return tuple(found[:_MOST])


def _with_words(item: Item[str], talk: Talk) -> Item[str]:
    """What was removed again, with what the person said last before that, once it was there."""
    at = [order_of(place) for place in item.places if order_of(place)]
    said = [s for s in talk.said if at and min(at) < order_of(s.place) < max(at)]
    if not said or item.why:
        return item
    words = one_line(abridge(said[-1].text, _WORDS), _WORDS)
    return replace(item, why=f"after the person's words {quoted(words)}")


def _burst(burst: Burst) -> Item[str]:
    where = f" in {burst.cwd}" if burst.cwd else ""
    error = f": {one_line(burst.error, 240)}" if burst.error else ""
    return Item(
        text=f"`{one_line(burst.command, 200)}`{where} failed {burst.times} times in a row "
        f"and never worked after{error}",
        evidence="observed",
        places=burst.places,
    )


def _denies(words: str) -> bool:
    """Whether words rule something out: others ask for something more or first, and a question in
    place of a yes is a pause.
    """
    denies = is_correction(words) or _NOT.match(words) or any(map(is_choice, typed(words)))
    return bool(denies) and not is_question(words)


def _refused(refusals: Refusals) -> Iterator[Item[str]]:
    """Only with words that rule it out: what follows a bare refusal is told by the next prompt."""
    for event in reversed(refusals.held):
        words = event.words.strip()
        if event.kind in {"command", "edit"} and _denies(words):
            text = f"The person refused: {act_line(event.act)}"
            why = abridge(words, 300)
            yield Item(text=text, evidence="asked", places=(event.place,), why=why)


def _plans(plans: Plans) -> Iterator[Item[str]]:
    """Each plan that was ruled out and not taken up again, with the newest words on it."""
    told = {title_of(plan) for _, plan in plans.all if plan.approved}
    later: list[set[str]] = []
    for _, plan in reversed(plans.all):
        title = title_of(plan)
        again = any(len(weighty(title) & words) >= _ALIKE for words in later)
        later.append(weighty(title))
        if plan.approved is False and title not in told and not again and _denies(plan.words):
            told.add(title)
            text = f"The person did not approve the plan: {title}"
            why = one_line(plan.words, 300)
            yield Item(text=text, evidence="asked", places=(plan.place,), why=why)
