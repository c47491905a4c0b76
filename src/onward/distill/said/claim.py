"""Distil: the one line of a message that says what came of the work, or that answers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from onward.distill.said.closing import announces, intends
from onward.distill.said.cues import is_narration, is_question
from onward.distill.said.manner import shared
from onward.distill.said.message import CODE, Line, leads, lines_of, unlisted
from onward.distill.text import clamp, one_line, sentences, words

_LONGEST = 160
_SAYING = 3
"""Words below which a sentence says nothing of what came of the work."""
_ANSWERS = 2
"""Words of a request in a line by which it is taken for the answer, wherever it stands."""
_PRAISE = re.compile(r"\W*(?:good|great|perfect)\b", re.IGNORECASE)
"""How an answer begins as often as an announcement."""
_PLEASED = 5
"""Words of a sentence that says nothing but that it is good or done."""


class _Told(Struct, frozen=True):
    """What of one line can be told by itself, and what it is about: prose with the heading above it."""

    text: str
    topic: str
    prose: bool
    opens: bool
    """It stands in prose in the message's first paragraph."""


def claim(reply: str, asked: str = "") -> str:
    """What a message says first of what came of the work, in a line; "" where it only announces
    what comes next. Prose goes before the entries of lists.

    Of an answer to `asked`, a line from below its first paragraph is told only where it takes up
    the words of `asked`: any other says nothing by itself.
    """
    announced = announces(reply)
    if announced and not _PRAISE.match(reply):
        return ""
    lines = lines_of(reply)
    found = _tellable(lines)
    if not found:
        alone = len(lines) == 1 and not (announced or leads(lines[0].text))
        return one_line(unlisted(lines[0].text), _LONGEST) if alone else ""
    first = found[0]
    if not asked:
        return first.text
    best = max(found, key=lambda told: shared(told.topic, asked))
    answers = best is not first and shared(best.topic, asked) >= _ANSWERS
    if not first.opens:
        return best.text if answers or shared(first.topic, asked) >= _ANSWERS else ""
    says = best.prose and not is_question(best.text)  # an entry may be what is still to be done
    both = f"{first.text} {best.text}"
    short = len(words(first.text)) <= _PLEASED and not shared(first.text, asked)
    return both if short and answers and says and len(both) <= _LONGEST else first.text


def _tellable(lines: Sequence[Line]) -> list[_Told]:
    """What the lines say, prose before entries."""
    prose, entries, heading = list[_Told](), list[_Told](), ""
    opening = _opening(lines)
    for n, line in enumerate(lines):
        if line.kind == "heading":
            heading = line.text
        elif line.kind != "code" and (text := _said(line, lines[n + 1 :])):
            is_prose = line.kind == "prose"
            topic = f"{heading} {line.text}" if is_prose else line.text
            told = _Told(text, topic, is_prose, is_prose and line.paragraph in opening)
            (prose if is_prose else entries).append(told)
    return [*prose, *entries]


def _opening(lines: Sequence[Line]) -> set[int]:
    """The first paragraph, and as long as it only leads to prose below it, that too."""
    found, before = set[int](), ""
    for line in lines:
        if found and (line.kind == "heading" or not (line.paragraph in found or leads(before))):
            break
        if line.kind != "heading":
            found.add(line.paragraph)
            before = line.text
    return found


def _said(line: Line, below: Sequence[Line]) -> str:
    """The first sentences of a line, as many as there is room for; of one that only leads to
    what stands below it, with that; "" where both say too little.
    """
    every = sentences(unlisted(line.text))
    said = [s for s in every if not (leads(s) or _passes(s))]
    while len(said) > 1 and len(" ".join(said)) > _LONGEST:
        said.pop()
    if not _says(said) and every and leads(every[-1]) and not _passes(every[-1].rstrip(": \uff1a")):
        said.append(_with_list(every[-1], below))
    return clamp(" ".join(said).strip(), _LONGEST) if _says(said) else ""


def _says(said: Sequence[str]) -> bool:
    told = " ".join(said)
    return len(words(told)) >= _SAYING or "`" in told


def _passes(sentence: str) -> bool:
    """Whether a sentence only says what comes next, or only praises."""
    if _PRAISE.match(sentence):
        return len(words(sentence)) <= _PLEASED
    return intends(sentence) or is_narration(sentence)


def _with_list(lead: str, below: Sequence[Line]) -> str:
    """A lead with what it leads to, as many entries of a list as there is room for; "" for none, and
    for prose, which says as much without it.
    """
    first = next(iter(below), None)
    if first is None or first.kind in {"heading", "prose"} or first.text == CODE:
        return ""
    told = f"{lead} {unlisted(first.text)}"
    if first.kind != "entry":
        return told
    for n, line in enumerate(below[1:]):
        if line.kind != "entry":
            break
        longer = f"{told}; {unlisted(line.text)}"
        if len(longer) > _LONGEST - 2:
            return f"{told} …" if n or len(told) < _LONGEST else told
        told = longer
    return told
