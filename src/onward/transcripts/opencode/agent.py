"""The client: where it keeps its sessions, how it is started, and who reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from onward.transcripts.agent import Agent, Listener, Reader
from onward.transcripts.sessions import of_client


def config(home: Path, env: Mapping[str, str]) -> Path:
    """Where the user's own configuration and plugins lie."""
    moved = env.get("OPENCODE_CONFIG_DIR")
    if moved:
        return of_client(home, env, "OPENCODE_CONFIG_DIR", "")
    return of_client(home, env, "XDG_CONFIG_HOME", ".config") / "opencode"


class Opencode(Agent):
    """Its sessions are rows of a database; a path is that of a session's copy."""

    NAME = "opencode"
    VARIABLE = "ONWARD_OPENCODE_SESSION"  # our plugin sets it: the client names none

    def start(self, session: str = "") -> list[str]:
        """As `Agent`."""
        return ["opencode", *(["--session", session] if session else [])]

    def begin(self, prompt: str) -> list[str]:
        """As `Agent`; a bare word would be a folder."""
        return [*self.start(), f"--prompt={prompt}"]

    def transcripts(
        self, home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
    ) -> Iterator[Path]:
        """As `Agent`, sub-agents' included; what was copied before where the database cannot be
        read.
        """
        from onward.transcripts.opencode import copies  # noqa: PLC0415 - see `Agent`

        base, folder = copies.database(str(home), env), copies.folder(str(home), env)
        if not base.is_file():
            return
        try:
            yield from copies.refresh(base, folder)
        except OSError as error:
            if faults is not None:
                faults.append(error)
            yield from sorted(folder.glob("*.jsonl"))

    @property
    def reader(self) -> Reader:
        """As `Agent`."""
        from onward.transcripts.opencode import transcript  # noqa: PLC0415 - see `Agent`

        return transcript

    @property
    def listener(self) -> Listener:
        """As `Agent`."""
        from onward.transcripts.opencode import searchable  # noqa: PLC0415 - see `Agent`

        return searchable


OPENCODE: Final = Opencode()
