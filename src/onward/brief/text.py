"""Small text work of the briefing: shortening, quoting, tags."""

from __future__ import annotations

import re

from onward.model import Evidence

_BREAK = re.compile(r"\s+")
_SPAN_OR_BREAK = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|(?P<gap>\s+)")


def one_line(text: str) -> str:
    """The text with every run of white space as one blank."""
    return _BREAK.sub(" ", text).strip()


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters: the head and the tail, cut between words.

    What a person asks stands at the beginning or at the end of what they typed, seldom in
    the middle. A path, and a command in a code span, is kept or left out whole.
    """
    if len(text) <= limit:
        return text
    gaps = [m.span("gap") for m in _SPAN_OR_BREAK.finditer(text) if m["gap"]]
    head = _head(text, limit * 2 // 3, gaps)
    tail = _tail(text, limit // 3 - 5, gaps)
    if head and tail:
        return f"{head} […] {tail}"
    return f"{head} […]" if head else "[…]"


def _head(text: str, limit: int, gaps: list[tuple[int, int]]) -> str:
    cut = max((start for start, _ in gaps if start <= limit), default=0)
    return text[:cut].rstrip() if cut else _unbroken(text, limit)


def _tail(text: str, limit: int, gaps: list[tuple[int, int]]) -> str:
    cut = min((end for _, end in gaps if end >= len(text) - limit), default=len(text))
    return text[cut:].lstrip() if limit > 0 else ""


def _unbroken(text: str, limit: int) -> str:
    """Of text without blanks (Chinese, Japanese) a piece may be taken; of a path not."""
    return text[:limit] if not text[:limit].isascii() else ""


def quote(text: str) -> str:
    """The text as a Markdown quotation, blank lines dropped."""
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    return "\n".join(f"> {line}" for line in lines)


def tag(places: tuple[str, ...], evidence: Evidence | None = None) -> str:
    """` [t:541]`, ` [asked t:12]`, ` [claimed t:99]`: at most two places; observed is unsaid."""
    said = () if evidence is None or evidence == "observed" else (evidence,)
    shown = [*said, *places[:2]]
    return f" [{' '.join(shown)}]" if shown else ""


def code(text: str) -> str:
    """The text as a code span on one line, with a fence that it does not hold itself."""
    flat = one_line(text)
    runs = [len(m.group()) for m in re.finditer(r"`+", flat)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def count(number: int, noun: str) -> str:
    """`1 file`, `12 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
