"""What was asked for: words and phrases, all of which one record must hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from onward.model import Clean

_PARTS = re.compile(r'"([^"]+)"|(\S+)')
WINDOW = 32 << 10
"""Characters on either side of a hit that go through redaction: what tells a secret (a key's
first line, the name before a value) stands nearer than that."""
MARGIN = 2 << 10
"""Characters at a cut that are redacted and not shown."""
_BLANKS = (" ", "\n", "\t")
_NEAR = 40
"""Places of a word in one record that are looked at; more tell nothing new."""


class Term:
    """One word or phrase, composed (NFC). `exact` where an upper-case letter was typed."""

    def __init__(self, text: str) -> None:
        self.text = composed(text)
        self.exact = any(letter.isupper() for letter in self.text)
        self._wanted = self.text if self.exact else self.text.casefold()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Finds it in composed text, each place of it."""
        return re.compile(re.escape(self.text), 0 if self.exact else re.IGNORECASE)

    def stands_in(self, text: str, folded: str) -> bool:
        """Whether a composed text holds it; `folded` is the same text without case."""
        return self._wanted in (text if self.exact else folded)

    def is_word_in(self, text: str, folded: str) -> bool:
        """Whether it stands there with no letter or digit right before or behind it."""
        where = text if self.exact else folded
        at = -1
        for _ in range(_NEAR):
            at = where.find(self._wanted, at + 1)
            if at < 0:
                return False
            around = where[at - 1 : at] + where[at + len(self._wanted) :][:1]
            if not any(letter.isalnum() for letter in around):
                return True
        return False


class Query:
    """All terms, in the order in which they were typed, each once. A text must hold every one of
    them, or, where it is not `whole`, one.
    """

    def __init__(self, terms: Iterable[Term], *, whole: bool = True) -> None:
        self.terms = tuple(dict.fromkeys(terms))
        self.whole = whole

    def nearest(self) -> Query:
        """The query for what holds some of its words, those of its phrases each by itself."""
        words = (Term(word) for term in self.terms for word in term.text.split())
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

    def window(self) -> Window:
        """As much of the text around the first hit as goes through redaction, cut at blanks:
        half a token is one that no rule knows.
        """
        text = self._text
        if len(text) <= 2 * WINDOW:
            return Window(text, 0, 0)
        spans = self._query.spans(text)
        at = spans[0][0] if spans else 0
        start = max(text.rfind(blank, 0, max(0, at - WINDOW)) for blank in _BLANKS) + 1
        ends = [text.find(blank, at + WINDOW) for blank in _BLANKS]
        end = min((found for found in ends if found >= 0), default=len(text))
        return Window(text[start:end], MARGIN if start else 0, MARGIN if end < len(text) else 0)


class Window(NamedTuple):
    """A part of a text, and how many characters at its ends are not to be shown: what stands
    before the cut may have told that they are a secret.
    """

    text: str
    head: int
    tail: int

    def inner(self, clean: Clean) -> Clean:
        """Of the redacted part, what may be shown."""
        return Clean(clean[self.head : len(clean) - self.tail])


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
