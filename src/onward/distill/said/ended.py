"""Distil: how each request but the last one ended: what was committed, what the agent replied."""

from __future__ import annotations

from collections.abc import Sequence

from onward.distill.acts import act
from onward.distill.said.claim import claim
from onward.distill.said.closing import whole
from onward.distill.said.talk import Said, Talk
from onward.distill.work.git_acts import Act
from onward.model import Item, order_of

ENDED = "Ended: "
"""How the line begins that tells it, in a request's `why`; lines below it are the agent's message."""
UNANSWERED = "the person wrote on before any reply"
_COMMITS = 4


def with_end(
    item: Item[str], said: Said, following: Said, talk: Talk, commits: Sequence[Act], *, tell: bool
) -> Item[str]:
    """The request with its end: the words in its `why`, the reply and the commits as further places.

    The turn goes up to the next request that is told (`following`), over any assents between. Without
    `tell` the agent's words are left out.
    """
    made = [a.sha for a in commits if a.sha and said.at < a.at < following.at]
    words, place = _end(said, following, talk, tell=tell)
    if following.stopped and made:
        words = ""  # what was committed is the end; what was stopped came after it
    places = (place, *(f"c:{sha}" for sha in made[-_COMMITS:]))
    lines = whole(following.offer, words) if place else ""
    why = "\n".join(part for part in (item.why, words and f"{ENDED}{words}", lines) if part)
    return Item(
        text=item.text,
        evidence=item.evidence,
        places=(*item.places, *(p for p in places if p)),
        why=why or None,
    )


def _end(said: Said, following: Said, talk: Talk, *, tell: bool) -> tuple[str, str]:
    """What is told of the end, and where the agent said it; "" for nothing."""
    if following.stopped:
        return _stopped(following), ""
    if not any(s.answers for s in talk.said if said.at <= s.at < following.at):
        return ("" if following.source == "queued" else UNANSWERED), ""
    answered = order_of(following.offer_place) > order_of(said.place)
    closed = tell and answered and following.offer_closes
    words = claim(following.offer, said.text) if closed else ""
    return (f"“{words}”", following.offer_place) if words else ("", "")


def _stopped(following: Said) -> str:
    """At which act the person stopped the agent; "" where that is not known, or where the act was
    done after all: what came of it is told by the work.
    """
    if not following.about or following.taken_up:
        return ""
    return f"stopped by the person at {act(following.about)}"
