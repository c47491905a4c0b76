"""Distil: the lines of a message of the agent that say something: its prose, lists and short code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal

from msgspec import Struct

from onward.distill.text import one_line, sentences

_ONE_LINE = 300
_SPAN, _SPAN_LINES = 240, 7
"""A block of code within both is evidence and stands as one span."""
_BLOCK, _BLOCK_LINES = 600, 14
"""A block within both that is no program's source is part of what was said: line by line."""
_FENCE = re.compile(
    r"^[ \t]*```(?P<kind>[^\n`]*)\n(?P<body>.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE
)
_TYPED = re.compile(r"(?:bash|sh|shell|zsh|console|terminal|text|txt|plaintext|markdown|md)?\s*$")
"""The kind of a block that holds commands, or what a program or a person wrote."""
_LINK = re.compile(
    r"`?\[[^\]\n]{1,200}\]\((?:file://)?<?(?P<path>(?:/|[A-Za-z]:[\\/])[^)#>\n]{1,300}?)(?:(?:#L|:)(?P<line>\d+)[^)>\n]{0,20})?>?\)`?"
)
"""A Markdown link to a file on the disk, with the line that it points to."""
_DRAWN = re.compile("[\u2500-\u257f\u25a0-\u25ff]")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\ufe0f]+ ?")
_QUOTED = re.compile(r"^\s*>\s+")
_ENTRY = re.compile(r"^\s*(?:\*\*(?=\(?\d))?(?:[-*•]|\(?\d{1,3}[.)])\s+")
_HEADED = re.compile(r"^\s*#{1,6}\s+")
_BOLD = re.compile(r"\*\*[^*\n]+(?<![.!?。:\uff1a])\*\*\s*$")
_BLANK = re.compile(r"\n\s*\n")
_RULER = re.compile(r"[-=_*\s]+$|^[\u2500-\u257f\s]+$")
_COLUMNS = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\||$)")
_CHEER = re.compile(
    r"\W*(?:perfect|excellent|great|awesome|amazing|wonderful|all\s+done|done|success|complete[d]?|太好了|完美|完成)[\w\s]{0,12}\W*",
    re.IGNORECASE,
)
CODE = "[code]"
"""Our mark for a block that is left out, behind the line that leads to it."""


class Line(Struct, frozen=True):
    """One line of a message, without Markdown's marks for its kind but for those of a list."""

    text: str
    kind: Literal["heading", "entry", "prose", "code"]
    paragraph: int
    """Which paragraph it stands in, counted from 0; a heading is one of its own."""


def unlisted(text: str) -> str:
    """A line without the mark of a list and without emphasis."""
    return _ENTRY.sub("", text).replace("**", "")


def is_entry(line: str) -> bool:
    """Whether a line is the entry of a list."""
    return bool(_ENTRY.match(line))


def leads(text: str) -> bool:
    """Whether a line only leads to what stands below it."""
    return text.rstrip("* ").endswith((":", "\uff1a"))


def lines_of(message: str) -> list[Line]:
    """The lines that say something: rulers, tables, drawings, celebration, emoji and long code go,
    and so does a heading with nothing left under it.
    """
    found = [line for line in _lines(message) if not _CHEER.fullmatch(line.text)]
    found = found or list(_lines(message))
    told = [
        line
        for line, following in zip_longest(found, found[1:])
        if line.kind != "heading" or (following and following.kind != "heading")
    ]
    return told or found or [Line(one_line(message, _ONE_LINE), "prose", 0)]


def without_leads(lines: list[Line]) -> list[Line]:
    """The lines without the sentences that lead to nothing but a heading."""
    told: list[Line] = []
    for line, following in zip_longest(lines, lines[1:]):
        leads_on = line.kind == "prose" and leads(line.text)
        if leads_on and following and following.kind == "heading":
            said = " ".join(sentences(line.text)[:-1])
            told += [Line(said, "prose", line.paragraph)] if said else []
        else:
            told.append(line)
    return told or lines


def _lines(message: str) -> Iterator[Line]:
    text, paragraph, end = _LINK.sub(_as_place, message), 0, 0
    for block in _FENCE.finditer(text):
        before = list(_outside(text[end : block.start()], paragraph))
        paragraph = before[-1].paragraph if before else paragraph
        yield from before
        led = bool(before) and leads(before[-1].text)
        yield from (Line(each, "code", paragraph) for each in _inside(block, led=led))
        end = block.end()
    yield from _outside(text[end:], paragraph)


def _outside(text: str, paragraph: int) -> Iterator[Line]:
    """The lines between blocks of code."""
    for raw, below in zip_longest(text.splitlines(), text.splitlines()[1:], fillvalue=""):
        bare = _QUOTED.sub("", _EMOJI.sub("", raw)).strip()
        if not bare or _RULER.match(bare) or _is_ruled(bare, below):
            paragraph += not bare
            continue
        bare = _row(bare) if bare.startswith("|") else bare
        titled = _HEADED.match(bare)
        if titled or _BOLD.match(bare):
            paragraph += 1
            title = bare[titled.end() if titled else 0 :].strip()
            yield Line(f"**{title.replace('**', '').strip()}**", "heading", paragraph)
            paragraph += 1
        elif is_entry(bare):
            yield Line(bare, "entry", paragraph)
        else:
            yield Line(bare, "prose", paragraph)


def _is_ruled(bare: str, below: str) -> bool:
    """Whether a line only draws a table: what is ruled off, or the heads of its columns."""
    return bare.startswith("|") and bool(_COLUMNS.match(bare) or _COLUMNS.match(below.strip()))


def _row(bare: str) -> str:
    """The row of a table as the entry of a list, by its first cell."""
    first, *cells = [cell.strip() for cell in bare.strip("|").split("|")]
    told = "; ".join(cell for cell in cells if cell)
    return f"- {first}: {told}" if first and told else f"- {first or told}"


def _inside(block: re.Match[str], *, led: bool) -> list[str]:
    """What is told of a block of code: all of a short one, the mark of one that a line leads to."""
    written = [part for part in _BLANK.split(block["body"]) if not _DRAWN.search(part)]
    lines = [one_line(line) for part in written for line in part.splitlines() if line.strip()]
    size = sum(map(len, lines))
    if len(lines) <= _SPAN_LINES and size <= _SPAN:
        return [f"`{'; '.join(lines)}`"] if lines else []
    if len(lines) <= _BLOCK_LINES and size <= _BLOCK and _TYPED.match(block["kind"]):
        return [line if "`" in line else f"`{line}`" for line in lines]
    return [CODE] if led else []


def _as_place(link: re.Match[str]) -> str:
    line = f":{link['line']}" if link["line"] else ""
    return f"`{link['path']}{line}`"
