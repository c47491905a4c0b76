"""The last look at what is printed: a file may be named by somebody else, and a word may have
been pasted in the wrong place.
"""

from __future__ import annotations

import os
import re

from onward.commands.plain import is_plain

_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f]")
"""What a terminal acts on, and what it shows in another order or not at all."""


def text(answer: str) -> str:
    """An answer without what a terminal would obey. It is clean already but for names in it."""
    return answer if answer.isascii() and answer.isprintable() else _OBEYED.sub("", answer)


def line(told: str) -> str:
    """One line of the same; several become one."""
    return told if told.isprintable() else _OBEYED.sub("", " ".join(told.splitlines()))


def error(told: str, *, personal: bool) -> str:
    """One line of an error, without secrets; without `personal`, paths stay as they are."""
    plain = line(told)
    if is_plain(plain):
        return plain
    from onward.redaction import Redactor  # noqa: PLC0415 - only an error pays for the rules

    # A key of this call: an error may be about the machine's own.
    return Redactor(os.urandom(32), personal=personal).text(plain)


def json(answer: str) -> str:
    """JSON with that in its escaped form, which means the same to whoever reads it."""
    kept = answer.split("\n")  # between values; within one they are escaped
    return "\n".join(_OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", each) for each in kept)
