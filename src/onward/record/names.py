"""The names that a piece of source defines: functions, classes, tables; the headings of a document."""

from __future__ import annotations

import re

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
_FIVE = 5
_PROSE = (".md", ".mdx", ".rst", ".txt")


def defined(text: str, path: str = "") -> tuple[str, ...]:
    """Names that a piece of source defines, or the headings of a document; at most five."""
    if path.lower().endswith(_PROSE):
        return tuple(dict.fromkeys(_HEADING.findall(text)))[:_FIVE]
    found = (next(filter(None, groups)) for groups in _DEFINED.findall(text))
    return tuple(dict.fromkeys(found))[:_FIVE]
