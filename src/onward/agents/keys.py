"""Agents: private keys, taken out of a text while it is whole.

Redaction knows a key block by its first line. What cuts a text down before that (a prompt's
middle, an output's head) would leave lines that look like nothing, so blocks go first.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

import msgspec

from onward.model import Event

E = TypeVar("E", bound=Event)

MARK: Final = "[private key]"
_SIGN: Final = "PRIVATE KEY"
# To the end line; of a block without one, as far as it looks like a key.
_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN )[\s\S])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:[A-Za-z0-9+/=]{20,}|[\s\\rn])*)"
)


def hide(text: str) -> str:
    """The text with a mark in the place of each private key."""
    return _BLOCK.sub(MARK, text) if _SIGN in text else text


def hidden(event: E) -> E:
    """The event without private keys in its words."""
    found = {
        name: hide(value)
        for name in event.__struct_fields__
        if isinstance(value := getattr(event, name), str) and _SIGN in value
    }
    return msgspec.structs.replace(event, **found) if found else event
