"""The clients: of each where it keeps its sessions, how it is started, and who reads them."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Final, cast

from msgspec import structs

from onward.errors import InputError
from onward.search.record import Facts
from onward.transcripts import archive, compression
from onward.transcripts.reader import Reader, Transcript
from onward.transcripts.sessions import SessionInfo, of_client, waits

Env = Mapping[str, str]
_SESSION: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_HELPER: Final = "agent-"
_DEEPEST: Final = 3
"""Folders down to the file of a sub-agent of Claude Code: project, session, `subagents`."""


class Agent(ABC):
    """One client.

    A path is that of a file of lines, which its own client alone reads; one that keeps its
    sessions elsewhere gives each a copy of that form.
    """

    NAME: ClassVar[str]
    """Its module in `transcripts/` bears it too, with `_` for `-`."""
    VARIABLE: ClassVar[str]
    """Names the session to the commands that the client runs."""
    START: ClassVar[tuple[str, ...]]
    """The words that start it in the folder of a project."""
    RESUME: ClassVar[tuple[str, ...]]
    """The words that follow to go on in a session, `{}` being its id."""
    PROMPT: ClassVar[tuple[str, ...]] = ("{}",)
    """The words that follow to give it a first prompt."""
    HOME: ClassVar[tuple[str, str]]
    """The variable that moves the client's folder, and its usual place below the user's home."""

    def start(self, session: str = "") -> list[str]:
        """The words that start it in the folder of a project; with `session`, in that one."""
        return [*self.START, *(word.format(session) for word in self.RESUME if session)]

    def begin(self, prompt: str) -> list[str]:
        """The words that start it with a first prompt."""
        return [*self.START, *(word.replace("{}", prompt) for word in self.PROMPT)]

    def folder(self, home: Path, env: Env) -> Path:
        """Where the client keeps its things."""
        return of_client(home, env, *self.HOME)

    @abstractmethod
    def transcripts(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """All of its sessions on this machine, whoever held them. Folders that cannot be read
        are added to `faults`.
        """

    def files(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """What a search looks through: those of sub-agents too."""
        return self.transcripts(home, env, faults)

    def kept(self, home: Path, env: Env) -> Iterator[Path]:
        """What was kept of its own files that are gone, those of sub-agents too."""
        return archive.kept(home, env, self.NAME)

    def is_helper(self, path: Path) -> bool:  # noqa: ARG002 - as every client is asked
        """Whether a file is a sub-agent's, and no session by itself."""
        return False

    def every(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """As `transcripts`, with those too that only we still have."""
        yield from self.transcripts(home, env, faults)
        yield from (path for path in self.kept(home, env) if not self.is_helper(path))

    @property
    def reader(self) -> Reader[Any]:
        """What reads one of its transcripts; imported only now."""
        name = f"{__package__}.{self.NAME.replace('-', '_')}"
        return cast("Reader[Any]", import_module(name).READER)

    def open(self, path: Path) -> Transcript[Any]:
        """A transcript for reading."""
        return self.reader.open(path, self.NAME)

    def look(self, path: Path) -> SessionInfo | None:
        """What the ends of one of its transcripts tell; None where nobody spoke."""
        return self.reader.look(path, self.NAME)

    def facts(self, head: bytes) -> Facts:
        """What the beginning of a file tells a search of all its records."""
        return self.reader.facts(head)

    def sessions(self, home: Path, env: Env) -> Iterator[SessionInfo]:
        """All of its sessions on this machine in which something was said, in no order."""
        for path in self.every(home, env, []):
            try:
                info = self.look(path)
            except (OSError, InputError):  # removed meanwhile, or not ours to read
                continue
            if info:
                yield info

    def current(self, env: Env) -> str:
        """The id of the session that this process is part of; "" outside of one."""
        told = env.get(self.VARIABLE, "")
        return told if _SESSION.fullmatch(told) else ""


class ClaudeCode(Agent):
    """Claude Code; its reader knows all generations since 1.0."""

    NAME = "claude-code"
    VARIABLE = "CLAUDE_CODE_SESSION_ID"  # set for its `!` lines, tools and hooks (measured)
    START = ("claude",)
    RESUME = ("--resume", "{}")
    HOME = ("CLAUDE_CONFIG_DIR", ".claude")

    def state(self, home: Path, env: Env) -> Path:
        """The client's own record of the folders that it knows; beside its folder unless that
        was moved.
        """
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


class Codex(Agent):
    """Codex. Its sessions are threads, each in a rollout; its reader knows all generations since
    0.8.
    """

    NAME = "codex"
    VARIABLE = "CODEX_THREAD_ID"
    START = ("codex",)
    RESUME = ("resume", "{}")
    HOME = ("CODEX_HOME", ".codex")

    def transcripts(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """Archived ones included; of the two names of one, the plain one."""
        for name in ("sessions", "archived_sessions"):
            found: list[Path] = []
            top = self.folder(home, env) / name
            for where, _, files in os.walk(top, onerror=faults.append):
                found += (Path(where, file) for file in files if file.startswith("rollout-"))
            known = set(found)
            for path in sorted(found):
                packed = path.name.endswith(compression.SUFFIX)
                wanted = path.suffix == ".jsonl" or (packed and path.with_suffix("") not in known)
                if wanted and not waits(path):
                    yield path

    def kept(self, home: Path, env: Env) -> Iterator[Path]:
        """As `Agent`; a rollout that was moved to the archived ones is not gone."""
        own = {path.name.removesuffix(".zst") for path in self.transcripts(home, env, [])}
        return (path for path in super().kept(home, env) if path.name not in own)

    def sessions(self, home: Path, env: Env) -> Iterator[SessionInfo]:
        """As `Agent`, by the names that users gave them."""
        from onward.transcripts import codex  # noqa: PLC0415 - see `Agent.reader`

        names = codex.names(self.folder(home, env) / "session_index.jsonl")
        for info in super().sessions(home, env):
            yield structs.replace(info, title=names.get(info.session) or info.title)


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
        """As `Agent`, sub-agents' included; what was copied before where the database cannot be
        read.
        """
        from onward.transcripts import opencode_copies as copies  # noqa: PLC0415 - see `Agent.reader`

        base, folder = copies.database(str(home), env), copies.folder(str(home), env)
        if not base.is_file():
            return
        try:
            yield from copies.refresh(base, folder)
        except OSError as error:
            faults.append(error)
            yield from sorted(folder.glob("*.jsonl"))


class Copilot(Agent):
    """GitHub Copilot CLI."""

    NAME = "copilot"
    VARIABLE = "COPILOT_AGENT_SESSION_ID"
    START = ("copilot",)
    RESUME = ("--resume={}",)
    PROMPT = ("--interactive", "{}")
    HOME = ("COPILOT_HOME", ".copilot")

    def transcripts(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """As `Agent`; those of sub-agents stand in the file of their session."""
        try:
            found = sorted((self.folder(home, env) / "session-state").iterdir())
        except OSError as error:
            faults.append(error)
            return
        for each in found:
            path = each / "events.jsonl"
            if path.is_file() and not waits(path):
                yield path


CLAUDE_CODE: Final = ClaudeCode()
CODEX: Final = Codex()
OPENCODE: Final = Opencode()
COPILOT: Final = Copilot()
AGENTS: Final[tuple[Agent, ...]] = (CLAUDE_CODE, CODEX, OPENCODE, COPILOT)
