"""The client: where it keeps its sessions, how it is started, and who reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from onward.transcripts.agent import Agent, Listener, Reader
from onward.transcripts.sessions import of_client, waits

EVENTS: Final = "events.jsonl"


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where the client keeps its things."""
    return of_client(home, env, "COPILOT_HOME", ".copilot")


class Copilot(Agent):
    """GitHub Copilot CLI."""

    NAME = "copilot"
    VARIABLE = "COPILOT_AGENT_SESSION_ID"

    def start(self, session: str = "") -> list[str]:
        """As `Agent`."""
        return ["copilot", *([f"--resume={session}"] if session else [])]

    def begin(self, prompt: str) -> list[str]:
        """As `Agent`."""
        return [*self.start(), "--interactive", prompt]

    def transcripts(
        self, home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
    ) -> Iterator[Path]:
        """As `Agent`; those of sub-agents stand in the file of their session."""
        top = folder(home, env) / "session-state"
        try:
            found = sorted(top.iterdir())
        except OSError as error:
            if faults is not None:
                faults.append(error)
            return
        for each in found:
            path = each / EVENTS
            if path.is_file() and not waits(path):
                yield path

    @property
    def reader(self) -> Reader:
        """As `Agent`."""
        from onward.transcripts.copilot import transcript  # noqa: PLC0415 - see `Agent`

        return transcript

    @property
    def listener(self) -> Listener:
        """As `Agent`."""
        from onward.transcripts.copilot import searchable  # noqa: PLC0415 - see `Agent`

        return searchable


COPILOT: Final = Copilot()
