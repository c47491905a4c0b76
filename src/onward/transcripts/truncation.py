"""Texts cut to what a reader needs of them: an output's head and, more of it, its tail.

Redaction knows a private key by its first line, and a value by the name above it. A cut would
leave lines that look like nothing, so secrets of several lines go before it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeVar

import msgspec

from onward.model import Event

if TYPE_CHECKING:
    from onward.redaction.engine import Table

E = TypeVar("E", bound=Event)

HEAD: Final = 1_500  # characters kept of the beginning: the command's own heading, the first error
TAIL: Final = 4_500  # characters kept of the end, where runners put their summary
LINE: Final = 200  # characters of a one-line description
FIRST: Final = 24
"""Lines kept of what an edit put in: a new function's inside holds the names that it will need."""

FEW: Final = 3  # lines kept of what an edit took out: enough to tell what became what

MARK: Final = "[private key]"
_HIDDEN: Final = "[secret]"
_SIGN: Final = "PRIVATE KEY"
# To the end line; of a block without one, as far as it looks like a key.
_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN )[\s\S])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:[A-Za-z0-9+/=]{20,}|[\s\\rn])*)"
)


def output(text: str) -> str:
    """`text` if it is short, else its head and tail, and how many lines are missing between them."""
    text = hide(text)
    if len(text) <= HEAD + TAIL:
        return text
    head = text[:HEAD]
    head = head[: head.rfind("\n") + 1] or head
    tail = text[-TAIL:]
    tail = tail[tail.find("\n") + 1 :] or tail
    cut = text.count("\n", len(head), len(text) - len(tail))
    return f"{head.rstrip()}\n[... {cut} lines cut ...]\n{tail}"


def one_line(text: str, limit: int = LINE) -> str:
    """`text` on one line, at most `limit` characters."""
    line = flat(_head(hide(text), limit * 4))
    return line if len(line) <= limit else _head(line, limit - 1).rstrip() + "…"


def first_lines(text: str, most: int = FIRST) -> str:
    """The first lines of `text`, each at most `LINE` characters."""
    return "\n".join(_head(line, LINE) for line in hide(text).split("\n", most)[:most]).rstrip()


def _head(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words: of half a token no rule knows."""
    if len(text) <= limit or text[limit].isspace():
        return text[:limit]
    ends = (
        at for at in range(limit, 0, -1) if not text[at - 1].isascii() or text[at - 1].isspace()
    )
    return text[: next(ends, 0)]


def hide(text: str) -> str:
    """The text with a mark in the place of each private key."""
    return _BLOCK.sub(MARK, _masked(text, MARK, "keys")) if _SIGN in text else text


def flat(text: str) -> str:
    """The text on one line, with a mark for each secret that takes several lines to know."""
    return " ".join((_masked(text, _HIDDEN, "all") if "\n" in text else text).split())


def hidden(event: E) -> E:
    """The event without private keys in its words."""
    found = {
        name: hide(text) for name in _words(type(event)) if _SIGN in (text := getattr(event, name))
    }
    return msgspec.structs.replace(event, **found) if found else event


@cache
def _words(kind: type[Event]) -> tuple[str, ...]:
    """The fields of a kind of event that hold free text."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type is str)


def _masked(text: str, mark: str, kinds: Literal["keys", "all"]) -> str:
    from onward.redaction import engine  # noqa: PLC0415 - slow to import, and few texts need it

    data, at, kept = text.encode("utf-8", "replace"), 0, list[bytes]()
    for found in sorted(engine.find(data, _table(kinds)), key=lambda found: found.start):
        if found.start >= at:
            kept += (data[at : found.start], mark.encode())
        at = max(at, found.end)
    return b"".join((*kept, data[at:])).decode()


@cache
def _table(kinds: Literal["keys", "all"]) -> Table:
    from onward.redaction import engine, rules  # noqa: PLC0415 - as above

    if kinds == "all":
        return engine.compile_rules((rule for rule in rules.RULES if not rule.shown), at_once=False)
    # How redaction knows a block: with the numbers and signs that tools put before its lines.
    return engine.compile_rules(rule for rule in rules.FIXED if rule.id.startswith("private-key"))
