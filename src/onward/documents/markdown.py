"""Markdown: the headed parts of a text, and the list items and paragraphs in them.

People and other tools edit our files, so the structure is read by a CommonMark parser; the words
are taken from the source lines and never re-rendered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_ATX = re.compile(r"^ {0,3}#{1,6}(?:[ \t]+|$)")
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?P<space>[ \t]*)")
_ODD_BULLET = re.compile(r"^\s*[•‣◦·▪●–]\s*")
_BOX = re.compile(r"^\s*\[[ xX~-]\]\s")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


class Part(NamedTuple):
    """A heading with the lines under it, up to the next heading. Level 0: before the first.

    `line` is where the heading stands, `first` where the body begins; both from 1.
    """

    level: int
    title: str
    line: int
    first: int
    body: tuple[str, ...]


class Chunk(NamedTuple):
    """One list item (its bullet taken off) or one paragraph."""

    lines: tuple[str, ...]
    listed: bool


def split_lines(text: str) -> list[str]:
    """The lines as the parser counts them: no byte order mark, line feed the only end."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return plain.replace("\0", "\ufffd").split("\n")


@cache
def _blocks() -> MarkdownIt:
    """The parser, imported late: its import takes longer than a start of Python."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - see above

    # Blocks are all that is asked. `reference` would swallow a line such as `[x]: y` unseen.
    parser = MarkdownIt("commonmark").disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def parts(text: str) -> list[Part]:
    """The text cut at its headings, of whatever level and style; always a level 0 first."""
    lines = split_lines(text)
    heads: list[tuple[int, str, int, int]] = [(0, "", 0, 0)]
    for token in _blocks().parse("\n".join(lines)):
        if token.type == "heading_open" and token.level == 0 and token.map:
            start, end = token.map
            title = (
                _ATX.sub("", lines[start])
                if token.markup[0] == "#"
                else " ".join(line.strip() for line in lines[start : end - 1])
            )
            heads.append((int(token.tag[1]), title.strip(), start, end))
    ends = [start for _, _, start, _ in heads[1:]] + [len(lines)]
    return [
        Part(level, title, start + 1, body + 1, tuple(lines[body:end]))
        for (level, title, start, body), end in zip(heads, ends, strict=True)
    ]


def chunks(body: Sequence[str]) -> list[Chunk]:
    """The list items and paragraphs of a body, in order. Comments are no content."""
    found: list[Chunk] = []
    for token in _blocks().parse("\n".join(body)):
        if token.map is None or token.level > 1:
            continue
        raw = list(body[token.map[0] : token.map[1]])
        while raw and not raw[-1].strip():
            raw.pop()
        if token.type == "list_item_open" and token.level == 1:
            found.append(Chunk(_item(raw), listed=True))
        elif token.level == 0 and not token.type.endswith("list_open") and raw:
            found += _block(token.type, raw)
    return found


def without_comments(text: str) -> str:
    """The text without its HTML comments."""
    return _COMMENT.sub("", text)


def line_of(text: str, words: str) -> int:
    """Where the first line of some words stands in a text, from 1; 0 if it does not."""
    first = words.split("\n", maxsplit=1)[0].strip()
    lines = split_lines(text)
    return next((place for place, line in enumerate(lines, 1) if first and first in line), 0)


def _item(raw: list[str]) -> tuple[str, ...]:
    """Take bullet and indentation off. An indented code block keeps what it has of its own."""
    mark = _BULLET.match(raw[0]) if raw else None
    if mark is None:
        return tuple(raw)
    spaces = len(mark["space"])
    width = mark.end() if 1 <= spaces <= 4 else mark.end() - spaces + min(spaces, 1)
    return (raw[0][width:], *(dedent(line, width) for line in raw[1:]))


def dedent(line: str, width: int) -> str:
    """The line without up to `width` leading blanks."""
    blanks = len(line) - len(line.lstrip(" \t"))
    return line[min(width, blanks) :]


def _block(kind: str, raw: list[str]) -> list[Chunk]:
    """A paragraph, fence, quotation or table outside a list, as chunks."""
    if kind == "html_block":
        raw = without_comments("\n".join(raw)).strip().split("\n")
    elif len(raw) > 1 and all(_BOX.match(text) for text in raw):
        return [Chunk((text.strip(),), listed=True) for text in raw]
    elif all(_ODD_BULLET.match(text) for text in raw):
        return [Chunk((_ODD_BULLET.sub("", text),), listed=True) for text in raw]
    elif len(raw) > 1 and _TABLE_RULE.match(raw[1]) and "|" in raw[0]:
        # A row is one line, its cells parted by a dash.
        rows = ([cell.strip() for cell in text.strip().strip("|").split("|")] for text in raw[2:])
        return [Chunk((" - ".join(filter(None, row)),), listed=True) for row in rows]
    elif kind == "code_block":
        raw = [dedent(text, 4) for text in raw]
    return [Chunk(tuple(raw), listed=False)] if any(raw) and kind != "hr" else []


def folded(text: str) -> str:
    """A text as it is compared with others: neither blanks nor case count."""
    return " ".join(text.split()).casefold()
