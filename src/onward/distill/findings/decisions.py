"""Distil: what the person decided, refused and laid down, with the reason beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from onward.distill.acts import act
from onward.distill.said import options
from onward.distill.said.closing import ends_of, intends
from onward.distill.said.cues import (
    is_assent,
    is_choice,
    is_courtesy,
    is_pick,
    is_question,
    is_rule,
    is_substantial,
)
from onward.distill.said.manner import asks_back, is_remark, shared, wonders
from onward.distill.said.message import leads, unlisted
from onward.distill.said.plan import Plans, current, purpose_of, title_of
from onward.distill.said.questions import Questions, asking, ends_in_question, question_in
from onward.distill.said.requests import window
from onward.distill.said.settling import answers, corrects, lays_a_rule, settles, typed
from onward.distill.said.talk import Said, Talk
from onward.distill.text import abridge, act_line, one_line, sentences, words
from onward.model import Asked, Item, Question

_MOST = 8
_LIMIT = 320
_QUESTION = 160
_FEW = 3
_MOSTLY = 0.6
"""Share of words in common that makes two lines one."""
_LEANS = 8
"""Words of a decision that may need the act which it was said to."""
_WHOLE = 160
"""Characters of what led up to a question: told whole or not at all."""
_SHORT = 5
"""Words of a decision that says too little by itself."""
_BEARING = 2
"""Words that a question has in common with what led up to it."""
_SAYING = 4
"""Fewer words than these, in answer to a question, are a go-ahead."""

# Ranks: a rule said twice stands first, then rules for all that follows; what was decided
# before the present topic stands last, and of that what only cue words tell.
_TWICE, _RULE, _ANSWERED, _REFUSED, _PICKED, _CORRECTED, _CUED, _SENT_BACK = range(8)
_OLDER = 8
_Ranked = tuple[int, int, Item[str]]
_JOINED = re.compile(r"^(?:and|also|oh)\b,?\s+(?:(?:and|also|then)\b,?\s+)*(?=\w)", re.IGNORECASE)
_NO_ANSWER = re.compile(r"\W*(?:something\s+else|other)\W*$", re.IGNORECASE)


def decisions(talk: Talk, questions: Questions, plans: Plans) -> tuple[Item[str], ...]:
    """At most eight decisions that still bind: rules, then those of the present topic, then
    older ones, each by strength and the newest first.
    """
    found = _twice([*_answers(questions), *_plans(plans), *_words(talk)])
    held = window(talk)
    begun = held[0].at if held else 0
    if plans.approved is not None and current(plans, talk) is plans.approved:
        begun = min(begun, plans.approved_at)
    aged = [(r + (_OLDER if r > _RULE and at < begun else 0), at, item) for r, at, item in found]
    best = sorted(aged, key=lambda ranked: (ranked[0], -ranked[1]))
    return tuple(item for _, _, item in best[:_MOST])


def _answers(questions: Questions) -> Iterator[_Ranked]:
    for at, form in questions.answered:
        for question in form.questions:
            if _is_answer(question.answer):
                yield _ANSWERED, at, _answer(form, question)


def _is_answer(text: str) -> bool:
    return bool(text) and not (is_question(text) or _NO_ANSWER.match(text))


def _answer(form: Asked, question: Question) -> Item[str]:
    others = [o for o in question.options if not o.startswith(question.answer)]
    offered = "; ".join(one_line(o, 80) for o in others)
    return Item(
        text=f"{one_line(question.text, 200)} → {one_line(question.answer, _LIMIT)}",
        evidence="asked",
        places=(form.place,),
        why=f"also offered: {offered}" if offered else None,
    )


def _plans(plans: Plans) -> Iterator[_Ranked]:
    approved = {title_of(plan) for _, plan in plans.all if plan.approved}
    for at, plan in plans.all:
        words_of = one_line(plan.words, _LIMIT)
        if plan is plans.approved:
            why = words_of or purpose_of(plan)
            text = f"Approved the plan: {title_of(plan)}"
            yield _ANSWERED, at, Item(text=text, evidence="asked", places=(plan.place,), why=why)
        elif plan.approved is False and is_substantial(plan.words) and not asks_back(plan.words):
            text = f"Sent the plan back ({title_of(plan)}): {words_of}"
            rank = _SENT_BACK if title_of(plan) in approved else _REFUSED
            why = f"in place of what the plan said on {title_of(plan)}"
            yield rank, at, Item(text=text, evidence="asked", places=(plan.place,), why=why)


def _words(talk: Talk) -> Iterator[_Ranked]:
    for said in talk.said:
        if said.source == "refusal":
            if (
                said.kind not in {"plan", "question"}
                and not asks_back(said.text)
                and words(said.text)[1:]
            ):
                yield (_RULE if lays_a_rule(said.text) else _REFUSED), said.at, refused(said)
        elif not (is_assent(said.text) or is_courtesy(said.text) or said.source == "command"):
            rank = _rank(said)
            if rank is not None:
                yield rank, said.at, _decided(said, rank)


def refused(said: Said) -> Item[str]:
    """A refusal with the person's words."""
    why = f"in place of: {act_line(said.about)}" if said.about else None
    return Item(text=abridge(said.text, _LIMIT), evidence="asked", places=(said.place,), why=why)


