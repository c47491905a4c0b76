"""The entries of checklists in a text: `- [x] Fix the login`."""

from __future__ import annotations

import re
from itertools import islice

from onward.model import Box

_ENTRY = re.compile(
    # A tool may have put the number of the line before it.
    r"^[ \t]*(?:\d+[\u2192\t:|][ \t]*)?(?:[-*+]|\d+[.)]) \[([ xX])\][ \t]+(\S.{0,299})$",
    re.MULTILINE,
)
_MOST = 400


def boxes(text: str) -> tuple[Box, ...]:
    """At most 400 entries, in order; one of more than 300 characters is no entry."""
    if not any(box in text for box in ("[ ]", "[x]", "[X]")):
        return ()
    found = islice(_ENTRY.finditer(text), _MOST)
    return tuple(Box(title=each[2].strip(), done=each[1] != " ") for each in found)
