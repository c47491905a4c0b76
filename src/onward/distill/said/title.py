"""Distil: one line that says what this work is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.distill.said.bare import is_bare
from onward.distill.said.cues import is_assent, is_substantial
from onward.distill.said.manner import (
    asks_back,
    is_remark,
    is_reproach,
    refines,
    weight,
    wonders,
)
from onward.distill.said.plan import Plans, current, title_of
from onward.distill.said.questions import ends_in_question
from onward.distill.said.requests import names_work, window
from onward.distill.said.settling import YES_OR_NO
from onward.distill.said.talk import Said, Talk
from onward.distill.said.tasks import Todos
from onward.distill.text import ERROR, abridge, prose, sentences, shorten, words
from onward.model import Event, Evidence, Item, Titled, order_of

_LIMIT = 100
_TELLS = 40
"""Characters of a clause that may stand for all of a line."""
_CLAUSE = re.compile(r"[,;:]\s|\s(?:--|[-–—])\s|[\uff0c\uff1b\uff1a]|\.\s")
_FAR = 5
"""Requests after which another one no longer says what the work is now."""
_WEIGHT = 3
"""Words that a task line needs beside "do it now, please"."""
_LONG = 30
"""Words that make an answer or an addition a piece of work of its own."""
_ALSO = re.compile(r"\W*(?:and\s+)?also\b|另外|还有", re.IGNORECASE)
_TYPED = 0.7
"""Share of typed text below which most of a prompt was pasted."""
_NO_REQUEST = re.compile(
    r"[^\w\s/@`\"'“#*•(\[<>\u276f\u203a-]|curl\s+(?:-|[\"']?http)|[\w-]+:\s\S+$", re.IGNORECASE
)
"""How a line begins that was drawn or typed into a shell; a setting."""
_INSULT = re.compile(r"\W*you\s+(?:\w+\s+){0,3}(?:idiot|moron|imbecile)\b", re.IGNORECASE)
_PRAISE = re.compile(
    r"\W*(?:great|good|perfect|nice|cool|awesome|thanks|thank\s+you|ok(?:ay)?)\b", re.IGNORECASE
)
_LEAD_IN = re.compile(
    r"""^(?:
      (?:(?:great|good|perfect|nice|cool|awesome|sgtm|lgtm|ultrathink)[,.!:-]?|ok(?:ay)?|so|now|well|hi|hey|hello|thanks|thank\s+you|yes|yeah|yep|nah|alright|right|and|also|then|next|i\s+think|i\s+guess)\b[\s,.!:-]*
    | (?:please|pls|kindly)\b[\s,]*
    | (?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+|also\s+|now\s+)?
    | i\s+(?:want|need|would\s+like|'d\s+like)\s+(?:(?:you|u)\s+)?(?:to\s+)*(?:be\s+able\s+to\s+)?
    | i'd\s+like\s+(?:(?:you|u)\s+)?(?:to\s+)+(?:help\s+me\s+(?:to\s+)?)? | let(?:'|’)?s\s+ | let\s+us\s+ | we\s+(?:need|want|should|have)\s+(?:to\s+)? | you\s+(?:need|should|have)\s+to\s+
    | (?:请|請|帮我|帮忙|麻烦|你)+
    )""",
    re.IGNORECASE | re.VERBOSE,
)


_LEANS = re.compile(
    r"(?:but|or|and|then|so|it|that|this|these|those|they|you)\b|但|那|这", re.IGNORECASE
)
_OFFER = re.compile(
    r"^(?:(?:do\s+you\s+|would\s+you\s+)?(?:want|like)\s+me\s+to|shall\s+i|should\s+i|may\s+i"
    r"|soll\s+ich|(?:quer|deseja)\s+que\s+eu|quieres\s+que|要不要我?|需要我|要我)\s*(?P<act>.+)",
    re.IGNORECASE,
)
"""How the agent offers to do something."""


class Titles:
    """Collects the session's names: the person's own, else the client's newest."""

    def __init__(self) -> None:
        self.by_person: Titled | None = None
        self.by_client: Titled | None = None

    def see(self, event: Event, _at: int) -> None:
        """Take note of a name."""
        if isinstance(event, Titled) and not event.thread and event.text.strip():
            if event.by_person:
                self.by_person = event
            else:
                self.by_client = event


def task(talk: Talk, plans: Plans, titles: Titles, todos: Todos) -> Item[str]:
    """What the work is: the person's title, a plan still being carried out, the last request
    that says by itself what is to be done, a task under way that is newer than any such, else what
    the client called the session.
    """
    if titles.by_person:
        return _named(titles.by_person.text, titles.by_person.place)
    over = plans.approved is not None and plans.done_at > plans.approved_at
    over = over and bool(talk.since(plans.done_at))
    plan = None if over else current(plans, talk)
    said = None if plan else _full(window(talk)) or _refined(talk)
    if plan is None and not over and (said is None or said.at < plans.approved_at):
        plan = plans.approved
    if plan:
        return _named(title_of(plan), plan.place)
    said = said or _best(talk)
    instead = _under_way(said, talk, todos) or _accepted(said, talk)
    if instead:
        return instead
    if over and said and said.at < plans.done_at:
        said = next((s for s in talk.since(plans.done_at)[::-1] if is_substantial(s.text)), said)
    if said:
        return _named(headline(said.text), said.place)
    return _otherwise(talk, titles)


