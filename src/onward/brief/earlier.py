"""What was asked before the last words, the newest first, each with how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from onward.brief import lines
from onward.brief.ended import answer, ended
from onward.brief.messages import at_length
from onward.brief.select import Line
from onward.brief.text import one_line
from onward.brief.weights import Weights
from onward.model import Checkpoint, Clean, Item

_LEANS, _SAYS = 12, 4
"""Words below which a request leans on the one before, and says nothing by itself."""
_INSTEAD = "said in place of: "
"""How the `why` of words begins that came with a refusal (`distill.said.requests`): they lean on
what was asked.
"""
_SHORT, _WHOLE = 500, 1500
"""Characters of a request."""


def earlier(
    c: Checkpoint, budget: int, steps: Sequence[Item[Clean]], w: Weights
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Earlier requests with how they ended, the newest first: those that the words after them lean
    on, being too few to say it all, and the others. Words such as "commit" only tell what came
    between; what is told as decided word for word is not told here.
    """
    decided = {one_line(item.text) for item in c.decisions}
    limit = max(160, int(budget * 1.1)) // 2
    leant_on, others = list[Line](), list[Line]()
    last = c.requests[-1] if c.requests else None
    said, told = 0, _words(last) if last and not refused(last) else 0
    for n, item in enumerate(reversed(c.requests[:-1])):
        leans, rank = told < _LEANS, w.assent.at(n)
        if _words(item) >= _SAYS:
            rank = (w.leant_on if leans else w.earlier).at(said)
            said, told = said + 1, told + _words(item)
        sizes = (min(limit, _SHORT), _WHOLE)
        lead = "Before that" if leans else "Asked"
        ends = _ends(item, n, c, steps, w)
        line = _with_ends(asked(item, lead, sizes, rank, rank + w.whole), ends)
        if leans:  # what is left out of it says nothing by itself
            leant_on.append(replace(line, count=0))
        elif one_line(item.text) not in decided:
            others.append(line)
    return tuple(leant_on), tuple(others)


def refused(item: Item[Clean]) -> bool:
    """Whether a request is what the person said as they refused an act."""
    return (item.why or "").startswith(_INSTEAD)


def asked(item: Item[Clean], lead: str, sizes: tuple[int, int], rank: float, later: float) -> Line:
    """A request in the smaller number of characters, in the larger where room is left."""
    short, whole = (lines.quoted(item, size, lead) for size in sizes)
    return Line(text=short, rank=rank, longer=((later, whole),) if whole != short else ())


def _ends(
    item: Item[Clean], number: int, c: Checkpoint, steps: Sequence[Item[Clean]], w: Weights
) -> list[tuple[float, str]]:
    """How a request ended, in a line and at length, each with its rank; none where it is not known
    or told elsewhere. `number` counts from the newest.
    """
    elsewhere = c.closing.places if c.closing else ()
    elsewhere += tuple(place for step in steps for place in step.places)
    above = (c.requests[-1].why or "", c.next_action.text if c.next_action else "")
    end = ended(item, elsewhere, above)
    found = [(w.ended.at(number), f"→ {end}")] if end else []
    reply = answer(item)
    if "“" in end and reply and not set(reply.places) & set(elsewhere):
        lead = f"→ {end.partition('“')[0]}the agent said"
        longer = at_length(reply, lead, number + 1, "\n".join(above), w)
        found += [(rank, told.removeprefix("- ")) for rank, told in longer]
    return found


def _with_ends(line: Line, ends: list[tuple[float, str]]) -> Line:
    """The line of a request with its end below it, in the longest form that has room; at last the
    whole request too.
    """
    forms, rank = list[tuple[float, str]](), line.rank
    for at, end in ends:
        rank = max(rank, at)
        forms.append((rank, f"{line.text}\n\n{end}"))
    below = forms[-1][1].removeprefix(line.text) if forms else ""
    forms += [(max(rank, at), whole + below) for at, whole in line.longer]
    return replace(line, longer=tuple(forms))


def _words(item: Item[Clean]) -> int:
    """How many words a request has; of scripts without spaces, half its characters."""
    wide = sum(char > "\u3040" for char in item.text)
    return len(item.text.split()) + wide // 2
