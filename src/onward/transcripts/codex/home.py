"""Where the client keeps its rollouts, and how it is started. Told by the names of
files alone, so it imports next to nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from onward.transcripts.folders import of_client, waits

AGENT = "codex"
SUFFIX = ".jsonl.zst"
"""Of a rollout that the client compressed."""


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where the client keeps its things."""
    return of_client(home, env, "CODEX_HOME", ".codex")


def transcripts(
    home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
) -> Iterator[Path]:
    """The rollouts, archived ones included; of the two names of one, the plain one. Folders that
    cannot be read are added to `faults`.
    """
    onerror = faults.append if faults is not None else None
    for name in ("sessions", "archived_sessions"):
        found: list[Path] = []
        for where, _, files in os.walk(folder(home, env) / name, onerror=onerror):
            found += (Path(where, file) for file in files if file.startswith("rollout-"))
        known = set(found)
        for path in sorted(found):
            packed = path.name.endswith(SUFFIX)
            wanted = path.suffix == ".jsonl" or (packed and path.with_suffix("") not in known)
            if wanted and not waits(path):
                yield path


def start(session: str = "") -> list[str]:
    """The words that start the client, in the folder of the project; with `session`, in that one."""
    return ["codex", *(["resume", session] if session else [])]
