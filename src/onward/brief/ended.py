"""How an earlier request ended, in the line below it."""

from __future__ import annotations

from collections.abc import Iterable

from onward.brief.text import one_line, tag, unmarked
from onward.model import Clean, Item

_LEAD = "Ended: "
"""How the last line of a request's `why` begins that tells it (`distill.said.ended`)."""
_TOLD = "then: "
"""What came of a request is not always its end."""
_COMMITS = 3
_UNCLEAR = "interrupted"
"""What checkpoints of earlier versions say where the person stopped the agent: not whose doing it
was, nor what became of it.
"""


def ended(item: Item[Clean], answer: tuple[str, ...], told: Iterable[str]) -> str:
    """`then: committed [c:9f5a3c7]; “All tests pass.” [claimed t:57]`; "" where nothing is known.

    What the agent said is left out where it said it at one of the places `answer`, which is told
    elsewhere, or where it stands among the texts `told`.
    """
    *_, last = (item.why or "").split("\n")
    words = unmarked(one_line(last.removeprefix(_LEAD))) if last.startswith(_LEAD) else ""
    words = "" if words == _UNCLEAR else words
    made = tuple(place for place in item.places if place.startswith("c:"))
    reply = tuple(place for place in item.places[1:] if place.startswith("t:"))
    said = words.strip("“”") if words.startswith("“") else ""
    if said and (set(reply) & set(answer) or any(said in one_line(text) for text in told)):
        words = ""
    more = " and before" if len(made) > _COMMITS else ""
    parts = [f"committed [{' '.join(made[-_COMMITS:])}]{more}"] if made else []
    if words:
        parts.append(words + tag(reply, "claimed") if said else words)
    return _TOLD + "; ".join(parts) if parts else ""
