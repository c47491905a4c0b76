r"""What a term may look like in the bytes of a file: a first sieve, of which no hit falls through.

JSON may write a letter as UTF-8 or as `\u914d`, which a tool's input (JSON within JSON) escapes
once more; an accented letter is one character or two. The patterns are in the common ground of
google-re2 and `re`, and each begins with a literal where it can: such a one is looked for at over
2 GB/s, an alternation at a quarter of that.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from onward.search.query import Term

try:
    import re2 as re2  # noqa: PLC0414 - for the tests too
except ImportError:  # no wheel for this platform: the same patterns in `re`
    re2 = None

_SLASHES: Final = rb"\\*"
_ALSO_ESCAPED: Final = "<>&'\x7f"
"""Plain characters that some writers of JSON escape."""
_BACKSLASH: Final = rb"\\+"
_SHORT: Final = {"\n": b"n", "\t": b"t", "\r": b"r", "\b": b"b", "\f": b"f"}
_SIGMA, _FINAL = "\u03c3", "\u03c2"
"""The one letter with two small forms."""
_MOST: Final = 3
"""Patterns that are looked for one by one; more are one alternation."""


Bytes = bytes | bytearray


class _Match(Protocol):
    def start(self) -> int: ...

    def end(self) -> int: ...


class Pattern(Protocol):
    """A compiled pattern over bytes."""

    def search(self, text: Bytes, pos: int, endpos: int) -> _Match | None:
        """The first match between two places."""


class Sieve:
    """Lets through the lines that may hold every term."""

    def __init__(self, terms: tuple[Term, ...]) -> None:
        ordered = sorted(terms, key=lambda term: len(term.text.encode()), reverse=True)
        self._each = [_compiled(term) for term in ordered]

    def lines(self, data: Bytes, end: int) -> Iterator[tuple[int, int]]:
        """Beginning and end of each line before `end` that passes, in order; without terms, of
        every line.
        """
        if not self._each:
            yield from _every(data, end)
            return
        first, *others = self._each
        found: dict[int, int] = {}
        for pattern in first:
            at = 0
            while at < end and (hit := pattern.search(data, at, end)):
                start = data.rfind(b"\n", 0, hit.start() + 1) + 1
                at = data.find(b"\n", max(hit.end() - 1, start), end) + 1 or end
                found[start] = at
        for start, stop in sorted(found.items()):
            if all(any(each.search(data, start, stop) for each in term) for term in others):
                yield start, stop


def patterns(term: Term) -> list[bytes]:
    """All that the term may look like, each pattern to be looked for by itself."""
    found: dict[bytes, None] = {}
    for form in dict.fromkeys(unicodedata.normalize(form, term.text) for form in ("NFC", "NFD")):
        for write in (_plain,) if form.isascii() else (_plain, _escaped):
            ways = [_ways(letter, term.exact, write) for letter in form]
            # Without the first backslash, the pattern begins with a letter.
            bare = ways[0].removeprefix(_BACKSLASH) if form[0] > "\x7f" else ways[0]
            found[b"".join((bare, *ways[1:]))] = None
    return [*found] if len(found) <= _MOST else [b"|".join(found)]


def _ways(letter: str, exact: bool, write: Callable[[str], bytes]) -> bytes:
    """How one character may be written, beyond ASCII by `write`."""
    if letter == "\\":
        return _BACKSLASH
    if letter < " ":
        short = _BACKSLASH + _SHORT.get(letter, b"u")
        return b"(?:" + b"|".join((_plain(letter), short, _escaped(letter))) + b")"
    if letter in _ALSO_ESCAPED:
        return b"(?:" + re.escape(letter.encode()) + b"|" + _escaped(letter) + b")"
    if letter.isascii():
        return (_SLASHES if letter in '"/' else b"") + re.escape(letter.encode())
    cases = [write(each) for each in ((letter,) if exact else _cases(letter))]
    return b"(?:" + b"|".join(cases) + b")" if cases[1:] else cases[0]


def _plain(letter: str) -> bytes:
    return b"".join(b"\\x%02x" % byte for byte in letter.encode("utf-8", "surrogatepass"))


def _escaped(letter: str) -> bytes:
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return b"".join(
        _BACKSLASH + b"u" + b"".join(map(_hex, units[at : at + 4]))
        for at in range(0, len(units), 4)
    )


def _hex(digit: str) -> bytes:
    return f"[{digit}{digit.upper()}]".encode() if digit.isalpha() else digit.encode()


def _cases(letter: str) -> dict[str, None]:
    """A letter in both cases; a sign without any is itself."""
    upper, lower = letter.upper(), letter.lower()
    every = (letter, lower, upper, upper.lower(), _FINAL if lower == _SIGMA else letter)
    return dict.fromkeys(each for each in every if len(each) == 1)


def _compiled(term: Term) -> list[Pattern]:
    exact = term.exact or not any(letter.isascii() and letter.isalpha() for letter in term.text)
    return [_compile(pattern, exact=exact) for pattern in patterns(term)]


def _compile(pattern: bytes, *, exact: bool) -> Pattern:
    if re2 is None:
        made: Pattern = re.compile(pattern, 0 if exact else re.IGNORECASE)
        return made
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive = exact
    options.never_capture = True
    options.log_errors = False
    found: Pattern = re2.compile(pattern, options)
    return found


def _every(data: Bytes, end: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < end:
        stop = data.find(b"\n", start, end) + 1 or end
        yield start, stop
        start = stop
