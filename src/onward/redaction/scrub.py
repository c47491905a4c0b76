"""A text as it is but for its secrets: what `onward scrub` does with one.

JSON is decoded string by string, as a rule sees nothing of a token behind an escape; everything
else is searched as it stands. A long text comes in pieces.

Of JSON only the tokens are looked at, not how they nest: one document, JSON Lines and a part of
either, cut at the end of a line, all read the same, and where one string is changed no other byte is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from onward.redaction import Finding, Redactor
from onward.redaction.defang import Seen
from onward.redaction.engine import MARK, merged
from onward.redaction.rules.values import is_secret

_BETWEEN = re.compile(r"(?:[ \t\r\n,:{}\[\]]++|true|false|null|-?\d[\d.eE+-]*+)*+")
_COLON = re.compile(r"[ \t\r\n]*+:")
_PART = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+"
)
_LONGEST = 12  # characters of an escape: a pair of surrogates
_NAMES = ("name", "key", "Name", "Key")
_VALUES = ("value", "Value")
_decode = JSONDecoder().raw_decode


class String(Struct, frozen=True, kw_only=True):
    """`text[start:end]` is the string as it is written, without its quotes; `value` what it
    means; `key` the name that it stands under, "" for none and for a name itself.
    """

    start: int
    end: int
    value: str
    key: str


def _strings(text: str) -> list[String] | None:
    """All strings of the text; None where something in it is no token of JSON."""
    out: list[String] = []
    key = name = ""
    at = 1 if text.startswith("\ufeff") else 0
    while True:
        between = _BETWEEN.match(text, at)
        start = between.end() if between else at
        if {"{", "}"}.intersection(text[at:start]):
            key = name = ""
        if start == len(text):
            return out
        if text[start] != '"':
            return None
        try:
            value, at = _decode(text, start)
        except (JSONDecodeError, RecursionError):
            return None
        is_key = _COLON.match(text, at) is not None
        under = "" if is_key else name if key in _VALUES and name else key
        out.append(String(start=start + 1, end=at - 1, value=value, key=under))
        if is_key:
            key = value
        elif key in _NAMES:
            name = value


def _places(written: str, wanted: list[int]) -> list[int]:
    """Where in a string as it is written those places of its value are; `wanted` in order."""
    out: list[int] = []
    meant = 0  # characters of the value so far
    left = list(reversed(wanted))
    for part in _PART.finditer(written):
        plain = not part[0].startswith("\\")
        size = len(part[0]) if plain else 1
        while left and left[-1] < meant + size:
            within = left.pop() - meant
            out.append(part.start() + (within if plain else 0))
        meant += size
    return out + [len(written)] * len(left)


def _within(strings: list[String], found: list[Finding], text: str) -> Iterator[Finding]:
    """Those of the findings in `text` that lie within one of its strings, each widened to whole
    escapes.
    """
    starts = [each.start for each in strings]
    for each in found:
        string = strings[bisect_right(starts, each.start) - 1] if starts else None
        if string is None or not string.start <= each.start < each.end <= string.end:
            continue
        start, _ = _escape(text, each.start, string.start)
        _, end = _escape(text, each.end, string.start)
        yield replace(each, start=start, end=end)


def _escape(text: str, place: int, first: int) -> tuple[int, int]:
    """The escape that has `place` inside of it, in a string that begins at `first`; else the
    place itself, twice.
    """
    for start in range(place - 1, max(first, place - _LONGEST) - 1, -1):
        if text[start] != "\\":
            continue
        run = 0
        while start - run > first and text[start - run - 1] == "\\":
            run += 1
        part = _PART.match(text, start)
        if run % 2 == 0 and part and part.end() > place:
            return start, part.end()
    return place, place


REACH = 1 << 16
"""Characters before the end of a piece that wait for the next one: a longer PEM block is none."""
BEFORE = 1 << 12
"""Characters before a piece that its rules may look at."""
ALLOW = "onward:allow"
"""A line of plain text with this in it is left alone."""

_JSON_LINE = re.compile(r"^[ \t]*(?:\{.*\"|\[.*\").*[}\]][ \t\r]*$\n?", re.MULTILINE)


class Place(Struct, frozen=True, kw_only=True):
    """What was found, the rule and where, never the value: line and column from 1, `length` in
    characters. `path` is "" for standard input.
    """

    path: str
    line: int
    column: int
    length: int
    rule: str

    def told(self) -> str:
        """`path:line:column: rule`, as compilers have it."""
        where = f"{self.path}:" if self.path else ""
        return f"{where}{self.line}:{self.column}: {self.rule}"


class Scrubber:
    """Scrubs one text, which may come in pieces of whole lines."""

    def __init__(self, redactor: Redactor, path: str = "") -> None:
        self._redactor, self._path = redactor, path
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
        line, column = self._line + 1, self._column + 1
        place = Place(path=self._path, line=line, column=column, length=len(value), rule=rule)
        self._walk(value)
        return place

    def _findings(self, text: str) -> list[Finding]:
        """Of the whole text, from left to right."""
        if self._is_json is None and text:
            self._is_json = text.lstrip("\ufeff \t\r\n").startswith(("{", "["))
        if self._is_json:
            found = _strings(text)
            if found is not None:
                return self._in_strings(text, found, 0)
            self._is_json = False
        return sorted(self._in_lines(text), key=attrgetter("start"))

    def _in_lines(self, text: str) -> Iterator[Finding]:
        """Lines of JSON as JSON; what lies between them as plain text, where it may be allowed."""
        at = 0
        for line in _JSON_LINE.finditer(text):
            found = _strings(line[0])
            if found is not None:
                yield from self._in_plain(text, at, line.start())
                yield from self._in_strings(line[0], found, line.start())
                at = line.end()
        yield from self._in_plain(text, at, len(text))

    def _in_plain(self, text: str, start: int, end: int) -> Iterator[Finding]:
        for found in self._redactor.findings(text[start:end]):
            each = replace(found, start=found.start + start, end=found.end + start)
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
                places = _places(
                    text[each.start : each.end],
                    [at for one in inside for at in (one.start, one.end)],
                )
                out += (
                    replace(one, start=each.start + begin, end=each.start + end)
                    for one, begin, end in zip(inside, places[::2], places[1::2], strict=True)
                )
        out += _within(strings, self._redactor.findings(text), text)
        return [
            replace(widest, start=start + begin, end=start + end)
            for begin, end, widest in merged(out)
        ]

    def _in_value(self, string: String) -> list[Finding]:
        """What is to go of one string; all of it where its key says so, and no mark that it was
        judged already.
        """
        if string.key:
            value = Seen(string.value).shown
            if not MARK.search(value.encode()) and is_secret(string.key, value):
                return self._redactor.whole(string.value, "password")
        return self._redactor.findings(string.value)


def _cut(text: str, start: int, found: list[Finding]) -> int:
    """Up to where a text of which more is to come may be let go: a line's end, with nothing
    found across it.
    """
    end = text.rfind("\n", start, max(start, len(text) - REACH)) + 1
    for each in reversed(found):
        if each.start < end < each.end:
            end = text.rfind("\n", start, each.start) + 1
    return max(end, start)
