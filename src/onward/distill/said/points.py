"""Distil: the list in the agent's message that short words of the person lean on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onward.distill.said.manner import weighty
from onward.distill.text import one_line, shorten, unfenced

_LIMIT = 700
_HEADS = (240, 160, 120, 90, 70)
"""Characters of each point: all that tells what it is, as long as all have room."""
_POINT = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)]|[A-Ea-e][.)])\s+\S|\s*\*\*(?:\d|[A-E]|Option)")
_NESTED = re.compile(r"\s{2,}\S")
_ALL = re.compile(
    r"\b(?:these|those|them|which|either|both|all|any|one|order|findings?|recommendations?|suggestions?)\b|这些|以上|哪",
    re.IGNORECASE,
)
"""Words that point at a list without a word of it."""
_NUMBERS = {"two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_TROUBLE = re.compile(
    r"\b(?:issue|problem|finding|gap|bug|error|blocker|blocking|missing|fail|问题)", re.IGNORECASE
)


def points_of(message: str, words: str) -> str:
    """Of a message the list that `words` name by how many points it has or by a word of its heading,
    else the last one if they point at one: its heading and the head words of each point; "" for none.
    """
    found = list(_lists(message))
    wanted = weighty(words)
    named = [each for each in found if wanted & weighty(each[0]) or _both_trouble(words, each[0])]
    many = {int(n) for n in re.findall(r"\b[2-9]\b", words)}
    many |= {n for word, n in _NUMBERS.items() if word in words.lower().split()}
    named = [each for each in found if len(each) - 1 in many] or named
    fit = named or (found if _ALL.search(words) else [])
    return heads(fit[-1], _LIMIT) if fit else ""


def heads(lines: list[str], limit: int) -> str:
    """The lines, each shortened alike as far as there is need."""
    for each in _HEADS:
        told = "\n".join(one_line(line, each) for line in lines)
        if len(told) <= limit:
            return told
    return shorten(told, limit)


def _both_trouble(words: str, heading: str) -> bool:
    return bool(_TROUBLE.search(words) and _TROUBLE.search(heading))


def _lists(message: str) -> Iterator[list[str]]:
    """Each list of two points or more: its heading ("" for none), then its points."""
    heading, points = "", list[str]()
    for line in unfenced(message).splitlines():
        if _POINT.match(line):
            if not (points and _NESTED.match(line)):
                points.append(line.strip().replace("**", ""))
        elif line.strip() and not _NESTED.match(line):
            if len(points) > 1:
                yield [heading, *points]
            heading, points = line.strip(" #*"), []
    if len(points) > 1:
        yield [heading, *points]
