"""A text as it is but for its secrets: what `onward scrub` does with one.

JSON is decoded string by string, as a rule sees nothing of a token behind an escape; everything
else is searched as it stands. A long text comes in pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from onward.redaction import Finding, Redactor, json_text
from onward.redaction.engine import MARK
from onward.redaction.json_text import String
from onward.redaction.normalization import Seen
from onward.redaction.rules.values import is_secret

REACH = 1 << 16
"""Characters before the end of a piece that wait for the next one: a longer PEM block is none."""
BEFORE = 1 << 12
"""Characters before a piece that its rules may look at."""
ALLOW = "onward:allow"
"""A line of plain text with this in it is left alone."""

_JSON_LINE = re.compile(r"^[ \t]*(?:\{.*\"|\[.*\").*[}\]][ \t\r]*$\n?", re.MULTILINE)


class Place(Struct, frozen=True, kw_only=True):
    """Where something was found: line and column from 1, `length` in characters."""

    line: int
    column: int
    length: int
    rule: str


class Scrubber:
    """Scrubs one text, which may come in pieces of whole lines."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._before = self._held = ""
        self._line = self._column = 0
        self._is_json: bool | None = None
        """None until something of the text was seen."""

    @property
    def held(self) -> int:
        """How many characters wait for the next piece."""
        return len(self._held)

    def feed(self, piece: str, *, last: bool) -> tuple[str, list[Place]]:
        """The next part of the clean text, and what was found in it. All of it after the `last`."""
        text = self._before + self._held + piece
        start = len(self._before)
        found = [f for f in self._findings(text) if f.end > start]
        end = len(text) if last else _cut(text, start, found)
        out: list[str] = []
        places: list[Place] = []
        at = start
        for each in found:
            if each.start >= end:
                break
            begin = max(each.start, start)
            self._walk(text[at:begin])
            places.append(self._place(text[begin : each.end], each.rule))
            out += (text[at:begin], each.shown)
            at = each.end
        self._walk(text[at:end])
        ahead = text.find("\n", max(0, end - BEFORE), end) + 1  # whole lines, as all pieces are
        self._before, self._held = text[ahead:end] if ahead else "", text[end:]
        return "".join((*out, text[at:end])), places

    def _walk(self, text: str) -> None:
        lines = text.count("\n")
        self._line += lines
        self._column = len(text) - text.rfind("\n") - 1 if lines else self._column + len(text)

    def _place(self, value: str, rule: str) -> Place:
        place = Place(line=self._line + 1, column=self._column + 1, length=len(value), rule=rule)
        self._walk(value)
        return place

    def _findings(self, text: str) -> list[Finding]:
        """Of the whole text, from left to right."""
        if self._is_json is None and text:
            self._is_json = text.lstrip("\ufeff \t\r\n").startswith(("{", "["))
        if self._is_json:
            found = json_text.strings(text)
            if found is not None:
                return self._in_strings(text, found, 0)
            self._is_json = False
        return sorted(self._in_lines(text), key=attrgetter("start"))

    def _in_lines(self, text: str) -> Iterator[Finding]:
        """Lines of JSON as JSON; what lies between them as plain text, where it may be allowed."""
        at = 0
        for line in _JSON_LINE.finditer(text):
            found = json_text.strings(line[0])
            if found is not None:
                yield from self._in_plain(text, at, line.start())
                yield from self._in_strings(line[0], found, line.start())
                at = line.end()
        yield from self._in_plain(text, at, len(text))

    def _in_plain(self, text: str, start: int, end: int) -> Iterator[Finding]:
        for each in _moved(self._redactor.findings(text[start:end]), start):
            line_end = text.find("\n", each.start)
            line = text[text.rfind("\n", 0, each.start) + 1 : line_end if line_end >= 0 else None]
            if ALLOW not in line:
                yield each

    def _in_strings(self, text: str, strings: list[String], start: int) -> list[Finding]:
        """In each string as it is meant; and in the text as it is written, where a neighbour tells
        what a string is (`["--password", "x"]`).
        """
        out: list[Finding] = []
        known: dict[tuple[str, str], list[Finding]] = {}
        for each in strings:
            inside = known.get((each.key, each.value))
            if inside is None:
                inside = known[each.key, each.value] = self._in_value(each)
            if inside:
                places = json_text.places(
                    text[each.start : each.end],
                    [at for one in inside for at in (one.start, one.end)],
                )
                out += (
                    replace(one, start=each.start + begin, end=each.start + end)
                    for one, begin, end in zip(inside, places[::2], places[1::2], strict=True)
                )
        out += json_text.within(strings, self._redactor.findings(text), text)
        return list(_moved(_merged(out), start))

    def _in_value(self, string: String) -> list[Finding]:
        """What is to go of one string; all of it where its key says so, and no mark that it was
        judged already.
        """
        if string.key:
            value = Seen(string.value).shown
            if not MARK.search(value.encode()) and is_secret(string.key, value):
                return self._redactor.whole(string.value, "password")
        return self._redactor.findings(string.value)


def _merged(found: list[Finding]) -> list[Finding]:
    """From left to right; of those that overlap the widest, over all that they cover."""
    out: list[Finding] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not out or each.start >= out[-1].end:
            out.append(each)
        else:
            wider = max(out[-1], each, key=lambda one: one.end - one.start)
            out[-1] = replace(wider, start=out[-1].start, end=max(out[-1].end, each.end))
    return out


def _moved(found: Iterable[Finding], by: int) -> Iterator[Finding]:
    return (replace(each, start=each.start + by, end=each.end + by) for each in found)


def _cut(text: str, start: int, found: list[Finding]) -> int:
    """Up to where a text of which more is to come may be let go: a line's end, with nothing
    found across it.
    """
    end = text.rfind("\n", start, max(start, len(text) - REACH)) + 1
    for each in reversed(found):
        if each.start < end < each.end:
            end = text.rfind("\n", start, each.start) + 1
    return max(end, start)
