"""The clients: of each where it keeps its sessions, how it is started, who reads them; and the sessions of all
on this machine.
"""

from __future__ import annotations

import os
import re
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, cast

from msgspec import structs

from onward.errors import InputError, NotFoundError
from onward.search.record import Facts, Record
from onward.transcripts import disk, reader
from onward.transcripts.disk import HEAD
from onward.transcripts.reader import SessionInfo as SessionInfo  # noqa: PLC0414 - for the clients

Transcript = reader.Transcript[Any]
Env = Mapping[str, str]
_SESSION: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_HELPER: Final = "agent-"
_DEEPEST: Final = 3
"""Folders down to the file of a sub-agent of Claude Code: project, session, `subagents`."""


def of_client(home: Path, env: Mapping[str, str], variable: str, usual: str) -> Path:
    """The folder that a user moved with `variable`, else the `usual` one of their home. Whole,
    since what is read there is told to other processes, which run elsewhere.
    """
    moved = env.get(variable)
    return Path(os.path.abspath(moved)) if moved else home / usual  # noqa: PTH100 - follows no link


def waits(path: Path) -> bool:
    """Whether reading it may never end: a pipe or a device under the name of a transcript."""
    try:
        kind = path.stat().st_mode
        return stat.S_ISFIFO(kind) or stat.S_ISCHR(kind) or stat.S_ISBLK(kind)
    except OSError:  # told when it is read
        return False


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
        return disk.kept(home, env, self.NAME)

    def is_helper(self, path: Path) -> bool:  # noqa: ARG002 - as every client is asked
        """Whether a file is a sub-agent's, and no session by itself."""
        return False

    def every(self, home: Path, env: Env, faults: list[OSError]) -> Iterator[Path]:
        """As `transcripts`, with those too that only we still have."""
        yield from self.transcripts(home, env, faults)
        yield from (path for path in self.kept(home, env) if not self.is_helper(path))

    @property
    def reader(self) -> reader.Reader[Any]:
        """What reads one of its transcripts; imported only now."""
        name = f"{__package__}.{self.NAME.replace('-', '_')}"
        return cast("reader.Reader[Any]", import_module(name).READER)

    def open(self, path: Path) -> Transcript:
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
                packed = path.name.endswith(disk.SUFFIX)
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


# ------------------------------------------------------------------ the sessions of all


_CHUNK: Final = 1 << 20


def transcripts(
    home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
) -> Iterator[Path]:
    """Every transcript that a client or `onward keep --all` has, in no order, whoever held the session.
    Folders and databases that cannot be read are added to `faults`.
    """
    for agent in AGENTS:
        yield from agent.every(home, env, [] if faults is None else faults)


def start(name: str, session: str = "") -> list[str]:
    """The words that start an agent, with `session` in that one; none for an unknown agent."""
    found = next((agent for agent in AGENTS if name == agent.NAME), None)
    return found.start(session) if found else []


def agent_of(path: Path) -> Agent:
    """The agent whose transcript it is; NotFoundError or InputError with what to do."""
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder, not a transcript", "onward sessions --all")
        if path.is_file() and path.stat().st_size == 0:
            raise InputError(f"{path} is empty: nothing was said", "onward sessions --all")
        # The last know their own by its beginning; the first has to look at both ends of a file.
        found = next((agent for agent in reversed(AGENTS) if agent.reader.recognises(path)), None)
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path}", "onward sessions --all") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", f"ls -l {path}") from None
    if found is None:
        known = ", ".join(agent.NAME for agent in AGENTS)
        raise InputError(
            f"{path} is no transcript of an agent that onward knows ({known})",
            "onward sessions --all",
        )
    return found


def open_transcript(path: Path) -> Transcript:
    """A transcript, whoever wrote it; NotFoundError or InputError with what to do."""
    return agent_of(path).open(path)


def find_sessions(
    home: Path, env: Mapping[str, str], *, cwd: str | None = None, hidden: bool = False
) -> list[SessionInfo]:
    """The sessions on this machine, newest first; with `cwd`, those that were held in that
    folder or below it, by the `cwd` inside their records; with `hidden`, those too that no
    user held.
    """
    every = (info for agent in AGENTS for info in agent.sessions(home, env))
    found = (info for info in every if hidden or not info.hidden)
    return sorted(
        (info for info in found if cwd is None or any(below(each, cwd) for each in info.cwds)),
        key=lambda info: (info.ended, info.mtime),
        reverse=True,
    )


def current(env: Mapping[str, str]) -> str:
    """The id of the session that this process is part of, as its client tells it; "" outside."""
    return next((id_ for agent in AGENTS if (id_ := agent.current(env))), "")


def client_of(head: bytes) -> Agent | None:
    """For a search, whose transcript it is, by its beginning."""
    return next((agent for agent in AGENTS if agent.reader.knows(head)), None)


def records(agent: Agent, raw: bytes) -> list[Record]:
    """For a search, what a line says. Raises ValueError where it cannot be read."""
    return [*agent.reader.heard(raw)]


def below(folder: str, top: str) -> bool:
    """Whether a folder is `top` or lies in it, in the spelling of either system."""
    one, other = _spelled(folder), _spelled(top)
    return one == other or one.startswith(f"{other}/")


def _spelled(folder: str) -> str:
    plain = folder.replace("\\", "/").rstrip("/")
    return plain.casefold() if plain[1:2] == ":" else plain


# ---------------------------------------------------------------- what cannot be read


class Unread(NamedTuple):
    """What is there and cannot be read, why, and what to type for it, "" where nothing is known."""

    path: Path
    reason: str
    hint: str = ""


def is_torn(path: Path) -> bool:
    """Whether a transcript's last line is no whole record. Not told of a compressed one."""
    if path.name.endswith(disk.SUFFIX):
        return False
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _CHUNK))
            last = stream.read().rpartition(b"\n")[2].rstrip(b"\0 \r")
        return bool(last) and not last.endswith(b"}")
    except OSError:
        return False


def unreadable(home: Path, env: Mapping[str, str]) -> list[Unread]:
    """The transcripts on this machine that are there and cannot be read, and why; then the folders
    and databases of clients.
    """
    found, faults = list[Unread](), list[OSError]()
    for path in (path for agent in AGENTS for path in agent.transcripts(home, env, faults)):
        try:
            with disk.opened(path) as stream:
                start = stream.read(HEAD)
                while path.name.endswith(disk.SUFFIX) and stream.read(_CHUNK):
                    pass  # how much it unpacks to shows at its end
        except FileNotFoundError:  # removed meanwhile
            continue
        except OSError as error:
            found.append(Unread(path, _reason(error)))
        except InputError as error:
            found.append(Unread(path, error.hint))
        else:
            if start.strip() and b'{"' not in start:
                found.append(Unread(path, "no record in it"))
    return [*found, *closed(faults)]


def closed(faults: Iterable[OSError]) -> Iterator[Unread]:
    """The folders and databases among what could not be read, less those that are not there."""
    for fault in faults:
        if not isinstance(fault, FileNotFoundError | NotADirectoryError):
            yield Unread(Path(str(fault.filename)), _reason(fault), getattr(fault, "hint", ""))


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