def _rank(said: Said) -> int | None:
    """How strongly these words decide something; None where they only ask or tell."""
    if lays_a_rule(said.text):
        return _RULE
    if is_pick(said.text) and said.offer and not asks_back(said.text):
        picks = bool(options.keys(said.text)) or bool(ends_in_question(said.offer))
        if picks and (settles(said) or options.picked(said.text, said.offer) != said.text):
            return _PICKED
    if corrects(said):
        return _CORRECTED
    if settles(said):
        return _PICKED
    if wonders(said.text) or len(words(said.text)) < _SAYING:
        return None
    return _CUED if any(is_choice(s) and not is_remark(s) for s in typed(said.text)) else None


def _decided(said: Said, rank: int) -> Item[str]:
    text, why = options.picked(abridge(said.text, _LIMIT), said.offer), None
    if rank == _PICKED:
        question = asking(said.offer, _QUESTION) if answers(said.text, said.offer) else ""
        text = f"{question} → {text}" if question else text
        others = (
            "; ".join(options.rest_of(said.text, said.offer)) if options.keys(said.text) else ""
        )
        why = f"also offered: {others}" if others else _before(said.offer, question, text)
    elif rank in {_CUED, _RULE}:
        kept = [s for s in typed(said.text) if is_choice(s) or is_rule(s)]
        text = one_line(begun(" … ".join(kept)), _LIMIT)
    why = why or _occasion(said, text)
    return Item(text=text, evidence="asked", places=(said.place,), why=why)


def _occasion(said: Said, text: str) -> str | None:
    """What the words were said to: the act that they stopped, else the end of the agent's message;
    None where they are about something else.
    """
    if said.stopped and said.about:
        told = act(said.about) if not is_question(said.about) else ""
        named = set(said.about.split()[:2]) & set(words(text))  # `git reset`: "never reset …"
        bears = told and (named or (len(words(text)) <= _LEANS and _bears(told, text)))
        return f"the person stopped the agent at {told}" if bears else None
    told = quoted_end(said.offer) if said.offer else "“”"
    return f"said after: {told}" if told[1:-1] not in text and _bears(told, text) else None


def _bears(told: str, text: str) -> bool:
    """Whether something is about what a decision is about, or is needed to understand a short one."""
    return shared(told, text) > 0 or (len(words(text)) <= _SHORT and not intends(told))


def begun(sentence: str) -> str:
    """A sentence that stands alone: without the word that joined it to the one before."""
    rest = _JOINED.sub("", sentence, count=1)
    return rest[:1].upper() + rest[1:] if rest != sentence else sentence


def _before(offer: str, question: str, text: str) -> str | None:
    """What led up to a question: the rest of it, else how the message began; None where that is
    about something else.
    """
    rest = question_in(offer, _LIMIT).replace("**", "").replace(question, "").strip()
    if len(words(rest)) < _FEW:
        told = ends_of(offer, _LIMIT).splitlines()
        rest = next((line for line in told if not leads(line)), "")
    said = sentences(one_line(rest, len(rest) + 1))
    while said and (said[-1].endswith("…") or len(" ".join(said)) > _WHOLE):
        said.pop()
    rest = " ".join(said)
    bears = rest and question not in rest and shared(rest, text) >= _BEARING
    return f"asked after: {rest}" if bears else None


def quoted_end(offer: str) -> str:
    """The last sentence of a message: what a correction contradicts."""
    return f"“{one_line(unlisted(sentences(ends_of(offer))[-1]), 160)}”"


class _Heard(Struct):
    """A decision, and what tells whether another one is the same."""

    rank: int
    at: int
    item: Item[str]
    words: set[str]
    files: set[str]


def _twice(found: list[_Ranked]) -> list[_Ranked]:
    """A rule said again becomes one line with both places, and ranks first."""
    out: list[_Heard] = []
    for rank, at, item in found:
        files = {w for w in item.text.split() if w.startswith("@") and len(w) > 2}
        new = _Heard(rank, at, item, set(words(item.text)), files)
        before = next((heard for heard in out if _same(heard, new)), None)
        if before is None:
            out.append(new)
            continue
        places = tuple(dict.fromkeys((*before.item.places, *item.places)))
        longer = max(before.item, item, key=lambda i: len(i.text))
        again = rank not in {_ANSWERED, _SENT_BACK} and len(places) > len(before.item.places)
        before.rank = _TWICE if again else min(rank, before.rank)
        before.at = at
        before.item = replace(longer, places=places, why=item.why or before.item.why)
    return [(heard.rank, heard.at, heard.item) for heard in out]


def _same(one: _Heard, other: _Heard) -> bool:
    """Whether two lines say the same: most words shared, or the same `@file` insisted on."""
    if one.files & other.files:
        return True
    shared = len(one.words & other.words)
    return min(len(one.words), len(other.words)) >= _FEW and shared >= _MOSTLY * len(
        one.words | other.words
    )
