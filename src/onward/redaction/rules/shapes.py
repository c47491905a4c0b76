"""Judges of fixed formats: what may pass although it has the shape of a token."""

from __future__ import annotations

from collections.abc import Callable

from onward.redaction.engine import Judge
from onward.redaction.rules.shared import is_filler, lazy

_WORD = r"(?:[A-Z]{0,4}[a-z]+(?:[A-Z][a-z]+)*\d{0,2}|[A-Z]+\d{0,2}|\d{1,4})"
_PHRASE = lazy(rf"{_WORD}(?:[-_.:/]{{1,2}}{_WORD})*")
_ENOUGH = 400  # characters to judge by; nearly all tokens are shorter
_WORDS = lazy(r"[A-Z]?[a-z]+|[A-Z]+")
_SAME = lazy(r"(.)\1{3,}")
_INSIDE = lazy(r"[0-9A-Za-z_]\Z")
_GLUED = lazy(r"[\w./-]\Z")
_ESCAPE = lazy(
    r"(?:\\[abfnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m)\Z"
)
_RUN = lazy(r"[0-9A-Za-z+/_=-]{32}\Z")
_PIECE = lazy(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_BASE64_BEFORE = lazy(r"(?:[0-9A-Za-z+/][+/]|[0-9A-Za-z+/_-]{8})\Z")
_BASE64_AFTER = lazy(r"[0-9A-Za-z+/=%]")


def is_phrase(value: str) -> bool:
    """Words in one case or in camel case (`sk_test_connection`, `asLoadTheImage`)."""
    head = value[:_ENOUGH]
    if not _PHRASE.fullmatch(head):
        return False
    # What came out so by chance is in pieces of two letters.
    words = _WORDS.findall(head)
    return sum(map(len, words)) >= 3 * len(words)


def is_placeholder(value: str) -> bool:
    """A filler, unless enough is left without its runs of one character: chance makes an
    `xxxx` in one of ten thousand long tokens.
    """
    head = value[:_ENOUGH]
    return is_filler(head) and len(_SAME.sub("", head.lower())) < 40


def embedded(before: str) -> bool:
    """Does what stands before end in a run of base64? Prefixes occur in it by chance: of 32
    random characters some 16 pieces differ in kind, of the name of a variable under 12.
    """
    run = _RUN.search(before)
    return run is not None and len(_PIECE.findall(run[0])) >= 12


def begins(before: str) -> bool:
    """May a token begin behind this? The judges ask what `shared.EDGE` says in a pattern: one
    that begins with its literal is ten times as fast, as re2 leaps from literal to literal.
    """
    return not _INSIDE.search(before) or _ESCAPE.search(before) is not None


def token(value: str, before: str, after: str) -> bool:
    """The judge of most formats: the prefix says what it is, only placeholders pass."""
    del after
    return begins(before) and not (is_placeholder(value) or embedded(before))


def sound(check: Callable[[str], bool]) -> Judge:
    """A judge: what passes the check goes, whatever it looks like; else all but fillers."""
    return lambda value, before, after: (
        begins(before) and (check(value) or token(value, before, after))
    )


def unless_words(check: Callable[[str], bool] = lambda _: False) -> Judge:
    """A judge for formats whose alphabet has `-` or `_`: names are spelled with it as well."""
    return lambda value, before, after: (
        begins(before) and (check(value) or (token(value, before, after) and not is_phrase(value)))
    )


def standing_alone(value: str, before: str, after: str) -> bool:
    """A shape that also ends longer names (`cache-key-…`): no name may stand before it."""
    glued = _GLUED.search(before) and not _ESCAPE.search(before)
    return token(value, before, after) and not glued


def weak_prefix(value: str, before: str, after: str) -> bool:
    """A prefix that words begin with as well: the value stands alone and is no phrase."""
    return standing_alone(value, before, after) and not is_phrase(value)


def distinct(value: str, before: str, after: str) -> bool:
    """A prefix that says next to nothing: digits or both cases must be among the letters."""
    mixed = any(c.isdigit() for c in value) or value not in {value.lower(), value.upper()}
    return mixed and weak_prefix(value, before, after)


def whole_run(value: str, before: str, after: str) -> bool:
    """A shape that base64 of zeros has as well: the run of base64 must end where it ends."""
    inside = _BASE64_BEFORE.search(before) or _BASE64_AFTER.match(after)
    return begins(before) and not (inside or is_placeholder(value))
