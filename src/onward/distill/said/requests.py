"""Distil: what the person asked for since the last finished thing, and what it began with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from onward.distill.acts import act
from onward.distill.said import options
from onward.distill.said.bare import is_bare
from onward.distill.said.closing import ends_of, next_steps
from onward.distill.said.cues import (
    is_assent,
    is_correction,
    is_courtesy,
    is_narration,
    is_pick,
    is_substantial,
)
from onward.distill.said.ended import with_end
from onward.distill.said.manner import asks_back, is_offer, is_remark, points
from onward.distill.said.points import points_of
from onward.distill.said.questions import buried_question, ends_in_question, question_in
from onward.distill.said.settling import settles
from onward.distill.said.talk import Said, Talk
from onward.distill.text import abridge, repeats, words
from onward.distill.work.git_acts import Act
from onward.model import Item

_LIMIT = 3000
_EARLIER = 1500
_POINTED = 1500
_AGREED = 700
_MOST = 10
_BACK = 6
"""Prompts before the last finished thing that are looked through at most."""
_PASTED, _SAME = 6, 0.8
"""Lines of a text, and the share of them, by which it is known again."""
_SLIGHT = 5
"""Words of a remark that says nothing of the work."""
_INSTEAD = "said in place of: "
"""How the `why` of words that came with a refusal begins, before the act that was refused."""
_SLASH = re.compile(r"/[a-zA-Z][\w:-]*(?:\s|$)")
_SHORT_WORDS = 12
"""Requests with fewer words lean on the one before them."""


def window(talk: Talk) -> list[Said]:
    """The prompts since the last finished thing, and before it as far as they lean on what
    was asked there.
    """
    asked = [s for s in talk.said if s.source != "refusal" and _asks(s)]
    start = next((n for n in range(len(asked) - 1, -1, -1) if asked[n].boundary), 0)
    earliest = max(start - _BACK, 0)
    while start > earliest and not _enough(asked[start:]):
        start -= 1
    return asked[start:]


def refusals(talk: Talk) -> list[Said]:
    """What the person said since the last prompt by refusing an act: their last words too."""
    last = talk.last_prompt()
    since = last.at if last else -1
    return [
        s for s in talk.said if s.source == "refusal" and s.at > since and is_substantial(s.text)
    ]


def _asks(said: Said) -> bool:
    """Bare commands ask for something if the agent set to work on them."""
    if said.source == "command" and len(said.text.split()) == 1:
        return said.answers > 0
    if said.images:
        return True
    # A yes, a no or a "continue" means what it answers or takes up again.
    means = bool(said.offer) or said.stopped
    return not is_courtesy(said.text) and (means or not is_bare(said.text))


def names_work(said: Said, *, answers: bool = True) -> bool:
    """Whether words ask for a piece of work by themselves: questions, corrections and remarks
    lean on what was asked before, and so do answers, unless `answers` is False.
    """
    leans = asks_back(said.text) or is_correction(said.text) or is_remark(said.text)
    leans = leans or said.stopped or (said.offer != "" and options.are_answers(said.text))
    leans = leans or (answers and bool(ends_in_question(said.offer)))
    return _says_something(said) and not leans


def _enough(asked: list[Said]) -> bool:
    """Whether the prompts can be understood without the ones before."""
    substantial = [s for s in asked if is_substantial(s.text)]
    length = sum(len(words(s.text)) for s in substantial)
    return length >= _SHORT_WORDS and any(names_work(s) for s in substantial)


def requests(talk: Talk, commits: Sequence[Act] = ()) -> tuple[Item[str], ...]:
    """The person's words since the last finished thing, in order of time; of all but the last
    how they ended.
    """
    asked = _distinct([*window(talk), *refusals(talk)])
    # A go-ahead that was followed by further words has been acted on.
    asked = [s for s in asked if s is asked[-1] or not is_assent(s.text)]
    main = max((n for n, s in enumerate(asked) if _says_something(s)), default=-1)
    kept = asked if len(asked) <= _MOST else [*asked[:1], *asked[-_MOST + 1 :]]
    last = asked[main:] if main >= 0 else asked
    after = {said.at: following for said, following in pairwise(asked)}
    found = []
    for said in kept:
        item = _item(said, talk, _LIMIT if said in last else _EARLIER)
        if following := after.get(said.at):
            tell = _says_something(said)
            item = with_end(item, said, following, talk, commits, tell=tell)
            if _passes(said, item):
                continue
        found.append(item)
    return tuple(found)


def _passes(said: Said, item: Item[str]) -> bool:
    """Whether earlier words tell the next session nothing: a single word or a short remark that
    nothing is known to have come of, and a slash command that the client did not know, so that it
    reached the agent as words.
    """
    if said.source == "typed" and said.answers <= 1 and all(map(_SLASH.match, _lines(said.text))):
        return True
    slight = len(words(said.text)) <= 1 or (
        is_remark(said.text) and not asks_back(said.text) and len(words(said.text)) <= _SLIGHT
    )
    return slight and not said.images and item.why is None and len(item.places) == 1


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()] or [text]


def _distinct(asked: list[Said]) -> list[Said]:
    """Words said again, perhaps with a little more: the later place is kept."""
    return [
        said
        for n, said in enumerate(asked)
        if not any(
            repeats(later.text, said.text) or _pasted_again(later.text, said.text)
            for later in asked[n + 1 :]
        )
    ]


def _pasted_again(later: str, earlier: str) -> bool:
    """Whether nearly all lines of a long text stand in later words: it was put in anew."""
    lines = {line.strip() for line in earlier.splitlines() if line.strip()}
    again = lines & {line.strip() for line in later.splitlines()}
    return len(lines) >= _PASTED and len(again) >= _SAME * len(lines)


def _item(said: Said, talk: Talk, limit: int) -> Item[str]:
    if said.source == "refusal":
        text, instead = abridge(said.text, limit), f"{_INSTEAD}{act(said.about)}"
        return Item(text=text, evidence="asked", places=(said.place,), why=instead)
    text = options.picked(abridge(said.text, limit), said.offer) or "(a picture)"
    if said.images and said.text:
        text += f" (with {said.images} {'picture' if said.images == 1 else 'pictures'})"
    why = answered(said)
    entries = options.listed(said.text, [s.offer for s in talk.said if s.at <= said.at])
    return Item(text=text, evidence="asked", places=(said.place,), why=entries or why)


def answered(said: Said) -> str | None:
    """What short words answer or point at: the act that was stopped, the agent's question or
    offer, else what it said last.
    """
    bare = is_assent(said.text) or is_pick(said.text)
    if said.stopped and said.about and bare:
        return f"stopped: {act(said.about)}"
    if not bare and len(words(said.text)) >= _SHORT_WORDS and not settles(said):
        return None
    asked = ends_in_question(said.offer) or buried_question(said.offer)
    if asked:
        return _with_points(asked, said)
    offer = question_in(said.offer)
    if is_narration(offer):
        return None
    if bare:
        return (offer if is_offer(offer) else next_steps(said.offer)) or None
    return (ends_of(said.offer, _POINTED) or None) if points(said.text) else None


def _with_points(asked: str, said: Said) -> str:
    """A question with the list before it that it is about, unless it holds its options; what a yes
    agrees to with what was said of it.
    """
    if len(asked.splitlines()) > 1:
        return asked
    listed = points_of(said.offer, f"{asked} {said.text}")
    if not listed and is_assent(said.text) and points(asked):
        told = ends_of(said.offer, _AGREED).splitlines()
        listed = "\n".join(line for line in told if line.replace("**", "") not in asked)
    return f"{listed}\n{asked}" if listed else asked


def wanted(talk: Talk) -> Said | None:
    """The last prompt that asks for something by itself."""
    return next((s for s in reversed(window(talk)) if _says_something(s)), None)


def _says_something(said: Said) -> bool:
    """A bare command says it all: those that the agent did not work on are not here."""
    return said.source == "command" or is_substantial(said.text)


def goal(talk: Talk) -> Item[str] | None:
    """The first prompt that asks for something, where it is not among the last ones."""
    first = next((s for s in [talk.first, *talk.said] if s and is_substantial(s.text)), None)
    if first is None or any(s.text == first.text for s in window(talk)):
        return None
    return Item(text=abridge(first.text, _EARLIER), evidence="asked", places=(first.place,))
