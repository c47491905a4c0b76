"""Distil: which words of the person settle something: rules, corrections, answers."""

from __future__ import annotations

import re

from onward.distill.said import options
from onward.distill.said.cues import is_choice, is_correction, is_question, is_rule, is_substantial
from onward.distill.said.manner import asks_back, is_remark, is_report, is_reproach, wonders
from onward.distill.said.questions import ends_in_question, offers_choice
from onward.distill.said.talk import Said
from onward.distill.text import abridge, sentences, words

_ANSWER = 300
"""Longer words are a new request rather than an answer."""
_FEW = 3
_SAYING = 4
"""Fewer words than these, in answer to a question, are a go-ahead."""
_LEANS = 8
"""Words of an answer that says nothing without its question."""
_MANNER = re.compile(r"^\W*why\s+are\s+you\b|@\w", re.IGNORECASE)
"""What the agent goes on doing, or a file that it should go by: a correction, though asked."""
_LAYS_DOWN = re.compile(
    r"\b(?:keep|use|leave|stay|put|should|must|need|only|not|don'?t|never|always|instead|rather|want|no|without)\b|[不要用改别]",
    re.IGNORECASE,
)
"""Words after an interrupt that say how it is to be, and not only what to do next."""
YES_OR_NO = re.compile(
    r"\W*(?:yes|yep|yeah|y|no|nope|nah|ok|okay|sure|sg|sgtm|lgtm|approved?|both|neither|sí|ja|nein|sim|não|oui|non|是|好|对|不|可以)\b[\s,.:-]*\S",
    re.IGNORECASE,
)


def lays_a_rule(text: str) -> bool:
    """Whether a sentence of it is a rule for all that follows."""
    return any(is_rule(s) and not asks_back(s) for s in typed(text))


def corrects(said: Said) -> bool:
    """Words that say what to do instead; a complaint alone says only that something is wrong."""
    if len(said.text) > _ANSWER or not is_substantial(said.text):
        return False
    telling = asks_back(said.text) or is_reproach(said.text) or is_remark(said.text)
    telling = telling or is_report(said.text)
    if is_correction(said.text) and not telling:
        return True
    told = [s for s in typed(said.text) if not asks_back(s) and not is_reproach(s)]
    only_asks = all(map(is_question, typed(said.text)))
    if is_correction(said.text) and _MANNER.search(said.text) and not only_asks:
        return True
    lays_down = any(_LAYS_DOWN.search(s) and len(words(s)) >= _FEW for s in told)
    return said.stopped and not is_remark(said.text) and not asks_back(said.text) and lays_down


def settles(said: Said) -> bool:
    """Whether words answer the question before them: with a yes or no and more, with one of
    the options, or with which way to go.
    """
    asked = ends_in_question(said.offer)
    if not asked or wonders(said.text) or len(said.text) > _ANSWER:
        return False
    if is_choice(said.text) or is_rule(said.text) or options.keys(said.text):
        return True
    if len(words(said.text)) < _SAYING:
        return offers_choice(said.offer) and _shares(said.text, asked)
    return bool(YES_OR_NO.match(said.text)) or (
        offers_choice(said.offer) and not is_remark(said.text) and _shares(said.text, asked)
    )


def answers(text: str, asked: str) -> bool:
    """Whether words take up the question before them, and are not only said after it."""
    plain = bool(YES_OR_NO.match(text) or options.keys(text)) or len(words(text)) <= _LEANS
    return plain or _shares(text, asked)


def _shares(text: str, asked: str) -> bool:
    """Whether words take up what the question names."""
    common = {w for w in words(text) if len(w) > _SAYING - 1 or not w.isascii()} & set(words(asked))
    return bool(common)


def typed(text: str) -> list[str]:
    """The sentences that a person typed: of long, pasted text only its first and last lines."""
    return sentences(abridge(text, 1200)) if len(text) <= 1500 else sentences(abridge(text, 600))
