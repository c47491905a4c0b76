"""The client: where it keeps its rollouts, how it is started, and who reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import structs

from onward.transcripts.agent import Agent, Listener, Reader
from onward.transcripts.compression import SUFFIX
from onward.transcripts.sessions import SessionInfo, of_client, waits


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where the client keeps its things."""
    return of_client(home, env, "CODEX_HOME", ".codex")


class Codex(Agent):
    """Its sessions are threads, each in a rollout; readers know all generations since 0.8."""

    NAME = "codex"
    VARIABLE = "CODEX_THREAD_ID"

    def start(self, session: str = "") -> list[str]:
        """As `Agent`."""
        return ["codex", *(["resume", session] if session else [])]

    def transcripts(
        self, home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
    ) -> Iterator[Path]:
        """Archived ones included; of the two names of one, the plain one."""
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

    def kept(self, home: Path, env: Mapping[str, str]) -> Iterator[Path]:
        """As `Agent`; a rollout that was moved to the archived ones is not gone."""
        own = {path.name.removesuffix(".zst") for path in self.transcripts(home, env)}
        return (path for path in super().kept(home, env) if path.name not in own)

    def sessions(self, home: Path, env: Mapping[str, str]) -> Iterator[SessionInfo]:
        """As `Agent`, by the names that users gave them."""
        from onward.transcripts.codex import transcript  # noqa: PLC0415 - see `Agent`

        names = transcript.names(folder(home, env) / "session_index.jsonl")
        for info in super().sessions(home, env):
            yield structs.replace(info, title=names.get(info.session) or info.title)

    @property
    def reader(self) -> Reader:
        """As `Agent`."""
        from onward.transcripts.codex import transcript  # noqa: PLC0415 - see `Agent`

        return transcript

    @property
    def listener(self) -> Listener:
        """As `Agent`."""
        from onward.transcripts.codex import searchable  # noqa: PLC0415 - see `Agent`

        return searchable


CODEX: Final = Codex()
