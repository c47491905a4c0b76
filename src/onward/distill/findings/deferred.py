"""Distil: what the person put off, in their words."""

from __future__ import annotations

from onward.distill.said.cues import is_later
from onward.distill.said.settling import typed
from onward.distill.said.talk import Talk
from onward.distill.said.unfinished import unfinished
from onward.distill.text import one_line
from onward.model import Item

_MOST = 12


def deferred(talk: Talk) -> tuple[Item[str], ...]:
    """Requests that were overtaken, then sentences that put something off, newest first; a
    short prompt is kept whole.
    """
    out: list[Item[str]] = []
    for said in reversed(talk.said):
        late = [s for s in typed(said.text) if is_later(s)]
        if late:
            text = said.text if len(said.text) <= 240 else " … ".join(late)
            out.append(Item(text=one_line(text, 400), evidence="asked", places=(said.place,)))
    return tuple([*unfinished(talk), *out][:_MOST])
