"""One record of a transcript as a user would read it."""

from __future__ import annotations

from pathlib import Path

from onward.errors import NotFoundError
from onward.transcripts.registry import agent_of


def place(path: Path, line: int, thread: str) -> str:
    """What stands there. Raises NotFoundError."""
    reader = agent_of(path).reader
    for number, raw in reader.numbered(path, line, thread):
        if number == line:
            shown = reader.render(raw)
            return f"{shown.head}\n{shown.text}".strip()
    raise NotFoundError(f"no line {line}")
