"""Distil: what a person pasted from a browser's console or a stack of calls, without its noise."""

from __future__ import annotations

import re
from collections.abc import Iterator

FRAME = re.compile(
    r"^\s*(?:at\s(?:.*\(.*\)|\S+:\d+)|File\s\".*\",\sline\s\d+.*|.{1,80}\s@\s\S+:\d+)\s*$"
)
"""A call in a stack: `at f (a.js:1:2)`, `File "a.py", line 2, in f`, `f @ a.js:1`."""
_LONGEST = 400
"""Characters in which a line shows that it is a call."""
_PRINTED = 2000
"""Characters above which a line is no line of a console."""
_FRAMES = 2
"""Calls of one stack that are left: the two next to its error say where it was."""
_NAMED = re.compile(r"\s*(?:at\s+(?:async\s+)?)?[\w$.<>]*[^\W\d_]{4}")
"""A call whose name a packer has not shortened to a letter or two."""
_FOREIGN = re.compile(r"node_modules|node:internal")
_STEP = re.compile(r"\s*[\w.]+(?:\s[\w.]+){0,2}\s*$")
"""What stands between two calls: `await in f`, `setTimeout`."""
_QUERY = re.compile(r"(\.[a-z]{2,4})\?[\w=&%.-]{1,200}(:\d+)")
"""How a page asks for its script: says nothing of the line in it."""
_PACKED = r"(?:[\w./-]{0,80}[0-9a-f]{8,40}\.m?js(?:\?[\w=&%.-]{1,200})?(?::\d+){1,2}|\d{0,4}\([^()\s]{1,20}\):\d+)\s+"
"""Where in a packed script or a page without a name a console says that a line comes from."""
_FROM = re.compile(rf"^{_PACKED}(?=\S)")
_WITHIN = re.compile(rf"(?<=\S)[ \t]+{_PACKED}(?=\S)")
_CONSOLE = "> "
"""What stands in its place: the line was printed, not typed."""


def bared(text: str) -> str:
    """The text without the noise of consoles and stacks of calls: of a stack the first calls of its
    own with a name are left, of what a console printed again and again the first line, and none
    says which packed script it came from. Everything else is as it was.
    """
    if not _has_noise(text):
        return text
    lines = [_QUERY.sub(r"\1\2", line) for line in text.split("\n")]
    parts = [part for line in lines for part in _split(line)]
    return "\n".join(_once(_outside_of_stacks(parts)))


def _has_noise(text: str) -> bool:
    heads = (line[:_LONGEST] for line in text.split("\n"))
    return any(_is_call(line) or _FROM.match(line) or _WITHIN.search(line) for line in heads)


def _is_call(line: str) -> bool:
    """Whether a line is a call in a stack, but for Python's, whose last calls tell the most."""
    called = len(line) <= _LONGEST and FRAME.match(line)
    return bool(called) and not line.lstrip().startswith("File ")


def _split(line: str) -> Iterator[str]:
    """A line with the place in a packed script cut away; words typed before it stand alone."""
    if _is_call(line) or len(line) > _PRINTED:
        yield line
        return
    typed, *printed = _WITHIN.split(line, maxsplit=1)
    yield _FROM.sub(_CONSOLE, typed)
    yield from (_CONSOLE + part for part in printed)


def _outside_of_stacks(lines: list[str]) -> Iterator[str]:
    """The lines but for the inner calls of each stack and those without a name."""
    told, depth = 0, 0
    calls = [_is_call(line) for line in lines]
    for n, line in enumerate(lines):
        between = depth and _STEP.match(line) and n + 1 < len(lines) and calls[n + 1]
        if not (calls[n] or between):
            told = depth = 0
            yield line
            continue
        depth += 1
        if calls[n] and told < _FRAMES and _NAMED.match(line) and not _FOREIGN.search(line):
            told += 1
            yield line


def _once(lines: Iterator[str]) -> Iterator[str]:
    """The lines, each call and each that a console printed only the first time."""
    printed: set[str] = set()
    for line in lines:
        if line not in printed:
            yield line
        if line.startswith(_CONSOLE) or _is_call(line):
            printed.add(line)
