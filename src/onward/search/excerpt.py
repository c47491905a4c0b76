"""The few words around a hit, on one line, as wide as there is room for."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final
from unicodedata import combining, east_asian_width

from msgspec import Struct

from onward import evidence
from onward.model import Clean
from onward.search.query import Query, composed

_BEFORE: Final = 3  # one part in so many of the room stands before the hit
_PIECES: Final = 3  # pieces of a text that are shown at most
_LEAST: Final = 20  # columns that a piece needs to say anything
_MARK: Final = "[REDACTED:"
_GAP: Final = "…"
_SPACES = re.compile(r"\s+")


class Excerpt(Struct, frozen=True, kw_only=True):
    """Clean text of one line; `spans` are where the hits stand in it, in characters."""

    text: Clean
    spans: tuple[tuple[int, int], ...] = ()


def excerpt(query: Query, clean: Clean, room: int) -> Excerpt:
    """`room` columns of a clean text around the place where most terms stand together, and where
    others stand elsewhere, around those too.

    Where redaction took the hit itself out, the mark that stands for it is shown.
    """
    # What is shown may be an excerpt already: a mark gets one backslash, not two.
    flat = evidence.escape(evidence.unescape(_SPACES.sub(" ", composed(clean)).strip()))
    places = query.places(flat)
    at = densest(places, room) if places else max(flat.find(_MARK), 0)
    cuts = [_cut(flat, at, room)]
    firsts = {term: start for start, _, term in reversed(places)}
    shown = {term for start, end, term in places if cuts[0][0] <= start and end <= cuts[0][1]}
    away = [start for term, start in firsts.items() if term not in shown]
    if away and room >= _PIECES * _LEAST:
        starts = sorted([at, *away[: _PIECES - 1]])
        cuts = _apart([_cut(flat, start, room // len(starts)) for start in starts])
    return _joined(flat, cuts, query.spans(flat))


def _apart(cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pieces, those that meet as one."""
    apart = cuts[:1]
    for start, end in cuts[1:]:
        if start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _joined(flat: str, cuts: list[tuple[int, int]], spans: list[tuple[int, int]]) -> Excerpt:
    text, inside = "", list[tuple[int, int]]()
    for start, end in cuts:
        text += _GAP if start and not text.endswith(_GAP) else ""
        shift = len(text) - start
        inside += ((a + shift, min(b, end) + shift) for a, b in spans if start <= a < end)
        text += flat[start:end] + (_GAP if end < len(flat) else "")
    return Excerpt(text=Clean(text), spans=tuple(inside))


def columns(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_wide, text))


@lru_cache(maxsize=4096)
def _wide(letter: str) -> int:
    if combining(letter):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def densest(places: list[tuple[int, int, int]], room: int) -> int:
    """The first place with the most different terms within reach behind it."""
    reach = room * (_BEFORE - 1) // _BEFORE
    best, most, end = places[0][0] if places else 0, 0, 0
    near: Counter[int] = Counter()
    for start, _, term in places:
        while end < len(places) and places[end][0] < start + reach:
            near[places[end][2]] += 1
            end += 1
        if len(+near) > most:
            best, most = start, len(+near)
        near[term] -= 1
    return best


def _cut(text: str, at: int, room: int) -> tuple[int, int]:
    """Where the excerpt begins and ends, in whole words where the text has blanks."""
    if len(text) <= 2 * room and columns(text) <= room:
        return 0, len(text)
    start = _back(text, at, room // _BEFORE)
    end = _on(text, start, room - 2 * len(_GAP))
    if end == len(text):
        start = _back(text, end, room - len(_GAP))
    elif (blank := text.rfind(" ", at, end)) > at and end - blank < room // _BEFORE:
        end = blank
    if start and not text[start - 1].isspace():
        blank = text.find(" ", start, at)
        start = blank + 1 if blank >= 0 else start
    return start, end


def _back(text: str, at: int, room: int) -> int:
    while at > 0 and (room := room - columns(text[at - 1])) >= 0:
        at -= 1
    return at


def _on(text: str, at: int, room: int) -> int:
    while at < len(text) and (room := room - columns(text[at])) >= 0:
        at += 1
    return at
