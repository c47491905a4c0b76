"""Text for a file that a client reads as memory: `@path` in one is read as that file.

Measured with 2.1.330: without a question for a file inside the project, and not in a code span.
A backslash before it keeps the sign from being one, and Markdown does not show it.
Part of the formats room.
"""

from __future__ import annotations

import re

# A code span is passed over; one that is never closed is none.
_IMPORT = re.compile(r"`[^`\n]*`|(?:^|(?<=\s))@(?=\S)", re.MULTILINE)
_ESCAPED = re.compile(r"`[^`\n]*`|(?:^|(?<=\s))\\@(?=\S)", re.MULTILINE)


def escape(text: str) -> str:
    """The text without an import."""
    return _IMPORT.sub(lambda found: r"\@" if found[0] == "@" else found[0], text)


def unescape(text: str) -> str:
    """What `escape` was given, unless somebody wrote such a backslash."""
    return _ESCAPED.sub(lambda found: "@" if found[0] == r"\@" else found[0], text)
