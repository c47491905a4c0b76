"""Where Copilot CLI keeps its sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from onward.transcripts.agent import Agent, Env, waits


class Copilot(Agent):
    """GitHub Copilot CLI."""

    NAME = "copilot"
    VARIABLE = "COPILOT_AGENT_SESSION_ID"
    START = ("copilot",)
    RESUME = ("--resume={}",)
    PROMPT = ("--interactive", "{}")
    HOME = ("COPILOT_HOME", ".copilot")

    def transcripts(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """As `Agent`; those of sub-agents stand in the file of their session."""
        try:
            found = sorted((self.folder(home, env) / "session-state").iterdir())
        except OSError as error:
            faults.append(error)
            return
        for each in found:
            path = each / "events.jsonl"
            if path.is_file() and not waits(path):
                yield path


AGENT: Final = Copilot()
