"""What was asked for: words and phrases, all of which one record must hold; and the lines of a
file that may hold them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from onward.model import Clean

try:
    import re2 as re2  # noqa: PLC0414 - for the tests too
except ImportError:  # no wheel for this platform: the same patterns in `re`
    re2 = None

_PARTS = re.compile(r'"([^"]+)"|(\S+)')
WINDOW = 32 << 10
"""Characters on either side of a hit that go through redaction: what tells a secret (a key's
first line, the name before a value) stands nearer than that."""
MARGIN = 2 << 10  # characters at a cut that are redacted and not shown
_BLANKS = (" ", "\n", "\t")
_STEM: Final = 4  # letters of the shortest beginning that stands for other forms of a word
_PIECE: Final = re.compile(r"[A-Z]*[^\W_A-Z]+|[A-Z]+")
"""A part of a name: `retry` and `Policy` of `retryPolicy`, or of `retry_Policy`."""


class Term:
    """One word or phrase, composed (NFC). `exact` where an upper-case letter was typed.

    A `loose` one is found in any case, with any sign or none between its parts, by the name of a
    file whose path was typed, and by the beginning of a word: three fifths of it.
    """

    def __init__(self, text: str, *, loose: bool = False) -> None:
        self.typed, self.text = text, composed(text)
        """A sign that NFC replaces by another (`\u212b` by `\xc5`) stands in a file as it was typed."""
        self.exact = not loose and any(letter.isupper() for letter in self.text)
        self._wanted = self.text if self.exact else self.text.casefold()
        name = self.text.replace("\\", "/").rstrip("/").rpartition("/")[2]
        self._parts = [part.casefold() for part in _PIECE.findall(name)] if loose else []
        if self._parts and (last := self._parts[-1]).isalpha():
            self._parts[-1] = last[: max(_STEM, -(-3 * len(last) // 5))]

    @property
    def core(self) -> Term:
        """What every text that holds it holds as it is typed."""
        return Term(max(self._parts, key=len)) if self._parts else self

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds it in composed text, each place of it."""
        parts = r"[\W_]{0,2}".join(map(re.escape, self._parts)) or re.escape(self.text)
        return re.compile(parts, 0 if self.exact else re.IGNORECASE)

    def stands_in(self, text: str, folded: str) -> bool:
        """Whether a composed text holds it; `folded` is the same text without case."""
        where = text if self.exact else folded
        return self._wanted in where or bool(self._parts and self.pattern.search(folded))

    def is_word_in(self, text: str, folded: str) -> bool:
        """Whether it stands there with no letter or digit right before or behind it."""
        return bool(self._alone.search(text if self.exact else folded))

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return re.compile(rf"(?<![^\W_]){re.escape(self._wanted)}(?![^\W_])")


class Query:
    """All terms, in the order in which they were typed, each once. A text must hold every one of
    them, or, where it is not `whole`, one.
    """

    def __init__(self, terms: Iterable[Term], *, whole: bool = True) -> None:
        self.terms = tuple({term.text: term for term in terms}.values())
        self.whole = whole

    def nearest(self) -> Query:
        """The query for what holds some of its words, those of its phrases each by itself, in
        any form.
        """
        words = (Term(word, loose=True) for term in self.terms for word in term.text.split())
        return Query(words, whole=False)

    def match(self, raw: str) -> Match | None:
        """How a text holds what it must; None where it does not."""
        text = composed(raw)
        folded = text.casefold()
        held = [term for term in self.terms if term.stands_in(text, folded)]
        if len(held) < len(self.terms) and (self.whole or not held):
            return None
        missing = tuple(n for n, term in enumerate(self.terms, 1) if term not in held)
        return Match(Query(held), text, folded, missing)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where any of them stands in a composed text, from left to right, none in another."""
        spans: list[tuple[int, int]] = []
        for start, end, _ in self.places(text):
            if spans and start < spans[-1][1]:
                spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
            else:
                spans.append((start, end))
        return spans

    def places(self, text: str) -> list[tuple[int, int, int]]:
        """Each place of each term, from left to right: beginning, end, and the term's number."""
        return sorted(
            (*found.span(), number)
            for number, term in enumerate(self.terms)
            for found in term.pattern.finditer(text)
        )


