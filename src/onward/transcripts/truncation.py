"""Shorten a tool's output, keeping the head and, more of it, the tail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from onward.transcripts.keys import flat, hide

HEAD: Final = 1_500
"""Characters kept of the beginning: the command's own heading, the first error."""
TAIL: Final = 4_500
"""Characters kept of the end, where runners put their summary."""
LINE: Final = 200
"""Characters of a one-line description."""
FIRST: Final = 24
"""Lines kept of what an edit put in: a new function's inside holds the names that it will need."""

FEW: Final = 3
"""Lines kept of what an edit took out: enough to tell what became what."""


def output(text: str) -> str:
    """`text` whole if it is short, else its head and tail on line borders and, between them,
    how many lines are missing.
    """
    text = hide(text)
    if len(text) <= HEAD + TAIL:
        return text
    head = text[:HEAD]
    head = head[: head.rfind("\n") + 1] or head
    tail = text[-TAIL:]
    tail = tail[tail.find("\n") + 1 :] or tail
    cut = text.count("\n", len(head), len(text) - len(tail))
    return f"{head.rstrip()}\n[... {cut} lines cut ...]\n{tail}"


def one_line(text: str, limit: int = LINE) -> str:
    """`text` on one line, at most `limit` characters."""
    line = flat(_head(hide(text), limit * 4))
    return line if len(line) <= limit else _head(line, limit - 1).rstrip() + "…"


def first_lines(text: str) -> str:
    """The first `FIRST` lines of `text`, each at most `LINE` characters."""
    return "\n".join(_head(line, LINE) for line in hide(text).split("\n", FIRST)[:FIRST]).rstrip()


def few_lines(lines: Sequence[str]) -> str:
    """The first `FEW` lines, shortened like those of `first_lines`."""
    return first_lines("\n".join(lines[:FEW]))


def _head(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words: half a token is one that no rule knows.
    Of a script without blanks a piece may be taken.
    """
    if len(text) <= limit or text[limit].isspace():
        return text[:limit]
    head = text[:limit]
    return head[: next((at for at in range(limit, 0, -1) if not _joins(text[at - 1])), 0)]


def _joins(letter: str) -> bool:
    return letter.isascii() and not letter.isspace()
