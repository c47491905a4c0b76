"""Distil: what the agent asked and the person has not answered yet."""

from __future__ import annotations

import re
from collections import deque

from onward.distill.said.cues import is_offer_of_courtesy
from onward.distill.said.points import heads
from onward.distill.said.talk import Talk
from onward.distill.text import one_line, sentences, shorten, unfenced
from onward.model import Asked, Event, Item, Prompt, Question

_LIMIT = 600
_KEPT = 60
_ROOM = 40
"""Characters below which a piece of a list is not worth its place."""
_LISTED = re.compile(r"^\s*(?:[-*•]|\d+[.)]|[A-Ea-e][.)]|\*\*(?:\d|[A-E]|Option))\s*\S")
_NUMBERED = re.compile(r"\W*(?:\d+|[A-Ea-e]|option\s+\w)[.):*]", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:these|those|them|which|options?|prefer|either|both|all|any|one|order|cu[aá]l\w*|welche\w*)\b"
    r"|哪|方案|选|这些|以上|どれ|どちら",
    re.IGNORECASE,
)
"""Words of a question that point at a list before it."""
_ASKS = re.compile(
    r"[?\uff1f]['\"”’)*_`\]]*\s*$"
    r"|^\W*(?:please\s+(?:choose|confirm|select|decide|tell\s+me)|(?:let\s+me\s+know|tell\s+me)\s+(?:which|whether))\b"
    r"|^\W*请(?:选择|确认|告诉我|决定)",
    re.IGNORECASE,
)
"""A question, with its mark or as a request to choose."""
_OFFERS = re.compile(
    r"\b(?:(?:do\s+you\s+|would\s+you\s+)?(?:want|like|prefer)\s+(?:me|to)\b|(?:shall|should|may)\s+(?:i|we)\b"
    r"|would\s+you\s+(?:like|prefer)|do\s+you\s+(?:want|prefer|agree)|which\s+(?:one|of|option|way|approach)|ok(?:ay)?\s+to\b|ready\s+(?:to|for\s+me)\b"
    r"|quer(?:es)?\s+que|deseja\s+que|soll\s+ich|quieres\s+que)|需要我|要不要|要我|是否需要|是否要|您希望|你希望|しましょうか",
    re.IGNORECASE,
)
"""A question that offers the person an act; others are asked for the sake of the telling."""


class Questions:
    """Collects forms of questions: those answered, and the one that is still open."""

    def __init__(self) -> None:
        self.answered: deque[tuple[int, Asked]] = deque(maxlen=_KEPT)
        self.open: Asked | None = None

    def see(self, event: Event, at: int) -> None:
        """Take note of a form; words of the person close it."""
        if event.thread:
            return
        if isinstance(event, Asked):
            self.open = None if event.answered else event
            if event.answered:
                self.answered.append((at, event))
        elif isinstance(event, Prompt):
            self.open = None


def worded(question: Question) -> str:
    """A question with what was offered."""
    offered = f" ({' / '.join(one_line(o, 80) for o in question.options)})"
    return one_line(question.text, 300) + (offered if question.options else "")


def question_in(reply: str, limit: int = _LIMIT) -> str:
    """The question or offer that a message of the agent ends with, with its options; else
    its last paragraph: a go-ahead answers that.
    """
    blocks = _blocks(reply)
    if not blocks:
        return ""
    at = _asking(blocks)
    if at is None:
        prose = [block for block in blocks if not block.startswith("#")]
        return shorten(prose[-1], limit) if prose else ""
    picked = [blocks[at], *(b for b in blocks[at + 1 : at + 2] if "](" not in b)]
    for block in reversed(blocks[max(0, at - 4) : at]):
        # Options stand before the question, at times one paragraph each.
        if not (_is_list(block) and (_NUMBERED.match(block) or _POINTS.search(blocks[at]))):
            break
        picked.insert(0, block)
    return _fit("\n".join(picked), limit)


