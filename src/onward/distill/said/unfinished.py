"""Distil: earlier requests of the present topic that another one came before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from onward.distill.findings.state import said
from onward.distill.said.cues import is_substantial
from onward.distill.said.manner import asks_back, is_remark
from onward.distill.said.requests import window
from onward.distill.said.talk import Said, Talk
from onward.model import Item

_MOST = 3
_LIMIT = 240
_OPENING = 120
"""Characters in which a request says that it comes before another."""
_FIRST = re.compile(
    r"^\W*(?:\w+\W+){0,6}first\b|\bfirst\W*$|\b(?:before\s+(?:that|you|this|we)|meanwhile|in\s+the\s+meantime|while\s+(?:that|this|it)|hold\s+on)\b"
    r"|^\W*先|之前先|まず|primero\b|primeiro\b|zuerst\b|erst\s+mal",
    re.IGNORECASE,
)
"""Words that put a request before the one that is being worked on."""


def unfinished(talk: Talk) -> list[Item[str]]:
    """Requests that the agent had not begun when a later one came, and those that the person
    interrupted to have something else done first; newest first.
    """
    found = [*_waiting(talk), *_interrupted(window(talk))]
    return found[::-1][:_MOST]


def _interrupted(held: list[Said]) -> Iterator[Item[str]]:
    for one, after in pairwise(held):
        if after.stopped and _FIRST.search(after.text[:_OPENING]) and _is_request(one):
            yield _item(one, after, "another request was put before it")


def _waiting(talk: Talk) -> Iterator[Item[str]]:
    """The prompts at the end, but the last, that nothing of the agent followed."""
    prompts = [s for s in talk.said if s.source != "refusal"]
    for one, after in reversed(list(pairwise(prompts))):
        if one.answers or after.answers:
            return
        if _is_request(one):
            yield _item(one, after, "nothing of the agent followed it")


def _is_request(one: Said) -> bool:
    return is_substantial(one.text) and not asks_back(one.text) and not is_remark(one.text)


def _item(one: Said, after: Said, why: str) -> Item[str]:
    text = f"Asked before and not seen to be done: {said(one.text, _LIMIT)}"
    return Item(text=text, evidence="asked", places=(one.place, after.place), why=why)
