"""The strings of JSON, where they stand, so that one can be changed and no other byte is.

Only the tokens are looked at, not how they nest: one document, JSON Lines and a part of either,
cut at the end of a line, all read the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder

from msgspec import Struct
from msgspec.structs import replace

from onward.redaction import Finding

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


def strings(text: str) -> list[String] | None:
    """All strings of the text; None where something in it is no token of JSON."""
    try:
        return list(_strings(text))
    except (JSONDecodeError, RecursionError):
        return None


def _strings(text: str) -> Iterator[String]:
    key = name = ""
    at = 1 if text.startswith("\ufeff") else 0
    while True:
        between = _BETWEEN.match(text, at)
        start = between.end() if between else at
        if {"{", "}"}.intersection(text[at:start]):
            key = name = ""
        if start == len(text):
            return
        if text[start] != '"':
            raise JSONDecodeError("no token", "", 0)
        value, at = _decode(text, start)
        is_key = _COLON.match(text, at) is not None
        under = "" if is_key else name if key in _VALUES and name else key
        yield String(start=start + 1, end=at - 1, value=value, key=under)
        if is_key:
            key = value
        elif key in _NAMES:
            name = value


def places(written: str, wanted: list[int]) -> list[int]:
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


def within(strings: list[String], found: list[Finding], text: str) -> Iterator[Finding]:
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
