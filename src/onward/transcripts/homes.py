"""The files of all sessions on this machine, and how each client is started, without the
readers of what stands in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from onward.transcripts.claude_code import home as claude_code
from onward.transcripts.codex import home as codex

_HOMES = {room.AGENT: room for room in (claude_code, codex)}


def transcripts(home: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """Every transcript that a client keeps, in no order, whoever held the session."""
    yield from claude_code.transcripts(home, env)
    yield from codex.transcripts(home, env)


def start(agent: str, session: str = "") -> list[str]:
    """The words that start an agent, with `session` in that one; none for an unknown agent."""
    room = _HOMES.get(agent)
    return room.start(session) if room else []
