"""`show t:541`: what stands at a place of a transcript, redacted.

Places are `t:541`, `t:540-545`, `t:<sub-agent>:12`.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from onward import evidence
from onward.commands.result import Result, compose
from onward.errors import UsageError
from onward.redaction import Redactor
from onward.transcripts.registry import agent_of

_PLACE = re.compile(r"t:(?:([\w-]{1,100}):)?(\d{1,9})(?:-(\d{1,9}))?")
_MOST = 200
"""Lines of one range: more is the transcript itself."""


class Place(Struct, frozen=True):
    """A line, or a range with both ends counted, of a session or of a sub-agent's file."""

    thread: str
    first: int
    last: int


def is_place(text: str) -> bool:
    """Whether a word of the command line is meant as a place of a transcript."""
    return text.startswith("t:")


def parse(text: str) -> Place:
    """Read a place; UsageError with the right form."""
    found = _PLACE.fullmatch(text)
    if not found:
        raise UsageError(f"{text!r} is no place", "onward show t:541")
    first = int(found[2])
    last = int(found[3] or first)
    if not 0 < first <= last:
        raise UsageError(f"{text!r} holds no line", "onward show t:541")
    if last - first >= _MOST:
        raise UsageError(
            f"{text!r} is longer than {_MOST} lines", f"onward show t:{first}-{first + _MOST - 1}"
        )
    return Place(found[1] or "", first, last)


def show_place(place: Place, path: Path, redactor: Redactor) -> Result:
    """The records at a place as readable text. NotFoundError where there is no such line."""
    agent = agent_of(path)
    shown = []
    for line in range(place.first, place.last + 1):
        mark = f"t:{place.thread}:{line}" if place.thread else f"t:{line}"
        shown.append((mark, redactor.text(agent.place(path, line, place.thread))))
    data = [{"place": mark, "text": text} for mark, text in shown]
    lines = (f"{mark} · {evidence.escape(text)}" for mark, text in shown)
    return Result(text=compose(*lines), data=data)
