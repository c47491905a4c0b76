"""Distill: one line that says what this work is."""

from __future__ import annotations

import re

from onward.distill.cues import is_substantial
from onward.distill.plan import Plans, moved_on, title_of
from onward.distill.requests import names_work, window
from onward.distill.talk import Said, Talk
from onward.distill.text import abridge, prose, sentences, shorten
from onward.model import Event, Item, Titled

_LIMIT = 100
_LEAD_IN = re.compile(
    r"""^(?:
      (?:(?:great|good|perfect|nice|cool|awesome|sgtm|lgtm)[,.!:-]|ok(?:ay)?|so|now|well|hi|hey|hello|thanks|thank\s+you|yes|yeah|yep|nah|alright|right|and|also|then|next|i\s+think|i\s+guess)\b[\s,.!:-]*
    | (?:please|pls|kindly)\b[\s,]*
    | (?:can|could|would|will)\s+(?:you|we)\s+(?:please\s+|also\s+|now\s+)?
    | i\s+(?:want|need|would\s+like|'d\s+like)\s+(?:you\s+)?(?:to\s+)?(?:be\s+able\s+to\s+)?
    | i'd\s+like\s+(?:you\s+)?to\s+ | let(?:'|’)?s\s+ | let\s+us\s+ | we\s+(?:need|want|should|have)\s+(?:to\s+)? | you\s+(?:need|should|have)\s+to\s+
    | (?:请|請|帮我|帮忙|麻烦|你)+
    )""",
    re.IGNORECASE | re.VERBOSE,
)


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


def task(talk: Talk, plans: Plans, titles: Titles) -> Item[str]:
    """What the work is: the person's title, a plan still being carried out, the last request
    that asks for something, else what the client called the session.
    """
    if titles.by_person:
        return _named(titles.by_person.text, titles.by_person.place)
    if plans.approved and not moved_on(plans.approved_at, talk):
        return _named(title_of(plans.approved), plans.approved.place)
    said = _best(window(talk)) or next(
        (s for s in reversed(talk.said) if is_substantial(s.text)), None
    )
    if said:
        return _named(headline(said.text), said.place)
    if titles.by_client:
        found = titles.by_client
        return Item(text=shorten(found.text, _LIMIT), places=(found.place,))
    last = talk.last_prompt()
    return _named(headline(last.text), last.place) if last else Item(text="")


def _best(held: list[Said]) -> Said | None:
    """The last words that name a piece of work, else the last that say something."""
    asked = [s for s in reversed(held) if is_substantial(s.text)]
    return next((s for s in asked if names_work(s)), asked[0] if asked else None)


def _named(text: str, place: str) -> Item[str]:
    return Item(text=shorten(" ".join(text.split()), _LIMIT), evidence="asked", places=(place,))


def headline(text: str) -> str:
    """The first typed sentence that asks for something, without its polite opening; of
    pasted output its last line, where errors stand.
    """
    typed = prose(abridge(text, 1200))
    if not typed:
        return f"Look into the pasted output: {_telling(text)}" if text.strip() else ""
    said = [s for s in sentences(typed) if is_substantial(s)]
    first = next((s for s in said if not s.endswith(":")), said[0] if said else typed)
    first = first.strip().lstrip("#*-• >\u276f\u203a").strip()
    while (opening := _LEAD_IN.match(first)) and is_substantial(first[opening.end() :]):
        first = first[opening.end() :]
    first = first.rstrip(" .:;,")
    word = first.split(" ", 1)[0]
    return first[:1].upper() + first[1:] if word.isalpha() else first


def _telling(output: str) -> str:
    """The last line of pasted output that names an error, else the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|fail|exception", line, re.IGNORECASE)]
    return (errors or lines)[-1]
