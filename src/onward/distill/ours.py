"""Distil: onward's own doings in a session, which are not its work; and good-byes.

A slash command of ours is no request: what it saved would otherwise be about saving. Neither is
a farewell, and it answers no question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from onward.distill.said.farewell import is_only_farewell
from onward.model import Edited, Event, Prompt, Ran, Reply
from onward.slash_commands import is_load, is_ours

_DRAFT = re.compile(r"(?:^|[/\\])memory[/\\]\.draft[\w-]*\.json$")
_CALL = re.compile(r"\s*onward slash\b")
_ONWARD = re.compile(r"\s*onward\b")
_AMONG = re.compile(r"(?:^|[;&|\n])\s*onward\s+\w")


def calls_ours(script: str) -> bool:
    """Whether a script calls onward among other things: `make test; onward save`."""
    return _AMONG.search(script) is not None


def is_own_act(event: Event) -> bool:
    """Whether an act of the agent only called onward, or wrote a draft for it."""
    if isinstance(event, Edited):
        return _DRAFT.search(event.path) is not None
    return isinstance(event, Ran) and _ONWARD.match(event.command) is not None


def without_ours(events: Iterable[Event]) -> Iterator[Event]:
    """The events without our commands, the drafts written for them, and what the agent said of a
    save; without farewells and what it said of these. What it said of a resume stays: the
    person's yes answers it.
    """
    passed = False
    for event in events:
        if isinstance(event, Prompt) and not event.thread:
            ours = is_ours(event.text)
            parts = not ours and is_only_farewell(event.text)
            passed = parts or (ours and not is_load(event.text))
            if ours or parts:
                continue
        if isinstance(event, Reply) and passed and not event.thread:
            continue
        if isinstance(event, Edited) and _DRAFT.search(event.path):
            continue
        if isinstance(event, Ran) and _CALL.match(event.command):
            continue
        yield event
