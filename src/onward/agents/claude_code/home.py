"""Agents, Claude Code: where the client keeps its transcripts, and how it is started. Told by the
names of folders alone, so it imports next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

AGENT = "claude-code"


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where the client keeps the transcripts of all projects."""
    moved = env.get("CLAUDE_CONFIG_DIR")
    return (Path(moved) if moved else home / ".claude") / "projects"


def transcripts(home: Path, env: Mapping[str, str]) -> Iterator[Path]:
    """The files of all sessions; those of sub-agents are no sessions."""
    for path in folder(home, env).glob("*/*.jsonl"):
        if not path.name.startswith("agent-"):
            yield path


def start(session: str = "") -> list[str]:
    """The words that start the client, in the folder of the project; with `session`, in that one."""
    return ["claude", *(["--resume", session] if session else [])]
