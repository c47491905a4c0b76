"""What the rules of several kinds share: the edges of a token, and judges of a value."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

EDGE = r"(?:\b|\\[abfnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m)"
"""Where a token may begin. In text that was escaped once more than it was decoded a letter
stands before it (`\\n`, `\\u0022`, `%3D`), and `\\b` alone would miss it."""

QUOTE = r"\\{0,7}[\"'`]"
"""A quote, in JSON in JSON too."""

_FILLER = re.compile(
    r"(?i)x{4,}|\*{3,}|\.{3,}|\u2026|\$\{|\{\{|%\(|^\$(?:\w+(?:$|[;, ])|[{(])|^%\w+%?$|^\{.*\}$|^\[.*\]$|<[\w -]+>"
    r"|^(?:your|insert|enter|replace)[-_ ]|(?:^|[-_ ])(?:here|placeholder|redacted|goes|dummy|todo)"
    r"(?:$|[-_ ])|^change[-_]?(?:me|it|this)|^example"
)
_WORDS = re.compile(r"[A-Za-z]+\d{0,3}(?:[_./: -]+(?:[A-Za-z]+\d{0,3}|\d{1,3}))*")
_PATH = re.compile(
    r"(?:~|\.\.?|[A-Za-z]:)?(?:[/\\][\w.@-]+)+/?|[\w.-]+\.(?:pem|key|crt|json|ya?ml|txt|py|ts|js|md)"
)
_VERSION = re.compile(r"[\^~>=<v]*\d+(?:\.\d+)+[\w.+-]{0,20}")


def is_filler(value: str) -> bool:
    """Does this stand for a secret instead of being one (`${TOKEN}`, `your-key`, `xxxx`)?"""
    return (len(value) >= 6 and len(set(value[-6:])) == 1) or _FILLER.search(value) is not None


def not_filler(value: str, before: str, after: str) -> bool:
    """The judge of fixed formats: the prefix says what it is, only fillers are let pass."""
    del before, after
    return not is_filler(value)


def is_reference(value: str, after: str) -> bool:
    """Is it a path, a version, or code that fetches the value (`get_token()`)?"""
    return bool(after.startswith(("(", "[")) or _PATH.fullmatch(value) or _VERSION.fullmatch(value))


def is_words(value: str) -> bool:
    """Words and identifiers (`user_token`, `auth/not-found`, `config.db2`)."""
    return _WORDS.fullmatch(value) is not None


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values())


def is_random(value: str) -> bool:
    """Letters and digits mixed as no word is, long enough for a key."""
    return (
        len(value) >= 10
        and any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
        and not is_words(value)
        and entropy(value) >= 2.8  # below: counters and repeated words
    ) or (len(value) >= 24 and " " not in value and entropy(value) >= 4.0)  # letters only
