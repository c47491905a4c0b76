"""Cut text to a size without cutting a word, a path, a number, a command or a list item in two; and
bound what a collector keeps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from onward.requests import WIDE

K = TypeVar("K")
V = TypeVar("V")
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_CODE = 160
"""Characters of a command or a path in a line."""


def vocabulary(names: str) -> frozenset[str]:
    """A table of program names and options, written with blanks between them."""
    return frozenset(names.split())


def one_line(text: str, limit: int = 200) -> str:
    """All of a text on one line of at most `limit` characters."""
    return shorten(" ".join(text.split()), limit)


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, cut between words, with ` …` where something was left out.

    A first word that is longer than that is kept whole up to twice the limit.
    """
    text = text.strip()
    if len(text) <= limit:
        return text
    room = text[: max(limit - 2, 1)]
    if not text[len(room)].isspace():
        end = max(room.rfind(" "), room.rfind("\n"), _last_wide(room))
        if end > 0:
            room = room[: end + 1]
        else:
            first = text.split(None, 1)[0]
            room = first if len(first) <= 2 * limit else ""
    return (room.rstrip(" \n,;:-") + " …").strip()


def _last_wide(room: str) -> int:
    """Where text may be cut although no blank stands there."""
    start = max(len(room) - 80, 0)
    found = [match.end() - 1 for match in WIDE.finditer(room, start)]
    return found[-1] if found else -1


def bounded(text: str, limit: int, *, end: bool = False) -> str:
    """A text of several lines in at most about `limit` characters: whole lines of its beginning
    and its end are kept, and a mark says how many lines were left out in between. `end` keeps
    the end alone. A single line that is too long is cut between words.
    """
    text = text.strip()
    if len(text) <= limit:
        return text
    lines = text.splitlines()
    head = [] if end else _fill(lines, limit // 2)
    room = limit - sum(len(line) + 1 for line in head)
    tail = _fill(reversed(lines[len(head) :]), room)[::-1]
    left = len(lines) - len(head) - len(tail)
    if left == 1 and tail:  # a mark would take the same room
        head, left = [*head, lines[len(head)]], 0
    if not head and not tail:
        return shorten(text, limit)
    mark = [f"[{left} lines omitted]"] if left > 0 else []
    return "\n".join([*head, *mark, *tail]).strip()


def _fill(lines: Iterable[str], room: int) -> list[str]:
    """As many of the first lines as fit."""
    taken: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken


def unfenced(text: str) -> str:
    """The text without its fenced blocks; one that is not closed goes on to the end."""
    return _FENCED.sub("", text)


def code(text: str, limit: int = _CODE) -> str:
    """A command or a path as a code span on one line."""
    flat = one_line(text, limit)
    return f"`` {flat} ``" if "`" in flat else f"`{flat}`"


def command_line(script: str, limit: int = _CODE) -> str:
    """A script as a code span: whole if it is one line, else its first line and how many follow;
    comments before it do nothing.
    """
    script = script.strip().replace("\\\n", " ")
    lines = [line for line in script.splitlines() if line.strip()]
    acts = (n for n, line in enumerate(lines) if not line.lstrip().startswith("#"))
    first, *more = lines[next(acts, 0) :] or [""]
    if not more:
        return code(first, limit)
    return f"{code(first, limit)} and {len(more)} more line{'s' * (len(more) > 1)}"


def quoted(text: str) -> str:
    """Someone's words, marked as such."""
    return f"“{text.strip()}”"


def keep(kept: dict[K, V], most: int) -> None:
    """Bound a dictionary: the entries that came first go."""
    while len(kept) > most:
        del kept[next(iter(kept))]


def plain(text: str) -> str:
    """A text as it is compared: without case, and with single blanks."""
    return " ".join(text.split()).casefold()
