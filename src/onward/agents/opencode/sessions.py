"""Where opencode keeps its sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from onward.transcripts.agent import Agent, Env, of_client


class Opencode(Agent):
    """opencode. Its sessions are rows of a database; a path is that of a session's copy."""

    NAME = "opencode"
    VARIABLE = "ONWARD_OPENCODE_SESSION"  # our plugin sets it: the client names none
    START = ("opencode",)
    RESUME = ("--session", "{}")
    PROMPT = ("--prompt={}",)  # a bare word would be a folder

    def folder(self, home: Path, env: Env) -> Path:
        """Where the user's own configuration and plugins lie."""
        if env.get("OPENCODE_CONFIG_DIR"):
            return of_client(home, env, "OPENCODE_CONFIG_DIR", "")
        return of_client(home, env, "XDG_CONFIG_HOME", ".config") / "opencode"

    def transcripts(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """As `Agent`, sub-agents' included; where the database cannot be read, the copies of before."""
        from onward.agents.opencode import copies  # noqa: PLC0415 - see `Agent.reader`

        base, folder = copies.database(str(home), env), copies.folder(str(home), env)
        if not base.is_file():
            return
        try:
            yield from copies.refresh(base, folder)
        except OSError as error:
            faults.append(error)
            yield from sorted(folder.glob("*.jsonl"))


AGENT: Final = Opencode()
