"""Where Codex keeps its sessions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import structs

from onward.transcripts import disk
from onward.transcripts.agent import Agent, Env, waits
from onward.transcripts.reader import SessionInfo


class Codex(Agent):
    """Its sessions are threads, each in a rollout; the reader knows all generations since 0.8."""

    NAME = "codex"
    VARIABLE = "CODEX_THREAD_ID"
    START = ("codex",)
    RESUME = ("resume", "{}")
    HOME = ("CODEX_HOME", ".codex")

    def transcripts(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """Archived ones included; of the two names of one, the plain one."""
        for name in ("sessions", "archived_sessions"):
            found: dict[Path, Path] = {}
            top = self.folder(home, env) / name
            for where, _, files in os.walk(top, onerror=faults.append):
                for file in sorted(files, reverse=True):
                    if file.startswith("rollout-") and file.endswith((".jsonl", disk.SUFFIX)):
                        found[Path(where, file.removesuffix(".zst"))] = Path(where, file)
            yield from (path for _, path in sorted(found.items()) if not waits(path))

    def kept(self, home: Path, env: Env) -> Iterator[Path]:
        """As `Agent`; a rollout that was moved to the archived ones is not gone."""
        own = {path.name.removesuffix(".zst") for path in self.transcripts(home, env, [])}
        return (path for path in super().kept(home, env) if path.name not in own)

    def sessions(self, home: Path, env: Env) -> Iterator[SessionInfo]:
        """As `Agent`, by the names that users gave them."""
        from onward.agents.codex.reader import names as given  # noqa: PLC0415 - see `Agent.reader`

        names = given(self.folder(home, env) / "session_index.jsonl")
        for info in super().sessions(home, env):
            yield structs.replace(info, title=names.get(info.session) or info.title)


AGENT: Final = Codex()
