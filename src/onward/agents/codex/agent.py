"""Agents, Codex: the agent as the rest of the program sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from onward.agents.codex import discovery, place
from onward.agents.codex.files import CodexTranscript
from onward.agents.codex.home import AGENT
from onward.agents.codex.lineage import PARENT, find, lineage
from onward.agents.codex.packed import opened
from onward.agents.codex.survey import survey
from onward.agents.sessions import SessionInfo
from onward.agents.survey import Survey
from onward.decode import bounded
from onward.errors import NotFoundError


class Codex:
    """The agent as the rest of the program sees it."""

    name = AGENT

    def recognises(self, path: Path) -> bool:
        """Whether a file is a rollout of this client."""
        return discovery.recognises(path)

    def sessions(self, home: Path, env: Mapping[str, str]) -> Iterator[SessionInfo]:
        """All threads on this machine."""
        return discovery.sessions(home, env)

    def look(self, path: Path) -> SessionInfo | None:
        """What the ends of one rollout tell; None where nobody spoke."""
        return discovery.look(path)

    def unreadable(self, home: Path, env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
        """Its rollouts that cannot be read, and why."""
        return discovery.unreadable(home, env)

    def open(self, path: Path) -> CodexTranscript:
        """A rollout for reading."""
        return CodexTranscript(path)

    def current(self, env: Mapping[str, str]) -> str:
        """The thread that the client names to the commands that it runs; "" where it does not."""
        told = env.get("CODEX_THREAD_ID", "")
        return told if _THREAD.fullmatch(told) else ""

    def survey(self, path: Path) -> Survey:
        """Which kinds of line a rollout holds."""
        return survey(path)

    def place(self, path: Path, line: int, thread: str) -> str:
        """One line of a thread, of those that it goes on from, or of a sub-agent's rollout.

        Raises NotFoundError where there is no such line.
        """
        depth, number = divmod(line, PARENT)
        if thread:
            file = find(path, thread)
        else:
            file = next((piece.path for piece in lineage(path)[depth:]), None)
        if file:
            with opened(file) as stream:
                for at, raw in bounded(stream):
                    if at == number:
                        return place.render(raw) if raw else "[a line too long to show]\n"
        where = f"sub-agent {thread} of {path.name}" if thread else path.name
        raise NotFoundError(f"{where} has no line {line}", f"onward read {path}")


_THREAD = re.compile(r"[\w-]{1,100}", re.ASCII)
