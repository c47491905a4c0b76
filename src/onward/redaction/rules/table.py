"""Rules as text: a table of formats and where they stand, with the parts that patterns share.

    ⟨name⟩ ⇥ a part of a pattern, for the rows below it
    id ⇥ validator ⇥ keywords, parted by ` ¦ ` ⇥ source ⇥ pattern
    id ⇥ validator ⇥ keywords ⇥ source
      a pattern of several lines
      of one depth, which are alternatives (?:
        a deeper line, or one that begins with a bracket, goes on where the last one ended
      )

`⟨name⟩` in a pattern or among keywords stands for a part. Behind an id `(json)` says that the text
may be escaped as a string of JSON, `(~)` what is shown instead of a mark. `#` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from onward.redaction.engine import Rule


class _Lazy:
    """Stands for a pattern until something of it is asked for."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._pattern)
        for each in ("search", "match", "fullmatch", "findall", "split", "sub"):
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)


def lazy(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled when it is first used: few texts reach a judge, and compiling all
    of them costs more than a hook may take.
    """
    return cast("re.Pattern[str]", _Lazy(pattern))


ESCAPED = r"\\[abfnrtv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m"
EDGE = rf"(?:\b|{ESCAPED})"
"""Where a token may begin. In text that was escaped once more than it was decoded a letter
stands before it (`\\n`, `\\u0022`, `%3D`), and `\\b` alone would miss it."""

_PARTS = {
    "edge": EDGE,
    "quote": r"\\{0,7}[\"'`]",  # in JSON in JSON too
    "line end": r"(?:\r?\n|\\{1,7}[rn]|$)",
    # behind its number or the sign of a diff
    "line start": r"(?:^|\n|\\n)[ \t]{0,16}(?:\d{1,6}[\t:][ \t]{0,16}|[+-][ \t]{0,16})?",
}
_PART, _OPTION = re.compile("⟨([^⟨⟩]+)⟩"), re.compile(r"([\w-]+) \(([\w~-]+)\)")
_PIECES = re.compile(r"""\[(?:[^\]\\]|\\.)*\]|\\r\?\\n|\\.|["]""")


def entries(text: str) -> tuple[str, ...]:
    """The entries of a list that is written as one text, parted by ` ¦ `."""
    return tuple(text.split(" ¦ "))


def words(text: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(text.split())


def read(text: str, judges: Mapping[str, Any], **parts: str) -> tuple[Rule, ...]:
    """The rules of a table. A row names its judge as a module's names have it; `parts` are there
    in every pattern. Raises KeyError for a part or judge of no such name.
    """
    return tuple(_rules(text, judges, {**_PARTS, **parts}))


def _rules(text: str, judges: Mapping[str, Any], parts: dict[str, str]) -> Iterator[Rule]:
    def filled(raw: str) -> str:
        return _PART.sub(lambda part: parts[part[1]], raw)

    lines = "\n".join(line for line in text.split("\n") if line and not line.startswith("#"))
    for row in re.split(r"\n(?! )", lines):
        line, *below = row.split("\n")
        name, *cells = line.split("\t")
        if name.startswith("⟨"):
            parts[name.strip("⟨⟩")] = filled("".join(cells) or joined(below))
            continue
        judge, keywords, source, *inline = cells
        pattern = filled(inline[0] if inline else joined(below))
        option = _OPTION.fullmatch(name)
        as_json = option is not None and option[2] == "json"
        yield Rule(
            id=option[1] if option else name,
            pattern=in_json(pattern) if as_json else pattern,
            keywords=entries(filled(keywords).replace(r"\t", "\t")) if keywords else (),
            source=source,
            judge=judges[judge] if judge else None,
            shown=option[2] if option and not as_json else "",
        )


def joined(lines: Iterable[str]) -> str:
    """The pattern that stands in several lines."""
    out, depth = "", 0
    for line in lines:
        plain = line.lstrip(" ")
        goes_on = len(line) - len(plain) > depth or plain.startswith(")")
        out += plain if goes_on else f"|{plain}"
        depth = len(line) - len(plain)
    return out


def in_json(pattern: str) -> str:
    """The pattern, where its text may also be escaped as a string of JSON: quotes, tabs and line ends."""

    def spelled(piece: re.Match[str]) -> str:
        each = piece[0]
        if each in {r"\n", r"\r?\n"}:
            return r"(?:\r?\n|\\{1,7}n)"
        if each == r"\t":
            return r"(?:\t|\\{1,7}t)"
        is_quote = each.startswith("[") and set(each) <= set("[]\\\"'`(") and len(each) > 2
        return rf"(?:\\{{0,7}}{each})" if is_quote or each in {'"', r"\""} else each

    return _PIECES.sub(spelled, pattern)
