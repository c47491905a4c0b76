"""Marks of evidence, `[asked t:12]` or `[c:9f5a3c7]`: what is quoted must not print one.

A backslash before the bracket keeps a mark from being one, and Markdown does not show it.
"""

from __future__ import annotations

import re

_MARK = r"\[(?=\s*(?:(?:asked|claimed|observed|unverified)\b|[tc]:))"
_BARE = re.compile(_MARK, re.IGNORECASE)
_ESCAPED = re.compile(rf"\\({_MARK})", re.IGNORECASE)
_HEADING = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")


def escape(text: str) -> str:
    """The text with a backslash before each mark that looks like ours."""
    return _BARE.sub(r"\\[", text)


def unescape(text: str) -> str:
    """What `escape` was given."""
    return _ESCAPED.sub(r"\1", text)


def quote(line: str) -> str:
    """A line in which nothing can be taken for a mark or a heading of ours."""
    line = escape(line)
    return "\\" + line if _HEADING.match(line.lstrip("\\")) else line


def unquote(line: str) -> str:
    """What `quote` was given."""
    is_heading = line.startswith("\\") and _HEADING.match(line.lstrip("\\"))
    return unescape(line[1:] if is_heading else line)
