"""What the user asked before, and what they decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from onward.briefing.budget import Line
from onward.briefing.lines import RANKS, items, own
from onward.briefing.text import choice, first_words, fitted, indented, inline, one_line, tag
from onward.model import Checkpoint, Clean, Request
from onward.requests import SHORT, active, extent, is_reply, is_short, is_telling, leading

_ALIKE = 120
"""Characters by which a request is known again."""
_NEXT_REQUEST = 1.2
"""Rank of the newest earlier request where those that stand above are short."""
_SAME_TURN = 1.25
"""Rank of those that were asked in the same turn as the active one."""
_ABOUT = 160
"""Characters of the message that a short request stands behind."""
_FIRST_REQUEST = 4.0
"""Rank of the session's first request: most often it says what the whole is for."""


def decisions(c: Checkpoint) -> tuple[Line, ...]:
    """The newest plan that was approved is bought early: later requests may still be a part of it."""
    # What the user said last, and the plan, stand above.
    latest = (
        (c.requests[leading(c.requests)], *c.requests[active(c.requests) :]) if c.requests else ()
    )
    above = {place for r in latest for place in r.places[:1]} | set(c.plan.places if c.plan else ())
    # What the user wrote right after a refusal stands with that.
    above |= {place for item in c.dead_ends for place in item.places[1:]}
    decided = [item for item in own(c.decisions) if not above & set(item.places)]
    lines = list(items("", decided, "decision").lines)
    at = next((n for n, item in enumerate(decided) if item.template == "approved plan"), None)
    if at is not None:
        lines[at] = replace(lines[at], rank=RANKS["approved"].first, longer=())
    # What was refused with words holds on; an answer is most often carried out by now.
    refused = [n for n, item in enumerate(decided) if item.template == "refusal"]
    for later, n in enumerate(refused):
        lines[n] = replace(lines[n], rank=RANKS["decision"].at(later))
        place = frozenset(decided[n].places[:1])
        if any(place <= set(each.places) for each in c.dead_ends):
            lines[n] = replace(lines[n], longer=(), facts=place)
    return tuple(lines)


def requests(c: Checkpoint) -> Iterator[Line]:
    """What the user asked before, each with the agent's last message before the next request, which
    may be an interim one: a turn can end in mid-work.
    """
    decided = {place for item in c.decisions for place in item.places}
    above = c.requests[leading(c.requests)] if c.requests else None
    stopped = {p for item in c.decisions if item.template == "interruption" for p in item.places}
    before = [r for r in c.requests[: max(active(c.requests), 0)] if r is not above]
    before = [r for r in before if not stopped & set(r.places)]
    now = c.requests[active(c.requests)].text if c.requests else ""
    before = [r for r in before if not _is_told_apart(r, decided) and r.text != now]
    before = [r for r in before if r.ended or not is_reply(r.text)]
    before = [r for r in before if any(map(str.isalnum, r.text))]  # but for "?"
    # Of those that say the same, word by word, the last stands; of those that only begin alike and
    # led to nothing too: they were sent again.
    before = [r for r in before if r.changes or r.text[:_ALIKE] != now[:_ALIKE]]
    said = {r.text if r.changes else r.text[:_ALIKE]: n for n, r in enumerate(before)}
    newest = sorted(said.values(), reverse=True)
    opening = next((r for r in before if is_telling(r.text)), None)
    messages = {item.why or item.text for item in c.trail}
    little = above is not None and extent(above.text)[1] < 2 * SHORT
    at = (n for n in newest if is_telling(before[n].text))
    # The newest that says much, else the newest that says anything, leads where those above are short.
    lead = next((n for n in newest if not is_short(before[n].text)), next(at, -1)) if little else -1
    running = _same_turn(c.requests)
    # What was carried out says more of the work than what was answered.
    order = sorted(newest, key=lambda n: not before[n].changes)
    for number in newest:
        request, n = before[number], order.index(number)
        kind = "earlier" if is_telling(request.text) else "earlier reply"
        rank = min(RANKS[kind].at(n), _FIRST_REQUEST if request is opening else 99)
        rank = min(rank, _SAME_TURN if request.places[:1] in running else 99)
        rank = min(rank, _NEXT_REQUEST) if number == lead else rank
        later = max(rank + 1, RANKS["ended"].at(n))
        ended = request.ended if request.ended not in messages else None
        where = tag(request.places[:1])
        head = f"{where}{_behind(request)}"
        forms = {f"- {inline(request.text, 110)}{head}": rank}
        forms.setdefault(f"- {inline(request.text, 200)}{head}", rank + 0.8)
        if ended:
            forms[f"- {inline(request.text, 200)}{head}\n  last message: {_end(ended, 240)}"] = (
                later
            )
        if len(request.text) > 200 or len(ended or "") > 240:
            longest = f"- {inline(request.text, 1200)}{head}"
            longest += f"\n  last message:\n{indented(fitted(ended, 1200))}" if ended else ""
            forms.setdefault(longest, later + 6)
        (text, first), *longer = forms.items()
        facts = frozenset() if ended else frozenset(request.places)
        more = tuple((at, form) for form, at in longer)
        yield Line(text=text, rank=first, longer=more, facts=facts)


def _behind(request: Request[Clean]) -> str:
    """The end of the message before a short request, or the point whose number it is."""
    lines = [line for line in (request.about or "").splitlines() if any(map(str.isalpha, line))]
    lines += [line for line in lines if choice(line) == request.text][-1:]
    short = not is_telling(request.text) and request.source not in {"answer", "refusal"}
    return f", after the agent's {inline(lines[-1], _ABOUT)}" if short and lines else ""


def _same_turn(requests: Sequence[Request[Clean]]) -> set[tuple[str, ...]]:
    """The places of those that the agent was at work on when the active one was written, but for replies."""
    at = max(active(requests), 0)
    while at and requests[at].source == "queued":
        at -= 1
    return {r.places[:1] for r in requests[at : active(requests)] if not is_reply(r.text)}


def _is_told_apart(request: Request[Clean], decided: set[str]) -> bool:
    """Whether it stands among the decisions, or only the client answered (`/plugin list`)."""
    if request.source == "command":
        return not request.ended
    return request.source in {"answer", "refusal"} and bool(decided & set(request.places))


def _end(text: str, limit: int) -> str:
    return f"“{first_words(one_line(text), limit)}”"
