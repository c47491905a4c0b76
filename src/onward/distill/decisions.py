"""Distill: what the person decided, refused and laid down, with the reason beside it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from onward.distill.cues import (
    is_assent,
    is_choice,
    is_correction,
    is_courtesy,
    is_narration,
    is_pick,
    is_question,
    is_rule,
    is_substantial,
)
from onward.distill.plan import Plans, title_of
from onward.distill.questions import Questions, ends_in_question, offers_choice, picked, question_in
from onward.distill.talk import Said, Talk
from onward.distill.text import abridge, act_line, one_line, sentences, words
from onward.model import Asked, Item, Question

_MOST = 15
_LIMIT = 400
_ANSWER = 300
"""Longer words are a new request rather than an answer."""
_RULING = 800
"""Longer words after an interrupt are a new piece of work."""
_FEW = 3
_MOSTLY = 0.6
"""Share of words in common that makes two lines one."""
_SAYING = 4
"""Fewer words than these, in answer to a question, are a go-ahead."""

# Ranks: a rule said twice stands first, what only cue words tell last.
_TWICE, _ANSWERED, _REFUSED, _PICKED, _CORRECTED, _REPLIED, _CUED = range(7)
_Ranked = tuple[int, int, Item[str]]


def decisions(talk: Talk, questions: Questions, plans: Plans) -> tuple[Item[str], ...]:
    """Decisions by strength, the newest first among equals."""
    found = [*_answers(questions), *_plans(plans), *_words(talk)]
    best = sorted(_twice(found), key=lambda ranked: (ranked[0], -ranked[1]))
    return tuple(item for _, _, item in best[:_MOST])


def _answers(questions: Questions) -> Iterator[_Ranked]:
    for at, form in questions.answered:
        for question in form.questions:
            if question.answer:
                yield _ANSWERED, at, _answer(form, question)


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
    for at, plan in plans.all:
        words_of = one_line(plan.words, _LIMIT)
        if plan is plans.approved:
            text = f"Approved the plan: {title_of(plan)}"
        elif plan.approved is False and words_of:
            text = f"Sent the plan back ({title_of(plan)}): {words_of}"
        else:
            continue
        why = (words_of or None) if plan.approved else None
        yield _ANSWERED, at, Item(text=text, evidence="asked", places=(plan.place,), why=why)


def _words(talk: Talk) -> Iterator[_Ranked]:
    for said in talk.said:
        if said.source == "refusal":
            if said.kind != "plan" and not is_question(said.text):
                yield _REFUSED, said.at, refused(said)
        elif not (is_assent(said.text) or is_courtesy(said.text)):
            rank = _rank(said)
            if rank is not None:
                yield rank, said.at, _decided(said, rank)


def refused(said: Said) -> Item[str]:
    """A refusal with the person's words."""
    act = f" (instead of: {act_line(said.about)})" if said.about else ""
    return Item(
        text=abridge(said.text, _LIMIT) + act, evidence="asked", places=(said.place,), why=None
    )


def _rank(said: Said) -> int | None:
    """How strongly these words decide something; None where they only ask."""
    corrects = said.stopped and len(said.text) <= _RULING and is_substantial(said.text)
    corrects = corrects or (is_correction(said.text) and said.source != "command")
    if said.source != "command" and _picks(said):
        return _PICKED
    if corrects:
        return _CORRECTED
    if said.source != "command" and _answers_question(said):
        return _PICKED if offers_choice(said.offer) else _REPLIED
    if said.source == "command" or is_question(said.text) or len(words(said.text)) < _SAYING:
        return None
    return _CUED if any(is_choice(s) or is_rule(s) for s in typed(said.text)) else None


def _picks(said: Said) -> bool:
    return bool(said.offer) and is_pick(said.text)


def _answers_question(said: Said) -> bool:
    short = len(said.text) <= _ANSWER and len(words(said.text)) >= _SAYING
    return short and not is_question(said.text) and bool(ends_in_question(said.offer))


def _decided(said: Said, rank: int) -> Item[str]:
    text = picked(abridge(said.text, _LIMIT), said.offer)
    why = None
    if rank in {_PICKED, _REPLIED}:
        why = question_in(said.offer, _LIMIT)
    elif rank == _CUED:
        text = one_line(
            " … ".join(s for s in typed(said.text) if is_choice(s) or is_rule(s)), _LIMIT
        )
    elif said.stopped and said.about:
        why = f"said when stopping: {act_line(said.about)}"
    elif said.offer and not is_narration(question_in(said.offer)):
        why = f"said after: {quoted_end(said.offer)}"
    return Item(text=text, evidence="asked", places=(said.place,), why=why)


def quoted_end(offer: str) -> str:
    """The last sentence of a message: what a correction contradicts."""
    return f"“{one_line(sentences(offer)[-1], 160)}”"


def typed(text: str) -> list[str]:
    """The sentences that a person typed: of long, pasted text only its first and last lines."""
    return sentences(abridge(text, 1200)) if len(text) <= 1500 else sentences(abridge(text, 600))


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
        again = rank > _ANSWERED and len(places) > len(before.item.places)
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
