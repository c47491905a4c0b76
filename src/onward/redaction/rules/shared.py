"""What the rules of several kinds share: the edges of a token, and judges of a value."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import log2
from typing import Any, cast

from onward.redaction.engine import Judge


class _Lazy:
    """Stands for a pattern until something of it is asked for."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._pattern)
        for each in ("search", "match", "fullmatch", "findall", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def lazy(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled when it is first used: few texts reach a judge, and compiling all
    of them costs more than a hook may take.
    """
    return cast("re.Pattern[str]", _Lazy(pattern))


EDGE = r"(?:\b|\\[abfnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m)"
"""Where a token may begin. In text that was escaped once more than it was decoded a letter
stands before it (`\\n`, `\\u0022`, `%3D`), and `\\b` alone would miss it."""

QUOTE = r"\\{0,7}[\"'`]"
"""A quote, in JSON in JSON too."""

LINE_END = r"(?:\r?\n|\\{1,7}[rn]|$)"
"""Where a line ends, in JSON in JSON too."""

_PIECES = re.compile(r"""\[(?:[^\]\\]|\\.)*\]|\\r\?\\n|\\.|["]""")


def in_json(pattern: str) -> str:
    """The pattern, where its text may also be escaped as a string of JSON: quotes, tabs and line ends."""

    def spelled(piece: re.Match[str]) -> str:
        each = piece[0]
        if each in {r"\n", r"\r?\n"}:
            return r"(?:\r?\n|\\{1,7}n)"
        if each == r"\t":
            return r"(?:\t|\\{1,7}t)"
        is_quote = each.startswith("[") and set(each) <= set("[]\\\"'`(") and len(each) > 2
        return rf"(?:\\{{0,7}}{each})" if is_quote or each in {'"', r"\""} else each

    return _PIECES.sub(spelled, pattern)


LINE_START = r"(?:^|\n|\\n)[ \t]{0,16}(?:\d{1,6}[\t:][ \t]{0,16}|[+-][ \t]{0,16})?"
"""Where a line begins, behind its number or the sign of a diff."""

_FILLER = lazy(
    r"(?i)x{4,}|(?:^|[-_])x{3,}(?:$|[-_])|\*{3,}|\.{3,}|\u2026|\$\{|\{\{|%\(|%[sdvnq@](?:$|\W)|"
    r"^\$+(?:\w+(?:$|[;:, .>\[-])|[{(])|^%[\w.()]+%?$|^\{.*\}$|\{[a-z]+(?:_[a-z]+)*\}|^\[.*\]$|<[\w -]+>|"
    r"^(?:your|insert|enter|replace)[-_ ]|(?:^|[-_ ])(?:here|placeholder|redacted|goes|todo)(?:$|[-_ ])|"
    r"^change[-_]?(?:me|this)(?:$|[-_ ])|^change-it|^example[-_ .]"
)
_WORDS = lazy(r"[A-Za-z]+\d{0,3}(?:[_./: -]+(?:[A-Za-z]+\d{0,3}|\d{1,3}))*")
_PATH = lazy(
    r"(?:~|\.\.?|[A-Za-z]:)?(?:[/\\][\w.@-]+)+/?|(?:\w{1,16}:){1,3}(?:/[\w.@-]+){3,}|[\w.-]+\.(?:pem|key|crt|json|ya?ml|txt|py|ts|js|md)"
)
_PARTS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VOWEL = lazy(r"[aeiouyAEIOUY]")
_DENSE = lazy(r"[\w+/=.~-]+")
_HARD = lazy(r"[bcdfghjklmnpqrstvwxz]{6}")  # no word has as many consonants in a row
_VERSION = lazy(r"[\^~>=<v]*\d+(?:\.\d+)+[\w.+-]{0,20}")


def of_value(says: Callable[[str], bool]) -> Judge:
    """A judge that looks at the value alone."""
    return lambda value, _before, _after: says(value)


def entries(text: str) -> tuple[str, ...]:
    """The entries of a list that is written as one text, parted by ` ¦ `."""
    return tuple(text.split(" ¦ "))


def words(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


# For each letter those that often stand behind it in words and identifiers, counted in 11,000
# words of source code: nine pairs in ten of a word are among them, four in ten of chance.
_PAIRS = {
    pairs[0]: pairs[1:]
    for pairs in words(
        "abcdgiklmnprstuvy baeilorsu cacehiklorstu dadeilorsu eabcdefgilmnpqrstvwx faefiloru "
        "gaehilnorsu haeilnortu iabcdefglmnoprstvxz jaeou kaeilnos ladeilostuy mabeimopsu "
        "nacdefgiklnopstuv oabcdgiklmnoprstuvw paehiloprstuy qu racdegiklmnorstuvy sacehilopstuy "
        "tacehiloprstuyz uabcegilmnprst vaeio waehior xaceipt yaelmopst zaeiotuz"
    )
}
_READABLE = 0.6


def is_filler(value: str) -> bool:
    """Does this stand for a secret instead of being one (`${TOKEN}`, `your-key`, `xxxx`)?"""
    return (len(value) >= 6 and len(set(value[-6:])) == 1) or _FILLER.search(value) is not None


@of_value
def not_filler(value: str) -> bool:
    """The judge of fixed formats: the prefix says what it is, only fillers are let pass."""
    return not is_filler(value)


def is_reference(value: str, after: str) -> bool:
    """Is it a path, a version, or code that fetches the value (`get_token()`)?"""
    return bool(after.startswith(("(", "[")) or _PATH.fullmatch(value) or _VERSION.fullmatch(value))


def is_words(value: str) -> bool:
    """Words and identifiers (`user_token`, `auth/not-found`, `config.db2`)."""
    return _WORDS.fullmatch(value) is not None and not is_jumbled(value)


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values())


def is_jumbled(value: str) -> bool:
    """Letters that no identifier has: the case changes every other one, no vowel comes, or no
    pair of them is at home in words.
    """
    if is_unreadable(value):
        return True
    if len(value) < 8 or not _DENSE.fullmatch(value):
        return False
    if entropy(value) < min(3.2, 0.85 * log2(len(value))):  # `aaaa…`, `----`
        return False
    parts = _PARTS.findall(value)
    return len(parts) * 2.8 >= len(value) or any(
        len(part) >= 8 and part.isalpha() and (not _VOWEL.search(part) or _HARD.search(part))
        for part in parts
    )


def is_unreadable(value: str) -> bool:
    """Twelve letters or more, and nothing else, that no language puts in such a row."""
    if len(value) < 12 or not (value.isascii() and value.isalpha()):
        return False
    if entropy(value) < min(3.2, 0.75 * log2(len(value))) or value[:4].lower() == "abcd":
        return False
    known = sum(second in _PAIRS[first] for first, second in pairwise(value.lower()))
    return known < _READABLE * (len(value) - 1)


def is_random(value: str) -> bool:
    """Letters and digits mixed as no word is, long enough for a key."""
    return (
        (
            len(value) >= 10
            and is_mixed(value)
            and not is_words(value)
            and entropy(value) >= 2.8  # below: counters and repeated words
        )
        or (len(value) >= 16 and is_jumbled(value))
        or is_unreadable(value)
    )


@of_value
def random(value: str) -> bool:
    """The judge of a long value that no word looks like."""
    return is_random(value) and not is_filler(value)


def has_digit(value: str) -> bool:
    """Is a digit in it?"""
    return any(c.isdigit() for c in value)


def is_mixed(value: str) -> bool:
    """Are digits and letters in it?"""
    return has_digit(value) and any(c.isalpha() for c in value)


def unpacked(value: str) -> str:
    """The text behind base64, with or without its padding; "" where it is none."""
    try:
        return b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except ValueError:  # not base64, or not text
        return ""
