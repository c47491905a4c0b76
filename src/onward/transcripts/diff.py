"""The lines that a patch changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from onward.transcripts import truncation

_HUNK: Final = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")

Spans = tuple[tuple[int, int], ...]

_NOT_IN_NEW: Final = frozenset({"-", "\\"})
"""Marks of patch lines that the new file does not hold; the second says "no newline at end"."""


class Diff(Struct, frozen=True):
    """Changed lines of the new file, the first ones that came, how many came and went, and the
    first that went.
    """

    spans: Spans = ()
    text: str = ""
    added: int = 0
    removed: int = 0
    gone: str = ""


def diff(hunks: Iterable[tuple[int, Sequence[str]]]) -> Diff:
    """What hunks say: of each its first line in the new file, and its lines with their marks."""
    spans: list[tuple[int, int]] = []
    added: list[str] = []
    removed: list[str] = []
    for start, lines in hunks:
        here, first, last = start, 0, 0
        for line in lines:
            mark = line[:1]
            if mark == "+":
                added.append(line[1:])
                first, last = first or here, here
            elif mark == "-":
                removed.append(line[1:])
                first = first or max(here, 1)
            here += mark not in _NOT_IN_NEW
        if first:
            spans.append((first, max(first, last)))
    return Diff(
        tuple(spans),
        truncation.first_lines("\n".join(added[: truncation.FIRST])),
        len(added),
        len(removed),
        truncation.few_lines(removed),
    )


def created(added: int) -> Spans:
    """The changed lines of a new file."""
    return ((1, added),) if added else ()


def counted(text: str | None) -> int:
    """How many lines a text has."""
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def hunks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The hunks of a unified diff of one file, as `diff` takes them."""
    start, lines = 0, list[str]()
    for line in text.splitlines():
        if head := _HUNK.match(line):
            if start:
                yield start, lines
            start, lines = int(head[1]), []
        elif start:
            lines.append(line)
    if start:
        yield start, lines
