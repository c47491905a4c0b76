"""Long folders of a briefing: said once in its head, and a short form in every path."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from onward.brief.select import Line, Part
from onward.brief.text import code
from onward.brief.tokens import estimate

_LETTERS = "ABC"
"""One for each folder that is said once at most."""
_NAME = 20
"""Characters of a folder's own name that is short enough to stand for all of its path."""
_WORTH = 20
"""Tokens that must be saved beyond what the line in the head costs."""
_FILES = "## Files"
_STEPS = "## The last steps"
_STATE = "## State of the work"
_SPAN = re.compile(r"(?<!`)`(?P<path>[^`\n]+)`(?!`)")
_LIST = re.compile(r"- (?:Edited|Wrote|Looked at) `")
_LISTED = re.compile(r"(?<!`)`(?P<path>[^`\s]+)`(?!`)")
"""Beside the paths of such a step may stand pieces of code."""
_RAN_IN = re.compile(r"^- (?:[A-Z]\w* )?in `(?P<path>[^`\n]+)`: ")
_ENDED_IN = re.compile(r"^- (?:[A-Z][\w, ]* |`[^`\n]+` )in `(?P<path>[^`\n]+)`")
_ABSOLUTE = re.compile(r"(?:~|[A-Za-z]:)?/")

Shorts = Mapping[str, str]
"""What stands for which folder, both with a stroke at their end."""


def rooted(parts: Sequence[Part], chosen: Sequence[Mapping[int, str]]) -> tuple[list[Part], str]:
    """The parts with short forms for the folders that the chosen lines tell again and again, and
    the line that says so; the same parts and "" where that would save too little.

    Only a path is shortened, never a command or what somebody said: one is there to be typed, the
    other was said so.
    """
    taken = zip(parts, chosen, strict=True)
    told = [path for part, by in taken for text in by.values() for path in _paths(part, text)]
    every = (path for part in parts for line in part.lines for path in _paths(part, line.text))
    homes = {path for path in every if path.endswith("/")}
    shorts = {} if any("…/" in path for path in told) else _shorts(told, homes)
    if not shorts:
        return list(parts), ""
    return [_shortened(part, shorts) for part in parts], _legend(shorts)


def _paths(part: Part, text: str) -> Iterator[str]:
    """The paths that a line of a section tells; of a folder that a command ran in with the stroke."""
    pattern = _pattern(part.heading, text)
    for match in pattern.finditer(text) if pattern else ():
        folder = pattern in {_RAN_IN, _ENDED_IN}
        yield match["path"].rstrip("/") + "/" if folder else match["path"]


def _pattern(heading: str, text: str) -> re.Pattern[str] | None:
    """Where in a line of a section paths stand that nobody types."""
    if heading.startswith(_STEPS):
        return _LISTED if _LIST.match(text) else _RAN_IN
    return {_FILES: _SPAN, _STATE: _ENDED_IN}.get(heading)


def _shorts(told: Sequence[str], homes: Iterable[str]) -> Shorts:
    """What saves most: a short form for one folder, or for each of a few.

    `homes` are the folders that commands ran in: nobody looks for a file from any folder below.
    """
    found = _folders(told)
    outer = tuple(filter(_deep, homes))
    fit = [f for f in found if f in outer or not f.startswith(outer)]
    apart: list[str] = []
    for folder in sorted(fit, key=lambda f: (-found[f] * len(f), f)):
        if not any(folder.startswith(f) or f.startswith(folder) for f in apart):
            apart.append(folder)
    ways = [_way(apart[:n], told) for n in range(1, min(len(apart), len(_LETTERS)) + 1)]
    saved = [(_saved(told, way) - estimate(_legend(way)), -n) for n, way in enumerate(ways)]
    most, n = max(saved, default=(0, 0))
    return ways[-n] if most >= _WORTH else {}


def _way(folders: Sequence[str], told: Sequence[str]) -> Shorts:
    """What stands for each folder: its own name, else a mark where that is long, another's too, or
    how another path begins.
    """
    names = [folder.rstrip("/").rpartition("/")[2] + "/" for folder in folders]
    begins = {path.partition("/")[0] + "/" for path in told}
    marks = [f"{letter}…/" for letter in _LETTERS] if len(folders) > 1 else ["…/"]
    fits = [len(name) <= _NAME and names.count(name) == 1 and name not in begins for name in names]
    return {
        folder: name if fit else mark
        for folder, name, fit, mark in zip(folders, names, fits, marks, strict=False)
    }


def _deep(folder: str) -> bool:
    """Whether a folder lies outside the project, and is not a person's home or the root."""
    start = _ABSOLUTE.match(folder)
    return start is not None and len(folder) > start.end()


def _folders(told: Iterable[str]) -> Counter[str]:
    """How many of the paths lie in each folder outside the project."""
    cuts = ((path, m.end()) for path in told for m in re.finditer("/", path))
    return Counter(path[:cut] for path, cut in cuts if _deep(path[:cut]))


def _saved(told: Iterable[str], shorts: Shorts) -> int:
    each = {folder: estimate(folder) - estimate(short) for folder, short in shorts.items()}
    return sum(next((n for f, n in each.items() if path.startswith(f)), 0) for path in told)


def _legend(shorts: Shorts) -> str:
    """`In paths, `A…/` stands for `~/work/shop/`, `B…/` for `~/work/till/`.`"""
    (folder, short), *others = shorts.items()
    rest = "".join(f", {code(short)} for {code(folder)}" for folder, short in others)
    return f"In paths, {code(short)} stands for {code(folder)}{rest}."


def _shortened(part: Part, shorts: Shorts) -> Part:
    return replace(part, lines=tuple(_line(part.heading, line, shorts) for line in part.lines))


def _line(heading: str, line: Line, shorts: Shorts) -> Line:
    longer = tuple((rank, _text(heading, text, shorts)) for rank, text in line.longer)
    return replace(line, text=_text(heading, line.text, shorts), longer=longer)


def _text(heading: str, text: str, shorts: Shorts) -> str:
    pattern = _pattern(heading, text)
    return pattern.sub(lambda match: _with_short(match, shorts), text) if pattern else text


def _with_short(match: re.Match[str], shorts: Shorts) -> str:
    path = match["path"]
    for folder, short in shorts.items():
        if f"{path}/".startswith(folder):
            told = (short + path[len(folder) :]) if path.startswith(folder) else short
            start, end = (at - match.start() for at in match.span("path"))
            return match.group()[:start] + told + match.group()[end:]
    return match.group()
