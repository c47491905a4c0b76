"""The time of a session's end in `active-context.md`.

Apart from `active_context`, since a hook that ends a session must not import a whole format.
"""

from __future__ import annotations

import re
from datetime import UTC, tzinfo

from onward.documents import times

_ENDED = re.compile(r"^\*\*Session ended:\*\*.*\n?", re.MULTILINE)


def with_exit(text: str, ended: str, zone: tzinfo = UTC) -> str:
    """The same text with the time at which the session ended; nothing else changes."""
    line = f"**Session ended:** {times.local(ended, zone) or ended}\n"
    bare = _ENDED.sub("", text)
    head = re.match(r"\A(?:# .*\n\n?)?(?:\*\*Updated:\*\*.*\n)?", bare)
    cut = head.end() if head else 0
    return bare[:cut] + line + bare[cut:]
