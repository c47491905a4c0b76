"""Distil: what one message settles, as it comes: decisions, corrections, preferences.

The recogniser is that of the checkpoint's decisions; here it is held to what the person would
want in their state file. A checkpoint weighs a line against all others of its session, the state
file keeps it for good: a go-ahead, a request or a remark would only be in the way there.
"""

from __future__ import annotations

import re
from typing import Literal

from onward.distill.findings.decisions import begun, decisions
from onward.distill.said import options
from onward.distill.said.cues import is_choice, is_rule
from onward.distill.said.manner import asks_back, is_remark, is_report, wonders
from onward.distill.said.plan import Plans
from onward.distill.said.questions import Questions
from onward.distill.said.settling import corrects, typed
from onward.distill.said.talk import Said, Talk
from onward.distill.text import is_log, one_line, words
from onward.model import Prompt, Reply

Kind = Literal["decision", "correction", "preference"]

_MOST = 3
_LIMIT = 240
_LONGEST = 800
"""Characters above which a message is a document, a log or a whole brief rather than a word."""
_FEW = 4
_MANY = 48
"""Words below and above which a sentence lays nothing down that could be kept as a line."""
_LASTING = re.compile(
    r"\b(?:always|never|from now on|going forward|every time|prefer|siempre|nunca|immer|niemals"
    r"|toujours|jamais|sempre)\b|以后|每次|一律|永远|必ず|常に|항상",
    re.IGNORECASE,
)
"""A manner for all that follows, though a choice is told in it."""
_TOLD_OF = re.compile(
    r"\b(?:you|we|they|it|i|he|she|can|could|is|are|was|were)\s+(?:can\s+|could\s+)?(?:always|never)\b"
    r"|\b(?:those|these|they|it|that|there|i|you)\s+(?:don'?t|doesn'?t|do not|does not)\b"
    r"|\bto follow\b|sooner rather than|\bdone (?:with|for)\b",
    re.IGNORECASE,
)
"""Says how something is, not how it is to be."""
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|probably|might|i wonder|not sure|thinking aloud|guess)\b|可能|也许|或许",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\W*(?:(?:so|and|but|or|ok|hmm+)\W+)*if\s+(?:i|we|you|it|there|this|that|they|the)\b",
    re.IGNORECASE,
)
_PASTED = re.compile(
    r"^\s*(?:[+>|$%]|//|/\*|--\w|at \S+:\d)|[\u23bf\u25cf\u276f\u2502\u2503]|\[code\]"
)
"""Code, a shell's prompt, or the marks that a client draws beside its own lines."""
_WEAK_CUE = re.compile(r"\b(?:instead|rather than|for now)\b", re.IGNORECASE)
_ORDERS = re.compile(
    r"\b(?:use|using|rename|change|switch|put|make|keep|leave|move|call|go|write|hard ?code|must"
    r"|let'?s|is fine|is ok|can write|same goes|simple|note|only)\b|(?:^|[,;:.]\s*|\b(?:please|and|but|so)\s+)don'?t\b",
    re.IGNORECASE,
)
"""What a choice holds whose cue alone would also stand in any description."""
_DENIES = re.compile(
    r"\W*(?:no|nope|nein|non|i (?:said|told you|meant(?! to type)))\b|\W*(?:不是|不对|错了|いや)",
    re.IGNORECASE,
)
_LAYS_DOWN = re.compile(
    r"\b(?:should|must|only|never|always|instead|rather|keep|leave|without|supposed)\b|, not\b"
    r"|^\W*(?:please\s+)?(?:don'?t|dont|do not)\b|不要|不用|别|改",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\W*\d{1,2}\s*[.),\uff0c、:]\s*\S")
"""A list of answers rather than a choice."""


def significant(text: str, before: str = "") -> list[tuple[Kind, str]]:
    """At most three lines of at most 240 characters that the message settles, with their kinds.

    `before` is what the agent said last: what a bare "2" picks. Precise rather than complete.
    """
    text = text.strip()
    if len(text) > _LONGEST or text[:1] in "</!#":
        return []
    talk = Talk()
    if before:
        talk.see(Reply(line=1, text=before), 1)
    talk.see(Prompt(line=2, text=text), 2)
    found = decisions(talk, Questions(), Plans())
    if not found:
        return []
    said = talk.said[-1]
    lines = _picked(said, found[0].text) or _corrected(said) or _laid_down(text)
    return [(kind, one_line(line, _LIMIT)) for kind, line in lines[:_MOST]]


def _picked(said: Said, line: str) -> list[tuple[Kind, str]]:
    """Which of the agent's options: with the option itself, as nobody remembers its number."""
    if asks_back(said.text) or _NUMBERED.match(said.text):
        return []
    picked = options.picked(said.text, said.offer)
    return [("decision", line)] if picked != said.text and picked in line else []


def _corrected(said: Said) -> list[tuple[Kind, str]]:
    if not corrects(said) or len(said.text) > _LIMIT or _is_passing(said.text):
        return []
    if is_report(said.text) or not (_DENIES.match(said.text) or _LAYS_DOWN.search(said.text)):
        return []
    return [("correction", said.text)]


def _laid_down(text: str) -> list[tuple[Kind, str]]:
    """The sentences that say how it is to be, now or for good."""
    lines: list[tuple[Kind, str]] = []
    for sentence in typed(text):
        if (
            _is_passing(sentence)
            or is_remark(sentence)
            or not _FEW <= len(words(sentence)) <= _MANY
        ):
            continue
        lasting = is_rule(sentence) and not _TOLD_OF.search(sentence)
        chosen = is_choice(sentence) and not _TOLD_OF.search(sentence)
        if chosen and _WEAK_CUE.search(sentence) and not _ORDERS.search(sentence):
            chosen = False
        if lasting and (not chosen or _LASTING.search(sentence)):
            lines.append(("preference", begun(sentence)))
        elif chosen:
            lines.append(("decision", begun(sentence)))
    return lines


def _is_passing(sentence: str) -> bool:
    """A question, a condition, a thought, a line of a log or of code."""
    return bool(
        wonders(sentence)
        or _CONDITION.match(sentence)
        or _UNSURE.search(sentence)
        or _PASTED.search(sentence)
        or is_log(sentence)
    )
