"""Text for a file that a client reads as memory: `@path` in one is read as that file.

Measured with 2.1.330: without a question for a file inside the project. Which marks around it the
client looks through differs by release, so every `@` that follows no letter or digit
is escaped, in a code span too.
A backslash before it keeps the sign from being one, and Markdown does not show it.
"""

from __future__ import annotations

import re

# An even number of backslashes before the sign escapes only each other.
_IMPORT = re.compile(r"(?<!\\)((?:\\\\)+|(?<![^\W_]))@(?=\S)")
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)+|(?<![^\W_]))\\@(?=\S)")


def escape(text: str) -> str:
    """The text without an import."""
    return _IMPORT.sub(r"\1\\@", text)


def unescape(text: str) -> str:
    """What `escape` was given, unless somebody wrote such a backslash."""
    return _ESCAPED.sub(r"\1@", text)
