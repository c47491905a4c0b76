"""How many tokens a text will cost, without a tokenizer to download.

A text is split into pieces that a byte-pair vocabulary treats alike, each with weights
fitted to the o200k vocabulary on briefings and on pieces of transcripts, both kinds
weighing the same. It is an estimate: `tests/corpus` holds every briefing of a corpus, at
six budgets, to less than a tenth over.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_PIECE = re.compile(
    r"(?P<hex>(?<![A-Za-z0-9])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,}(?![A-Za-z0-9]))"
    r"|(?P<word>[A-Z]?[a-z\u00df-\u024f]+)"
    r"|(?P<capitals>[A-Z\u00c0-\u00de]+(?![a-z]))"
    r"|(?P<digits>[0-9]+)"
    r"|(?P<lines>[\r\n]+)"
    r"|(?P<blanks>[ \t]{2,}|\ (?=[0-9]))"  # before a number a blank stands alone
    r"|(?P<ruler>(?P<one>[!-/:-@\[-`{-~])(?P=one){2,})"
    r"|(?P<line>\u23af+)"  # what vitest draws: no vocabulary has two of them in one
    r"|(?P<drawn>(?P<two>[\u2000-\u2fff\ufe0f\uff01-\uff0f])(?P=two){2,})"
    r"|(?P<joint>[!-/:-@\[-`{-~](?=[A-Za-z]))"  # often one token with the word behind it
    r"|(?P<punctuation>[!-/:-@\[-`{-~]+)"
    r"|(?P<cjk>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])"
    r"|(?P<frame>[\u2500-\u259f])"
    r"|(?P<sign>[\u00a0-\u00bf\u2000-\u2fff\u3000-\u303f\uff00-\uffef\U00010000-\U0010ffff])"
    r"|(?P<other>[^\t -\x7f])"
)
_ACCENTED = re.compile(r"[\u00c0-\u024f]")
_ACCENT = 0.55


class _Weight(NamedTuple):
    """Tokens of a piece, and of each character of it past the first `free`."""

    piece: float
    more: float = 0.0
    free: int = 1


_WEIGHTS = {
    "hex": _Weight(0.0, 0.53, 0),
    "word": _Weight(1.0, 0.146, 6),
    "capitals": _Weight(1.12, 0.25, 3),
    "digits": _Weight(1.55),
    "lines": _Weight(0.45),
    "blanks": _Weight(0.85),
    "ruler": _Weight(1.25, 0.017),
    "line": _Weight(0.0, 2.7, 0),
    "drawn": _Weight(2.3, 0.13, 3),
    "joint": _Weight(0.6),
    "punctuation": _Weight(0.78, 0.157),
    "cjk": _Weight(0.715),
    "frame": _Weight(1.7),
    "sign": _Weight(1.5),
    "other": _Weight(0.85),
}


@lru_cache(maxsize=1024)
def _tokens(kind: str, size: int) -> float:
    piece, more, free = _WEIGHTS[kind]
    if kind == "digits":
        return piece * -(-size // 3)
    return piece + more * (size - free) if size > free else piece


def estimate(text: str) -> int:
    """Tokens of a text, rounded up."""
    total = sum(_tokens(m.lastgroup or "", m.end() - m.start()) for m in _PIECE.finditer(text))
    if not text.isascii():
        total += _ACCENT * len(_ACCENTED.findall(text))
    return -int(-total // 1)


def characters_for(text: str, tokens: float) -> int:
    """How many characters of this text cost `tokens`: fewer of Chinese than of English."""
    return int(len(text) * min(1.0, tokens / max(1, estimate(text))))
