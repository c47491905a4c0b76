"""Small text work of the briefing: shortening, quoting, tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from onward.model import Evidence

_BREAK = re.compile(r"\s+")
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_POINT = re.compile(r"\(?\d{1,3}[.)]\s|\*\*")
_HEADING = re.compile(r"#{1,6}\s.*|\*\*[^*]+(?<![.!?:。\uff1a])\*\*")
_CUT = re.compile(r"\[\d+ lines cut\]")
"""What tells of a gap already, in the person's words (`distill.text`)."""
_SLIGHT = 20
"""Characters below which a line says nothing without the one above it."""
_HEADS = (100_000, 240, 160, 110)
"""Characters of each of many lines: all of it, else what tells what it is about."""
_GAP = "…"
_SENTENCE = re.compile(r"(?<=\w[.!?])(?=\s)|(?<=[。\uff01\uff1f])")
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


def unmarked(line: str) -> str:
    """A line without the marks of emphasis."""
    return _STRONG.sub(r"\1", line)


def fitted(lines: Sequence[str], limit: int) -> list[str]:
    """Of many lines the head words of each, as long as `limit` characters have room for; of too
    many the first, the last, numbered and bold points, then from the top, none that only heads or
    leads to what is left out. A mark tells of a gap.
    """
    if len(lines) < 2:
        return [shorten(line, limit) for line in lines]
    for each in _HEADS:
        heads = [head for line in lines if (head := _beginning(line, each)) != _GAP]
        if sum(len(line) + 1 for line in heads) <= limit:
            return heads
    room, kept, middle = limit, dict[int, str](), range(1, len(lines) - 1)
    for n in (0, len(lines) - 1, *(n for n in middle if _POINT.match(lines[n])), *middle):
        if 0 < n < len(lines) - 1 and len(lines[n]) < _SLIGHT and n - 1 not in kept:
            continue
        each = max(limit // 3, _HEADS[-1])
        new = {m: head for m in _needed(lines, n) if (head := _beginning(lines[m], each)) != _GAP}
        size = sum(len(line) + 1 for m, line in new.items() if m not in kept)
        if size <= room:
            kept |= new
            room -= size
    gaps = {n for n in kept if n + 1 not in kept and n + 1 < len(lines)}
    gaps -= {n for n in gaps if _CUT.fullmatch(lines[n])}
    return [f"{line} […]" if n in gaps else line for n, line in sorted(kept.items())]


def _needed(lines: Sequence[str], n: int) -> Iterator[int]:
    """A line with its heading, and with the first line that it leads to; nothing for a heading,
    which is told with what stands under it.
    """
    if _HEADING.fullmatch(lines[n]) and n + 1 < len(lines):
        return
    if n and _HEADING.fullmatch(lines[n - 1]):
        yield n - 1
    yield n
    if lines[n].endswith((":", "\uff1a")) and n + 1 < len(lines):
        yield n + 1


def _beginning(line: str, limit: int) -> str:
    """The first sentences of a line, else its first words, a path or a command whole or absent."""
    if len(line) <= limit:
        return line
    gaps = [m.span("gap") for m in _SPAN_OR_BREAK.finditer(line) if m["gap"]]
    head = _head(line, limit, gaps)
    ends = [m.end() for m in _SENTENCE.finditer(line[: len(head) + 1])]
    whole = ends[-1] if ends and 2 * ends[-1] >= limit else len(head)
    return f"{head[:whole]} {_GAP}".strip()


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
