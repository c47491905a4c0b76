"""Distil: a message as a step: what it says of the work, in a line and at length."""

from __future__ import annotations

import re

from onward.distill.said.claim import claim
from onward.distill.said.cues import is_narration
from onward.distill.text import sentences, shorten, unfenced, words

CLAIM = 180
"""Characters of what is told of a message in a line."""
_EMPTY = 4
"""Words below which a message says nothing of the work, but for a name in code."""
_OPENING = 200
_REPORT = 1400
"""Characters of a report that are looked at."""
_LED = re.compile(r"[:,]?\s*\(?\d{1,2}[.)]\s*$")
"""The number of a list's first entry, left behind by the sentence before it."""
_STRUCTURED = re.compile(r"#|-{3}|\*\*|={3}")
"""How what a report is about begins, below a word of greeting."""


def claimed(reply: str, asked: str = "") -> str:
    """What a message says of the work, without what it announces; "" for nothing."""
    said = [s for s in sentences(unfenced(reply)) if not is_narration(s)]
    told = _LED.sub("", claim(reply, asked) or claim(reply) or shorten(" ".join(said), CLAIM))
    return told if len(words(told)) >= _EMPTY or "`" in told else ""


def body(report: str) -> str:
    """How a sub-agent's report begins, without the greeting above it: "Now I have all that I need.".
    Pieces of a long one say less than its beginning.
    """
    first, blank, rest = report.strip().partition("\n\n")
    greets = blank and len(first) < _OPENING and "`" not in first and "\n" not in first
    said = rest.strip() if greets and _STRUCTURED.match(rest.strip()) else report.strip()
    return said if len(said) <= _REPORT else said[:_REPORT].rpartition("\n")[0] or said[:_REPORT]
