"""Where the client keeps its transcripts, and how it is started. Told by the
names of folders alone, so it imports next to nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from onward.transcripts.folders import of_client, waits

AGENT = "claude-code"
_MOVED = "CLAUDE_CONFIG_DIR"
_PROJECTS = "projects"
_HELPER = "agent-"
_DEEPEST = 3
"""Folders down to a sub-agent's file: project, session, `subagents`."""


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where the client keeps its things."""
    return of_client(home, env, _MOVED, ".claude")


def state(home: Path, env: Mapping[str, str]) -> Path:
    """The client's own record of the folders that it knows; beside its folder unless that was
    moved.
    """
    return of_client(home, env, _MOVED, "") / ".claude.json"


def transcripts(
    home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
) -> Iterator[Path]:
    """The files of all sessions; those of sub-agents are no sessions. Folders that cannot be read
    are added to `faults`.
    """
    for path in _walk(folder(home, env) / _PROJECTS, 1, faults):
        if not path.name.startswith(_HELPER):
            yield path


def everything(home: Path, env: Mapping[str, str], faults: list[OSError]) -> Iterator[Path]:
    """Those of sub-agents too, which stand beside the session or in a folder of it."""
    return _walk(folder(home, env) / _PROJECTS, _DEEPEST, faults)


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


def start(session: str = "") -> list[str]:
    """The words that start the client, in the folder of the project; with `session`, in that one."""
    return ["claude", *(["--resume", session] if session else [])]
