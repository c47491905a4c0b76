"""Where Claude Code keeps its sessions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from onward.transcripts.agent import Agent, Env, of_client, waits

_HELPER: Final = "agent-"
_DEEPEST: Final = 3  # folders down to the file of a sub-agent: project, session, `subagents`


class ClaudeCode(Agent):
    """Claude Code; its reader knows all generations since 1.0."""

    NAME = "claude-code"
    VARIABLE = "CLAUDE_CODE_SESSION_ID"  # set for its `!` lines, tools and hooks (measured)
    START = ("claude",)
    RESUME = ("--resume", "{}")
    HOME = ("CLAUDE_CONFIG_DIR", ".claude")

    def state(self, home: Path, env: Env) -> Path:
        """The client's record of the folders that it knows; beside its folder unless that was moved."""
        return of_client(home, env, self.HOME[0], "") / ".claude.json"

    def transcripts(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """As `Agent`; files of sub-agents are no sessions."""
        every = self._walk(self.folder(home, env) / "projects", 1, faults)
        return (path for path in every if not self.is_helper(path))

    def is_helper(self, path: Path) -> bool:
        """As `Agent`."""
        return path.name.startswith(_HELPER)

    def files(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """Those of sub-agents too, which stand beside the session or in a folder of it."""
        return self._walk(self.folder(home, env) / "projects", _DEEPEST, faults)

    def _walk(self, top: Path, deepest: int, faults: list[OSError]) -> Iterator[Path]:
        # A project's folder may be a link to another disk.
        for where, folders, files in os.walk(top, onerror=faults.append, followlinks=True):
            depth = len(Path(where).relative_to(top).parts)
            if depth >= deepest:
                folders.clear()
            helpers = Path(where).name == "subagents"
            for file in files:
                path = Path(where, file)
                ours = depth == 1 or (helpers and file.startswith(_HELPER))
                if ours and file.endswith(".jsonl") and not waits(path):
                    yield path


AGENT: Final = ClaudeCode()
