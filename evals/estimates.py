"""How far the product's token estimate is off on what transcripts are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from evals import tokens
from evals.cases import Case, transcript
from evals.entries import text_of

PIECES = 8
"""Texts that are taken of each transcript, evenly spread."""
SHORTEST, LONGEST = 1000, 4000
"""Characters of a text, as long as a briefing's sections are; a longer one is cut."""


def errors(cases: Iterable[Case]) -> list[float]:
    """The error of every piece, as a share of its true size; [] where no tokenizer counts."""
    paths = dict.fromkeys(case.path for case in cases)
    found = (tokens.error(piece) for path in paths for piece in _pieces(path))
    return [error for error in found if error is not None]


def _pieces(path: Path) -> Iterator[str]:
    texts = [text for e in transcript(path).entries if len(text := text_of(e)) >= SHORTEST]
    step = max(1, len(texts) // PIECES)
    yield from (text[:LONGEST] for text in texts[::step][:PIECES])
