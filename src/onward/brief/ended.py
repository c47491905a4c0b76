"""How an earlier request ended, in the line below it."""

from __future__ import annotations

from collections.abc import Iterable

from onward.brief.text import one_line, tag, unmarked
from onward.model import Clean, Item

_LEAD = "Ended: "
"""How the line of a request's `why` begins that tells it (`distill.said.ended`)."""
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
    words = unmarked(one_line(_end(item)[0]))
    words = "" if words == _UNCLEAR else words
    made = tuple(place for place in item.places if place.startswith("c:"))
    reply = _reply(item)
    said = words.strip("“”") if words.startswith("“") else ""
    if said and (set(reply) & set(answer) or any(said in one_line(text) for text in told)):
        words = ""
    more = " and before" if len(made) > _COMMITS else ""
    parts = [f"committed [{' '.join(made[-_COMMITS:])}]{more}"] if made else []
    if words:
        parts.append(words + tag(reply, "claimed") if said else words)
    return _TOLD + "; ".join(parts) if parts else ""


def answer(item: Item[Clean]) -> Item[Clean] | None:
    """The agent's message that ended an earlier request, its lines in `why`; None where its claim
    says it all.
    """
    words, *lines = _end(item)
    if not lines:
        return None
    whole = Clean("\n".join(lines))
    return Item(text=words, evidence="claimed", places=_reply(item), why=whole)


def _end(item: Item[Clean]) -> list[Clean]:
    """The line that tells how a request ended ("" for none), then those of the agent's message."""
    lines = (item.why or "").split("\n")
    at = next((n for n, line in enumerate(lines) if line.startswith(_LEAD)), len(lines))
    return [Clean(line.removeprefix(_LEAD)) for line in lines[at:]] or [Clean("")]


def _reply(item: Item[Clean]) -> tuple[str, ...]:
    return tuple(place for place in item.places[1:] if place.startswith("t:"))
