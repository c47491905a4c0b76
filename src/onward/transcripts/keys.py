"""Private keys, and other secrets of several lines, taken out of a text while it is whole.

Redaction knows a key block by its first line. What cuts a text down before that (a prompt's
middle, an output's head) would leave lines that look like nothing, so blocks go first.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, TypeVar

import msgspec

from onward.model import Event
from onward.redaction import engine
from onward.redaction.rules import FIXED, RULES

E = TypeVar("E", bound=Event)

MARK: Final = "[private key]"
_SECRET: Final = b"[secret]"
_SIGN: Final = "PRIVATE KEY"
# To the end line; of a block without one, as far as it looks like a key.
_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN )[\s\S])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:[A-Za-z0-9+/=]{20,}|[\s\\rn])*)"
)


@cache
def _rule() -> engine.Table:
    """How redaction knows a block: with the numbers and signs that tools put before its lines."""
    return engine.compile_rules(rule for rule in FIXED if rule.id.startswith("private-key"))


def hide(text: str) -> str:
    """The text with a mark in the place of each private key."""
    if _SIGN not in text:
        return text
    data, at, kept = text.encode("utf-8", "replace"), 0, list[bytes]()
    for found in sorted(engine.find(data, _rule()), key=lambda found: found.start):
        if found.start >= at:
            kept += (data[at : found.start], MARK.encode())
        at = max(at, found.end)
    return _BLOCK.sub(MARK, b"".join((*kept, data[at:])).decode())


@cache
def _rules() -> engine.Table:
    return engine.compile_rules((rule for rule in RULES if not rule.shown), at_once=False)


def flat(text: str) -> str:
    """The text on one line, with a mark in the place of each secret that it takes several lines
    to know: a value below its name.
    """
    if "\n" not in text:
        return " ".join(text.split())
    data, at, kept = text.encode("utf-8", "replace"), 0, list[bytes]()
    for found in sorted(engine.find(data, _rules()), key=lambda found: found.start):
        if found.start >= at:
            kept += (data[at : found.start], _SECRET)
        at = max(at, found.end)
    return " ".join(b"".join((*kept, data[at:])).decode().split())


@cache
def _words(kind: type[Event]) -> tuple[str, ...]:
    """The fields of a kind of event that hold free text."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type is str)


def hidden(event: E) -> E:
    """The event without private keys in its words."""
    found = {
        name: hide(text) for name in _words(type(event)) if _SIGN in (text := getattr(event, name))
    }
    return msgspec.structs.replace(event, **found) if found else event
