r"""What a term may look like in the bytes of a file: a first sieve, of which no hit falls through.

JSON may write a letter as UTF-8 or as `\u914d`, which a tool's input (JSON within JSON) escapes
once more; an accented letter is one character or two. What is plain letters is a literal, which
stringzilla looks for at over 10 GB/s; the rest are patterns in the common ground of google-re2 and
`re`, at a quarter of that and less.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, Final

from onward.search.query import Term

try:
    import re2 as re2  # noqa: PLC0414 - for the tests too
except ImportError:  # no wheel for this platform: the same patterns in `re`
    re2 = None
try:
    import stringzilla as stringzilla  # noqa: PLC0414 - as above
except ImportError:  # without it, a literal is a pattern too
    stringzilla = None

_SLASHES: Final = rb"\\*"
_ALSO_ESCAPED: Final = "<>&'\x7f"
"""Plain characters that some writers of JSON escape."""
_MORE_WAYS: Final = _ALSO_ESCAPED + '"/\\'
_BACKSLASH: Final = rb"\\+"
_SHORT: Final = {"\n": b"n", "\t": b"t", "\r": b"r", "\b": b"b", "\f": b"f"}
_SIGMA, _FINAL = "\u03c3", "\u03c2"
"""The one letter with two small forms."""
_MOST: Final = 3
"""Patterns that are looked for one by one; more are one alternation."""


Bytes = bytes | bytearray


Finder = Callable[[Bytes, int, int], tuple[int, int] | None]
"""Beginning and end of the first match between two places."""


def _letters(wanted: bytes, *, exact: bool) -> Finder:
    """Finds plain bytes, ASCII in any case; none is a line's end, so any end will do."""
    find: Any = stringzilla.find if exact else stringzilla.utf8_uncased_search

    def search(data: Bytes, start: int, end: int) -> tuple[int, int] | None:
        at = find(data, wanted, start, end)
        return (at, at + 1) if at >= 0 else None

    return search


def _begun(letters: Finder, pattern: Finder) -> Finder:
    """Finds a pattern only where its first letters are."""

    def search(data: Bytes, start: int, end: int) -> tuple[int, int] | None:
        found = letters(data, start, end)
        return pattern(data, found[0], end) if found else None

    return search


class Sieve:
    """Lets through the lines that may hold every term, or, without `every`, one of them."""

    def __init__(self, terms: tuple[Term, ...], *, every: bool = True) -> None:
        ordered = sorted(terms, key=lambda term: len(term.text.encode()), reverse=True)
        each = [_looked_for(term) for term in ordered]
        # All of what the first list names is looked for; what is found must hold the others.
        self._first = each[0] if each and every else [way for term in each for way in term]
        self._others = each[1:] if every else []

    def lines(self, data: Bytes, end: int) -> Iterator[tuple[int, int]]:
        """Beginning and end of each line before `end` that passes, in order; all without terms."""
        if not self._first:
            yield from _every(data, end)
            return
        found: dict[int, int] = {}
        for finder in self._first:
            at = 0
            while at < end and (hit := finder(data, at, end)):
                start = data.rfind(b"\n", 0, hit[0] + 1) + 1
                at = data.find(b"\n", max(hit[1] - 1, start), end) + 1 or end
                found[start] = at
        for start, stop in sorted(found.items()):
            if all(any(each(data, start, stop) for each in term) for term in self._others):
                yield start, stop


def _looked_for(term: Term) -> list[Finder]:
    """All that the term may look like, each to be looked for by itself."""
    exact = term.exact or not any(letter.isascii() and letter.isalpha() for letter in term.text)
    letters: list[Finder] = []
    found: dict[bytes, None] = {}
    for form in dict.fromkeys(unicodedata.normalize(form, term.text) for form in ("NFC", "NFD")):
        for write in (_plain,) if form.isascii() else (_plain, _escaped):
            ways = [_ways(letter, term.exact, write) for letter in form]
            # Without the first backslash, the pattern begins with a letter.
            bare = ways[0].removeprefix(_BACKSLASH) if form[0] > "\x7f" else ways[0]
            pattern = b"".join((bare, *ways[1:]))
            if stringzilla is None or not _is_literal(form, exact=exact):
                found[pattern] = None
            elif write is _plain:
                letters.append(_letters(form.encode("utf-8", "surrogatepass"), exact=exact))
            else:
                # How the first escape begins, without the backslash.
                begun = _letters(b"u" + _units(form[0])[:4].encode(), exact=False)
                letters.append(_begun(begun, _compile(pattern, exact=exact)))
    patterns = [*found] if len(found) <= _MOST else [b"|".join(found)]
    return letters + [_compile(pattern, exact=exact) for pattern in patterns]


def _is_literal(form: str, *, exact: bool) -> bool:
    """Whether every writer puts it down in one way, or in one plain and one escaped."""
    if any(letter < " " or letter in _MORE_WAYS for letter in form):
        return False
    if form.isascii():
        return True
    return exact and form[0] > "\x7f" and all(len(_cases(letter)) == 1 for letter in form)


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


def _units(letter: str) -> str:
    return letter.encode("utf-16-be", "surrogatepass").hex()


def _escaped(letter: str) -> bytes:
    units = _units(letter)
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


def _compile(pattern: bytes, *, exact: bool) -> Finder:
    compiled: Any
    if re2 is None:
        compiled = re.compile(pattern, 0 if exact else re.IGNORECASE)
    else:
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.case_sensitive = exact
        options.never_capture = True
        options.log_errors = False
        compiled = re2.compile(pattern, options)

    def search(data: Bytes, start: int, end: int) -> tuple[int, int] | None:
        found = compiled.search(data, start, end)
        return (found.start(), found.end()) if found else None

    return search


def _every(data: Bytes, end: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < end:
        stop = data.find(b"\n", start, end) + 1 or end
        yield start, stop
        start = stop