def _fit(asked: str, limit: int) -> str:
    """The question itself goes before what leads up to it, and before options after it."""
    if len(asked) <= limit:
        return asked
    lines = asked.splitlines()
    at = max((n for n, line in enumerate(lines) if _ASKS.search(line)), default=len(lines) - 1)
    question = shorten(sentences(lines[at])[-1] if len(lines[at]) > limit else lines[at], limit)
    before = heads(lines[:at], max(limit - len(question) - 1, 0)) if at else ""
    after = limit - len(question) - len(before) - 2
    tail = shorten("\n".join(lines[at + 1 :]), after) if after > _ROOM else ""
    return "\n".join(part for part in (before, question, tail) if part and part != "…")


def _blocks(reply: str) -> list[str]:
    """The paragraphs of a message, code left out."""
    prose = unfenced(reply)
    return [b.strip() for b in re.split(r"\n\s*\n", prose) if b.strip().strip("-* \n")]


def _asking(blocks: list[str]) -> int | None:
    """Which of the last paragraphs asks: after it only lists of options may stand."""
    for at in range(len(blocks) - 1, max(len(blocks) - 4, -1), -1):
        if _asks(blocks[at]):
            return at
        if not _is_list(blocks[at]):
            return None
    return None


def _asks(block: str) -> bool:
    """Whether a paragraph ends in a question, an afterthought or options behind it allowed."""
    lines = block.splitlines()
    while len(lines) > 1 and _LISTED.match(lines[-1]) and not _ASKS.search(lines[-1]):
        lines.pop()
    if _LISTED.match(lines[-1]):
        return bool(_ASKS.search(lines[-1]))
    return any(_ASKS.search(s) for s in sentences(lines[-1])[-2:])


def _is_list(block: str) -> bool:
    lines = block.splitlines()
    return sum(bool(_LISTED.match(line)) for line in lines) * 2 >= len(lines)


def open_question(talk: Talk, questions: Questions) -> Item[str] | None:
    """The question that waits for the person: of a form, or at the end of the agent's last
    message; one that asks for nothing in particular is none.
    """
    if questions.open is not None:
        text = "; ".join(worded(q) for q in questions.open.questions)
        return Item(text=text, evidence="claimed", places=(questions.open.place,)) if text else None
    last = talk.last_prompt()
    if talk.interrupt or talk.halt or talk.acts_after_reply or (last and not last.answers):
        return None
    asked = ends_in_question(talk.reply) or buried_question(talk.reply)
    if not asked:
        return None
    return Item(text=asked, evidence="claimed", places=(talk.reply_place,))


def ends_in_question(reply: str) -> str:
    """The question that a message ends with, with its options; "" for none or a courtesy."""
    blocks = _blocks(reply)
    at = _asking(blocks) if blocks else None
    if at is None:
        return ""
    asked = [s for s in sentences(blocks[at]) if _ASKS.search(s)]
    return question_in(reply) if any(not is_offer_of_courtesy(s) for s in asked) else ""


def offers_choice(reply: str) -> bool:
    """Whether the question at the end of a message names alternatives."""
    asked = question_in(reply)
    listed = sum(bool(_LISTED.match(line)) for line in asked.splitlines())
    return listed > 1 or bool(re.search(r"\b(?:or|o|oder|ou)\b|还是|それとも", asked))


def asking(reply: str, limit: int) -> str:
    """The sentence alone that asks, at the end of a message; "" for none."""
    asked = [s for s in sentences(ends_in_question(reply)) if _ASKS.search(s)]
    return shorten(asked[-1].replace("**", "").strip(" -*"), limit) if asked else ""


def buried_question(reply: str, limit: int = _LIMIT) -> str:
    """An offer to the person that stands before the end of a message, with the list after it;
    "" for none.
    """
    blocks = _blocks(reply)
    for at in range(len(blocks) - 1, -1, -1):
        if blocks[at].startswith(("#", "|", ">")):
            continue
        for sentence in reversed(sentences(blocks[at])):
            if (
                _OFFERS.search(sentence)
                and _ASKS.search(sentence)
                and not is_offer_of_courtesy(sentence)
            ):
                after = [b for b in blocks[at + 1 : at + 2] if _is_list(b)]
                return _fit("\n".join([sentence.strip("* "), *after]), limit)
    return ""