def _otherwise(talk: Talk, titles: Titles) -> Item[str]:
    """A name where nothing was asked for: the client's, else the person's last words."""
    if titles.by_client:
        found = titles.by_client
        return Item(text=shorten(found.text, _LIMIT), places=(found.place,))
    last = talk.last_prompt()
    if last is None or is_bare(last.text):
        return Item(text="")
    return _named(headline(last.text), last.place)


def _under_way(said: Said | None, talk: Talk, todos: Todos) -> Item[str] | None:
    """The task in progress, where the request that names the work best lies far back, or names it
    poorly and the list is newer than the last words.
    """
    doing = [t for t in todos.last.items if t.status == "in_progress"] if todos.last else []
    if todos.last is None or not doing:
        return None
    far = said is None or len(talk.since(said.at)) >= _FAR
    last = talk.last_prompt()
    newer = last is not None and order_of(todos.last.place) > order_of(last.place)
    if far or (newer and said is not last and _poor(said) and weight(doing[0].title) >= _WEIGHT):
        return _named(doing[0].title, todos.last.place, "claimed")
    return None


def _poor(said: Said | None) -> bool:
    """Whether words make a poor title: a question, or half a sentence on what was said before it."""
    first = headline(said.text) if said else ""
    return wonders(first) or (_fitting(first).endswith(" …") and bool(_LEANS.match(first)))


def _accepted(said: Said | None, talk: Talk) -> Item[str] | None:
    """What the agent offered and the person accepted since words that make a poor title."""
    if said is None or not _poor(said):
        return None
    for later in reversed(talk.since(said.at)):
        asked = ends_in_question(later.offer) if is_assent(later.text) else ""
        for sentence in sentences(asked):
            offer = _OFFER.match(sentence.strip(" *-"))
            if offer and weight(offer["act"]) >= _WEIGHT:
                act = offer["act"].rstrip("?\uff1f* ")
                return _named(act[:1].upper() + act[1:], later.offer_place, "claimed")
    return None


def _full(held: Sequence[Said]) -> Said | None:
    """The last words whose headline alone says what the work is about."""
    return next(
        (
            said
            for said in reversed(held)
            if said.source != "refusal"
            and _names_itself(said)
            and not _only_refines(said)
            and weight(headline(said.text)) >= _WEIGHT
        ),
        None,
    )


def _only_refines(said: Said) -> bool:
    """Whether words add to work under way: a long "also …" after it was finished is new work."""
    anew = said.boundary and _ALSO.match(said.text) and len(words(said.text)) >= _LONG
    return refines(said.text) and not anew


def _names_itself(said: Said) -> bool:
    """Whether words name a piece of work; so may a long answer, but no yes or no."""
    leans = len(words(said.text)) < _LONG or YES_OR_NO.match(said.text) is not None
    bare = is_reproach(said.text) or _INSULT.match(said.text)
    return names_work(said, answers=leans) and not bare


def _refined(talk: Talk) -> Said | None:
    """The work that the last words go on with, where they only correct or add to it."""
    if not any(refines(said.text) for said in window(talk)):
        return None
    return _full([*([talk.first] if talk.first else []), *talk.said])


def _best(talk: Talk) -> Said | None:
    """Such words of the whole session, else the last that say something."""
    everything = [*([talk.first] if talk.first else []), *talk.said]
    asked = [s for s in reversed(everything) if is_substantial(s.text)]
    working = next((s for s in asked if names_work(s)), None)
    return _full(everything) or working or next(iter(asked), None)


def _named(text: str, place: str, evidence: Evidence = "asked") -> Item[str]:
    return Item(text=_fitting(" ".join(text.split())), evidence=evidence, places=(place,))


def _fitting(text: str) -> str:
    """A line that fits: a longer one ends with a clause where one tells enough, else with a word."""
    if len(text) <= _LIMIT:
        return text
    ends = [m.start() for m in _CLAUSE.finditer(text) if _TELLS <= m.start() <= _LIMIT]
    return text[: ends[-1]] if ends else shorten(text, _LIMIT)


def headline(text: str) -> str:
    """The first typed sentence that asks for something, without its polite opening; of
    pasted output its last line, where errors stand.
    """
    typed = prose(abridge(text, 1200))
    if not typed:
        return f"Look into the pasted output: {_telling(text)}" if text.strip() else ""
    said = [s for s in sentences(typed) if is_substantial(s)]
    asking = [s for s in said if not (s.endswith(":") or is_remark(s) or _NO_REQUEST.match(s))]
    first = next(iter(asking), said[0] if said else typed)
    if len(typed) < _TYPED * len(text.strip()) and len(asking) > 1:
        # Around pasted text the request stands first or last, and asks; praise may come first.
        wrong = ERROR.search(asking[1]) and _PRAISE.match(first)
        first = asking[-1] if asks_back(asking[-1]) else asking[1] if wrong else first
    first = first.strip().lstrip("#*-• >\u276f\u203a").strip()
    while (opening := _LEAD_IN.match(first)) and is_substantial(first[opening.end() :]):
        first = first[opening.end() :]
    first = first.rstrip(" .:;,")
    word = first.split(" ", 1)[0]
    return first[:1].upper() + first[1:] if word.rstrip(",;:").isalpha() else first


def _telling(output: str) -> str:
    """The last line of pasted output that names an error, else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|fail|exception", line, re.IGNORECASE)]
    return (errors or lines)[-1]
