"""Distil: which names a piece of source defines, for the word of what an edit was about."""

from __future__ import annotations

import re
from collections import Counter

_DEFINED = re.compile(
    r"""^[ \t]*+(?:export[ \t]++)?(?:default[ \t]++)?(?:pub(?:\([a-z]+\))?[ \t]++)?(?:public|private|protected)?[ \t]*+
    (?:static[ \t]++)?(?:abstract[ \t]++|final[ \t]++)?(?:async[ \t]++)?(?:
        (?:def|class|fn|function\*?|interface|struct|enum|trait|module|protocol|object)[ \t]+([A-Za-z_$][\w$]*)
      | func[ \t]+(?:\([^)]*\)[ \t]*)?([A-Za-z_]\w*)
      | type[ \t]+([A-Za-z_]\w*)
      | (?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)[ \t]*(?::[^=]+)?=[ \t]*(?:async[ \t]*)?(?:\(|function|[\w$]+[ \t]*=>|React\.|use[A-Z])
      | ([A-Z][A-Z0-9_]{3,})[ \t]*(?::[^=]+)?=
    )""",
    re.MULTILINE | re.VERBOSE,
)
_HEADING = re.compile(r"^#{1,3} +(.{3,60}?)[ \t]*#*$", re.MULTILINE)
_MOST = 5
_HEAD = 6
"""Lines of a piece of source that say what it is about; what follows is its inside."""
_PROSE = (".md", ".mdx", ".rst", ".txt")
_COMPOUND = re.compile(
    r"(?<![.\w])(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[A-Za-z]\w*[a-z]_[a-z]\w+)\b"
)


def about(text: str, path: str = "") -> tuple[str, ...]:
    """What a piece of source is about: what its head defines, else the compound names that it
    uses most, at most three.
    """
    text = "\n".join(text.split("\n", _HEAD)[:_HEAD])
    found = defined(text, path)
    if found or path.lower().endswith(_PROSE):
        return found
    return tuple(name for name, _ in Counter(_COMPOUND.findall(text)).most_common(3))


def defined(text: str, path: str = "") -> tuple[str, ...]:
    """Names that a piece of source defines, or the headings of a document; at most five."""
    if path.lower().endswith(_PROSE):
        return tuple(dict.fromkeys(_HEADING.findall(text)))[:_MOST]
    found = (next(filter(None, groups)) for groups in _DEFINED.findall(text))
    return tuple(dict.fromkeys(found))[:_MOST]
