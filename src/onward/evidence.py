"""Places and marks of evidence, `[asked t:12]` or `[c:9f5a3c7]`: what is quoted must not print one.

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


EARLIER = 1_000_000
"""The numbers of lines begin after this in a file that the transcript goes on from, after twice
as much in the one that goes on from, and so on back.
"""
_FILES_BACK = 9  # more than any adapter follows


def order_of(place: str) -> float:
    """Where a place stands among those of the session, which grows with time: of a line of its
    transcript the number, of one in an earlier file less than 1; 0 for any other place.
    """
    kind, _, number = place.partition(":")
    if kind != "t" or not number.isdecimal():
        return 0
    back, line = divmod(int(number), EARLIER)
    return line if not back else max(0.0, 1 - (back - line / EARLIER) / _FILES_BACK)
