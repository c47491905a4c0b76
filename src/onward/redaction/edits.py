"""What is found becomes edits: which bytes go, and what stands there instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from onward.redaction.engine import Found, Rule, mark, marks_of

_LETTERS = bytes(sorted(frozenset(range(33, 127)) - frozenset(b"\"'`[](){}<>,;|\\")))
_RUN = re.compile(rb"[%s]*" % re.escape(_LETTERS))


class Edit(Struct, frozen=True, kw_only=True, gc=False):
    """What is to stand instead of `text[start:end]`, in bytes, and which rule says so."""

    start: int
    end: int
    rule: str
    shown: bytes

    @property
    def grows(self) -> int:
        """How many bytes longer the text becomes."""
        return len(self.shown) - (self.end - self.start)


def edits(text: bytes, found: Iterable[Found], key: bytes) -> list[Edit]:
    """What is to be replaced, from left to right. Values that overlap become one, named after
    the longest.
    """
    out: list[Edit] = []
    marks: dict[tuple[str, bytes], bytes] = {}  # a text of many equal lines has few
    for start, end, rule in _merged(found):
        shown = rule.shown.encode()
        if not shown:
            value = rule.id, text[start:end]
            shown = marks.get(value) or marks.setdefault(value, mark(*value, key).encode())
        out.append(Edit(start=start, end=end, rule=rule.id, shown=shown))
    return out


def widened(text: bytes, changes: list[Edit], key: bytes) -> list[Edit]:
    """The edits that touch a mark, over all of the run of letters that they stand in.

    A mark makes an edge, so that of tokens that stand in a row without a gap each pass would
    find one more.
    """
    edges = {place for span in marks_of(text) for place in span}
    out: list[Edit] = []
    last = reach = 0  # the last edit's end, and the end of the run that was looked at
    for each in changes:
        start, end, shown = max(each.start, last), each.end, each.shown
        if start >= end:
            continue
        if shown.startswith(b"["):
            reach = reach if end <= reach else _run_end(text, end)
            left = _run_start(text, start, last)
            if left in edges or reach in edges:
                start, end = left, reach
                shown = mark(each.rule, text[start:end], key).encode()
        out.append(Edit(start=start, end=end, rule=each.rule, shown=shown))
        last = end
    return out


def _run_start(text: bytes, place: int, least: int) -> int:
    return least + len(text[least:place].rstrip(_LETTERS))


def _run_end(text: bytes, place: int) -> int:
    run = _RUN.match(text, place)
    return run.end() if run else place


def rebuild(text: bytes, changes: Iterable[Edit]) -> bytes:
    """The text with the edits made, which stand from left to right."""
    pieces: list[bytes] = []
    at = 0
    for each in changes:
        pieces += (text[at : each.start], each.shown)
        at = each.end
    return b"".join((*pieces, text[at:]))


def compose(first: Iterable[Edit], then: Iterable[Edit]) -> list[Edit]:
    """The edits that do at once what `first` and then, on the outcome, `then` do."""
    out: list[Edit] = []
    left = list(reversed(list(first)))
    grown = 0  # by the edits of `first` that lie before
    for each in then:
        while left and left[-1].start + grown + len(left[-1].shown) <= each.start:
            out.append(left.pop())
            grown += out[-1].grows
        start, end = each.start - grown, each.end - grown
        while left and left[-1].start + grown < each.end:
            taken = left.pop()
            grown += taken.grows
            start, end = min(start, taken.start), max(each.end - grown, taken.end)
        out.append(Edit(start=start, end=end, rule=each.rule, shown=each.shown))
    return out + left[::-1]


def _merged(found: Iterable[Found]) -> Iterator[tuple[int, int, Rule]]:
    start = end = widest = 0
    rule: Rule | None = None
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        size = each.end - each.start
        if rule is None or each.start >= end:
            if rule is not None:
                yield start, end, rule
            start, end, widest, rule = each.start, each.end, size, each.rule
            continue
        end = max(end, each.end)
        if size > widest:
            widest, rule = size, each.rule
    if rule is not None:
        yield start, end, rule
