"""The client: where it keeps its transcripts, how it is started, and who reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from onward.transcripts.agent import Agent, Listener, Reader
from onward.transcripts.sessions import of_client, waits

_MOVED: Final = "CLAUDE_CONFIG_DIR"
_HELPER: Final = "agent-"
_DEEPEST: Final = 3
"""Folders down to a sub-agent's file: project, session, `subagents`."""


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where the client keeps its things."""
    return of_client(home, env, _MOVED, ".claude")


def state(home: Path, env: Mapping[str, str]) -> Path:
    """The client's own record of the folders that it knows; beside its folder unless that was
    moved.
    """
    return of_client(home, env, _MOVED, "") / ".claude.json"


class ClaudeCode(Agent):
    """Its readers know all generations since 1.0."""

    NAME = "claude-code"
    VARIABLE = "CLAUDE_CODE_SESSION_ID"  # set for its `!` lines, tools and hooks (measured)

    def start(self, session: str = "") -> list[str]:
        """As `Agent`."""
        return ["claude", *(["--resume", session] if session else [])]

    def transcripts(
        self, home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
    ) -> Iterator[Path]:
        """As `Agent`; files of sub-agents are no sessions."""
        for path in _walk(folder(home, env) / "projects", 1, faults):
            if not self.is_helper(path):
                yield path

    def is_helper(self, path: Path) -> bool:
        """As `Agent`."""
        return path.name.startswith(_HELPER)

    def files(self, home: Path, env: Mapping[str, str], faults: list[OSError]) -> Iterator[Path]:
        """Those of sub-agents too, which stand beside the session or in a folder of it."""
        return _walk(folder(home, env) / "projects", _DEEPEST, faults)

    @property
    def reader(self) -> Reader:
        """As `Agent`."""
        from onward.transcripts.claude_code import transcript  # noqa: PLC0415 - see `Agent`

        return transcript

    @property
    def listener(self) -> Listener:
        """As `Agent`."""
        from onward.transcripts.claude_code import searchable  # noqa: PLC0415 - see `Agent`

        return searchable


CLAUDE_CODE: Final = ClaudeCode()


def _walk(top: Path, deepest: int, faults: list[OSError] | None) -> Iterator[Path]:
    onerror = faults.append if faults is not None else None
    # A project's folder may be a link to another disk.
    for where, folders, files in os.walk(top, onerror=onerror, followlinks=True):
        depth = len(Path(where).relative_to(top).parts)
        if depth >= deepest:
            folders.clear()
        helpers = Path(where).name == "subagents"
        for file in files:
            path = Path(where, file)
            ours = depth == 1 or (helpers and file.startswith(_HELPER))
            if ours and file.endswith(".jsonl") and not waits(path):
                yield path
