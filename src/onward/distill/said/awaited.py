"""Distil: what the agent waits for the person to do before it goes on."""

from __future__ import annotations

import re

from onward.distill.said.talk import Talk
from onward.distill.text import one_line, sentences
from onward.model import Item

_LIMIT = 300
_LAST = 3
"""Sentences at the end of a message among which it stands: what is waited for is said last."""
AWAITED = re.compile(
    r"""^\W*(?:please\s+)?(?:tell\s+me|let\s+me\s+know|say\s+so|ping\s+me)\s+(?:when|once|as\s+soon\s+as|after)\s+(?:you\b|it\b|that\b|the\b)
    | \bwaiting\s+(?:for|on)\s+(?:you\b|your\b)
    | ^\W*(?:once|when|after|as\s+soon\s+as)\s+(?:you\b|that's|that\s+is).{2,160}?[,;]?\s(?:then\s+)?i(?:'ll|’ll|\s+will)\b
    | \bi(?:'ll|’ll|\s+will)\s+(?:\w+\s+){1,12}?(?:once|when|after|as\s+soon\s+as)\s+you\b
    | \bavísame\s+cuando\b | \bsag\s+(?:mir\s+)?bescheid\b | \bdis-moi\s+quand\b | 等你 | 等您""",
    re.IGNORECASE | re.VERBOSE,
)


def awaited(talk: Talk) -> Item[str] | None:
    """The sentence at the end of the agent's last message that makes its next act wait for one
    of the person's; None where something came after it.
    """
    last = talk.last_prompt()
    if talk.interrupt or talk.halt or talk.acts_after_reply or (last and not last.answers):
        return None
    said = [s for s in sentences(talk.reply)[-_LAST:] if AWAITED.search(s)]
    if not said:
        return None
    return Item(text=one_line(said[-1], _LIMIT), evidence="claimed", places=(talk.reply_place,))
