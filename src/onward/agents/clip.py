"""Agents: shorten a tool's output, keeping the head and, more of it, the tail."""

from __future__ import annotations

from typing import Final

from onward.agents.keys import hide

HEAD: Final = 1_500
"""Characters kept of the beginning: the command's own heading, the first error."""
TAIL: Final = 4_500
"""Characters kept of the end, where runners put their summary."""
LINE: Final = 200
"""Characters of a one-line description."""


def output(text: str) -> str:
    """`text` whole if it is short, else its head and tail on line borders and, between them,
    how many lines are missing.
    """
    text = hide(text)
    if len(text) <= HEAD + TAIL:
        return text
    head = text[:HEAD]
    head = head[: head.rfind("\n") + 1] or head
    tail = text[-TAIL:]
    tail = tail[tail.find("\n") + 1 :] or tail
    cut = text.count("\n", len(head), len(text) - len(tail))
    return f"{head.rstrip()}\n[... {cut} lines cut ...]\n{tail}"


def one_line(text: str, limit: int = LINE) -> str:
    """`text` on one line, at most `limit` characters."""
    flat = " ".join(hide(text)[: limit * 4].split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def first_lines(text: str, lines: int = 6) -> str:
    """The first lines of `text`, each at most `LINE` characters."""
    return "\n".join(line[:LINE] for line in hide(text).split("\n", lines)[:lines]).rstrip()