class Match:
    """A text that holds the terms of a query. `missing` are the numbers, from 1, of those of the
    original query that it lacks.
    """

    def __init__(self, query: Query, text: str, folded: str, missing: tuple[int, ...]) -> None:
        self._query, self._text, self._folded = query, text, folded
        self.missing = missing

    @property
    def in_words(self) -> bool:
        """Whether each term stands there as a word of its own."""
        terms = self._query.terms
        return all(term.is_word_in(self._text, self._folded) for term in terms)

    def around(self, clean: Callable[[str], Clean]) -> Clean:
        """As much of the text around the first hit as goes through redaction. It is cut at blanks,
        since half a token is one that no rule knows; and what stands near a cut is not shown,
        since what stands before it may have told that it is a secret.
        """
        text = self._text
        if len(text) <= 2 * WINDOW:
            return clean(text)
        spans = self._query.spans(text)
        at = spans[0][0] if spans else 0
        start = max(text.rfind(blank, 0, max(0, at - WINDOW)) for blank in _BLANKS) + 1
        ends = [text.find(blank, at + WINDOW) for blank in _BLANKS]
        end = min((found for found in ends if found >= 0), default=len(text))
        shown = clean(text[start:end])
        return Clean(
            shown[MARGIN if start else 0 : len(shown) - (MARGIN if end < len(text) else 0)]
        )


def parse(words: Iterable[str]) -> Query:
    """The query: an argument with blanks, or what it has in double quotes, is a phrase."""
    return Query(Term(text) for word in words for text in _texts(word) if text)


def composed(text: str) -> str:
    """The text with each accented letter as one character."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _texts(word: str) -> Iterator[str]:
    if '"' not in word:
        yield word.strip()
        return
    for phrase, single in _PARTS.findall(word):
        yield (phrase or single).strip()


# ------------------------------------------------------------- lines that may hold a term
# JSON may write a letter as UTF-8 or as an escape, which a tool's input (JSON within JSON) escapes
# once more; an accented letter is one character or two. No hit falls through. The patterns are in
# the common ground of google-re2 and `re`.

_SLASHES: Final = rb"\\*"
_ALSO_ESCAPED: Final = "<>&'\x7f"  # plain characters that some writers of JSON escape
_BACKSLASH: Final = rb"\\+"
_SHORT: Final = {"\n": b"n", "\t": b"t", "\r": b"r", "\b": b"b", "\f": b"f"}
_SIGMA, _FINAL = "\u03c3", "\u03c2"
"""The one letter with two small forms."""
Bytes = bytes | bytearray


class Sieve:
    """Lets through the lines that may hold every term, or, without `every`, one of them."""

    def __init__(self, terms: tuple[Term, ...], *, every: bool = True) -> None:
        cores = (term.core for term in terms)
        ordered = sorted(cores, key=lambda term: len(term.text.encode()), reverse=True)
        found = [[_compile(each, exact=term.exact) for each in _patterns(term)] for term in ordered]
        # All of what the first list names is looked for; what is found must hold the others.
        self._first = found[0] if found and every else [way for term in found for way in term]
        self._others = found[1:] if every else []

    def lines(self, data: Bytes, end: int) -> Iterator[tuple[int, int]]:
        """Beginning and end of each line before `end` that passes, in order; all without terms."""
        if not self._first:
            yield from _every(data, end)
            return
        found: dict[int, int] = {}
        for pattern in self._first:
            at = 0
            while at < end and (hit := pattern.search(data, at, end)):
                start = data.rfind(b"\n", 0, hit.start() + 1) + 1
                at = data.find(b"\n", max(hit.end() - 1, start), end) + 1 or end
                found[start] = at
        for start, stop in sorted(found.items()):
            if all(any(each.search(data, start, stop) for each in term) for term in self._others):
                yield start, stop


def _every(data: Bytes, end: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < end:
        stop = data.find(b"\n", start, end) + 1 or end
        yield start, stop
        start = stop


def _patterns(term: Term) -> list[bytes]:
    """All that the term may look like, each to be looked for by itself."""
    found: dict[bytes, None] = {}
    forms = (term.text, unicodedata.normalize("NFD", term.text), term.typed)
    for form in dict.fromkeys(forms):
        for write in (_plain,) if form.isascii() else (_plain, _escaped):
            ways = [_ways(letter, term.exact, write) for letter in form]
            # Without the first backslash, the pattern begins with a letter.
            bare = ways[0].removeprefix(_BACKSLASH) if form[0] > "\x7f" else ways[0]
            found[b"".join((bare, *ways[1:]))] = None
    return [*found]


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
    r"""As `\u914d`, beyond the first plane as two of them, with digits in either case."""
    units = letter.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    digits = ((f"[{d}{d.upper()}]" if d.isalpha() else d for d in unit) for unit in units)
    return b"".join(_BACKSLASH + b"u" + "".join(each).encode() for each in digits)


def _cases(letter: str) -> dict[str, None]:
    """A letter in both cases; a sign without any is itself."""
    upper, lower = letter.upper(), letter.lower()
    every = (letter, lower, upper, upper.lower(), _FINAL if lower == _SIGMA else letter)
    return dict.fromkeys(each for each in every if len(each) == 1)


def _compile(pattern: bytes, *, exact: bool) -> Any:
    if re2 is None:
        return re.compile(pattern, 0 if exact else re.IGNORECASE)
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive = exact
    options.never_capture = True
    options.log_errors = False
    return re2.compile(pattern, options)
