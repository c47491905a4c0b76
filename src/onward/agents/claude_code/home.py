"""Agents, Claude Code: where the client keeps its transcripts, and how it is started. Told by the
names of folders alone, so it imports next to nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

AGENT = "claude-code"
_DEEPEST = 3
"""Folders down to a sub-agent's file: project, session, `subagents`."""


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where the client keeps the transcripts of all projects."""
    moved = env.get("CLAUDE_CONFIG_DIR")
    return (Path(moved) if moved else home / ".claude") / "projects"


def transcripts(home: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """The files of all sessions; those of sub-agents are no sessions."""
    for path in folder(home, env).glob("*/*.jsonl"):
        if not path.name.startswith("agent-"):
            yield path


def everything(home: Path, env: Mapping[str, str], faults: list[OSError]) -> Iterator[Path]:
    """The files of all sessions and of their sub-agents, which stand beside the session or in a
    folder of it. Folders that cannot be read are added to `faults`.
    """
    top = folder(home, env)
    for where, folders, files in os.walk(top, onerror=faults.append):
        depth = len(Path(where).relative_to(top).parts)
        if depth >= _DEEPEST:
            folders.clear()
        helpers = Path(where).name == "subagents"
        for file in files:
            if file.endswith(".jsonl") and (depth == 1 or (helpers and file.startswith("agent-"))):
                yield Path(where, file)


def start(session: str = "") -> list[str]:
    """The words that start the client, in the folder of the project; with `session`, in that one."""
    return ["claude", *(["--resume", session] if session else [])]
