"""Agents, Claude Code: the agent as the rest of the program sees it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from onward.agents.claude_code import discovery, place
from onward.agents.claude_code.files import ClaudeTranscript, Helpers
from onward.agents.claude_code.home import AGENT
from onward.agents.claude_code.reading import SIDE
from onward.agents.claude_code.survey import survey
from onward.agents.sessions import SessionInfo
from onward.agents.survey import Survey
from onward.decode import bounded
from onward.errors import NotFoundError


class ClaudeCode:
    """The agent as the rest of the program sees it."""

    name = AGENT

    def recognises(self, path: Path) -> bool:
        """Whether a file is a transcript of this client."""
        return discovery.recognises(path)

    def sessions(self, home: Path, env: Mapping[str, str]) -> Iterator[SessionInfo]:
        """All sessions on this machine."""
        return discovery.sessions(home, env)

    def look(self, path: Path) -> SessionInfo | None:
        """What the ends of one transcript tell; None where nobody spoke."""
        return discovery.look(path)

    def unreadable(self, home: Path, env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
        """Its transcripts that cannot be read, and why."""
        return discovery.unreadable(home, env)

    def open(self, path: Path) -> ClaudeTranscript:
        """A transcript for reading."""
        return ClaudeTranscript(path)

    def current(self, env: Mapping[str, str]) -> str:
        """The session that the client set for its `!` lines, tools and hooks (measured)."""
        told = env.get("CLAUDE_CODE_SESSION_ID", "")
        return told if _SESSION.fullmatch(told) else ""

    def survey(self, path: Path) -> Survey:
        """Which kinds of record a transcript holds, and what became of hooks' texts."""
        return survey(path)

    def place(self, path: Path, line: int, thread: str) -> str:
        """The record on one line of a session, or of a sub-agent's own file.

        Raises NotFoundError where there is no such line.
        """
        own = Helpers(path, Counter()).find(thread) if thread else path
        # Old clients wrote sub-agents' records into the session's file.
        file = own or path
        with file.open("rb") as stream:
            for number, raw in bounded(stream):
                if number == line and (own or _is_inline(raw or b"", thread)):
                    return place.render(raw) if raw else "[a line too long to show]\n"
                if number == line:
                    break
        where = f"sub-agent {thread} of {path.name}" if thread else path.name
        raise NotFoundError(f"{where} has no line {line}", f"onward read {path}")


def _is_inline(raw: bytes, thread: str) -> bool:
    """Whether a line of the session's own file is a record of that sub-agent."""
    id_ = _AGENT.search(raw)
    return bool(_INLINE.search(raw)) and (id_[1].decode() if id_ else SIDE) == thread


_SESSION = re.compile(r"[\w-]{1,100}", re.ASCII)
_INLINE = re.compile(rb'"isSidechain": ?true')
_AGENT = re.compile(rb'"agentId": ?"([\w-]{1,100})"')
