"""Distil: words that ask for nothing by themselves, and so are never what the work is about."""

from __future__ import annotations

import re

from onward.distill.said.cues import is_assent, is_courtesy
from onward.distill.said.farewell import is_only_farewell

_LONGEST = 60  # characters
_THANKS = r"(?:thanks|thank\s+you|please|danke|merci|gracias|grazie|obrigad[oa])"
_NO = re.compile(
    r"\W*(?:no|n|nope|nah|nay|not\s+now|nothing(?:\s+(?:else|more))?|that(?:'|’)?s\s+(?:all|it)"
    r"|nein|nö|nee|non|não|нет|nej|不|不要|不用|不了|いいえ|아니요?)"
    rf"(?:\W+{_THANKS})?\W*",
    re.IGNORECASE,
)


def is_bare(text: str) -> bool:
    """A yes, a no, a greeting, thanks or a farewell, and nothing else."""
    if len(text) <= _LONGEST and _NO.fullmatch(text):
        return True
    return is_assent(text) or is_courtesy(text) or is_only_farewell(text)
