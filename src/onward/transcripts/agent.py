"""What a client is to the rest of the program: one value, registered in `registry.AGENTS`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar, Final, Protocol

from onward.errors import InputError
from onward.model import Event, Injection, Origin
from onward.search.record import Facts, Record
from onward.transcripts import archive, compression
from onward.transcripts.sessions import HEAD, SessionInfo
from onward.transcripts.shown import Shown

_SESSION: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_CHUNK: Final = 1 << 20


class Transcript(Protocol):
    """One session opened for reading; iterate once.

    Events of the main thread come in order, those of a sub-agent (`thread` is its id) just
    before its `Delegated`. `problems` (kind and count) and `origin` are complete after the last
    event.
    """

    path: Path
    problems: Counter[str]
    origin: Origin[str]

    def __iter__(self) -> Iterator[Event]: ...


class Reader(Protocol):
    """The module of a client that reads its transcripts. What it raises stands with them."""

    @property
    def Opened(self) -> Callable[[Path, str], Transcript]:  # noqa: N802 - a class of a module
        """A transcript for reading, by its path and the client's name."""

    def recognises(self, path: Path) -> bool:
        """Whether a transcript is this client's."""

    def look(self, path: Path, agent: str) -> SessionInfo | None:
        """What the ends of one of its transcripts tell; None where nobody spoke."""

    def injections(self, path: Path) -> tuple[Injection, ...]:
        """What became of the texts that hooks gave at its starts, the newest last."""

    def lines(self, path: Path, line: int, thread: str) -> Iterator[tuple[int, bytes | None]]:
        """The numbered lines, raw, of the file that holds that line of a session or of a sub-agent;
        None for one that is too long to be read.
        """

    def render(self, raw: bytes | None) -> Shown:
        """A raw line as a user would read it."""


class Listener(Protocol):
    """The module of a client that tells a search what one line says by itself."""

    def knows(self, head: bytes) -> bool:
        """Whether a file that begins so is this client's."""

    def facts(self, head: bytes) -> Facts:
        """What the beginning of a file tells of all its records."""

    def heard(self, raw: bytes) -> Iterator[Record]:
        """The records of a line. Raises ValueError where it cannot be read."""


class Agent(ABC):
    """One client.

    A path is that of a file of lines, which its own client alone reads; one that keeps its
    sessions elsewhere gives each a copy of that form.
    """

    NAME: ClassVar[str]
    """Its folder in `transcripts/` bears it too, with `_` for `-`: hooks find it by that."""
    VARIABLE: ClassVar[str]
    """Names the session to the commands that the client runs."""

    @abstractmethod
    def start(self, session: str = "") -> list[str]:
        """The words that start it in the folder of a project; with `session`, in that one."""

    def begin(self, prompt: str) -> list[str]:
        """The words that start it with a first prompt."""
        return [*self.start(), prompt]

    @abstractmethod
    def transcripts(
        self, home: Path, env: Mapping[str, str], faults: list[OSError] | None = None
    ) -> Iterator[Path]:
        """All of its sessions on this machine, whoever held them. Folders that cannot be read
        are added to `faults`.
        """

    def files(self, home: Path, env: Mapping[str, str], faults: list[OSError]) -> Iterator[Path]:
        """What a search looks through: those of sub-agents too."""
        return self.transcripts(home, env, faults)

    def kept(self, home: Path, env: Mapping[str, str]) -> Iterator[Path]:
        """What was kept of its own files that are gone, those of sub-agents too."""
        return archive.kept(home, env, self.NAME)

    def is_helper(self, path: Path) -> bool:  # noqa: ARG002 - as every client is asked
        """Whether a file is a sub-agent's, and no session by itself."""
        return False

    def every(self, home: Path, env: Mapping[str, str]) -> Iterator[Path]:
        """All of its sessions on this machine, those too that only we still have."""
        yield from self.transcripts(home, env)
        yield from (path for path in self.kept(home, env) if not self.is_helper(path))

    @property
    @abstractmethod
    def reader(self) -> Reader:
        """What reads one of its transcripts; imported only now."""

    @property
    @abstractmethod
    def listener(self) -> Listener:
        """What tells a search what a line says; imported only now."""

    def open(self, path: Path) -> Transcript:
        """A transcript for reading."""
        return self.reader.Opened(path, self.NAME)

    def look(self, path: Path) -> SessionInfo | None:
        """What the ends of one of its transcripts tell; None where nobody spoke."""
        return self.reader.look(path, self.NAME)

    def facts(self, head: bytes) -> Facts:
        """What the beginning of a file tells a search of all its records."""
        return self.listener.facts(head)

    def sessions(self, home: Path, env: Mapping[str, str]) -> Iterator[SessionInfo]:
        """All of its sessions on this machine in which something was said, in no order."""
        for path in self.every(home, env):
            try:
                info = self.look(path)
            except (OSError, InputError):  # removed meanwhile, or not ours to read
                continue
            if info:
                yield info

    def unreadable(self, home: Path, env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
        """Its transcripts on this machine that are there and cannot be read, and why; then the
        folders.
        """
        faults: list[OSError] = []
        for path in self.transcripts(home, env, faults):
            try:
                start = _beginning(path)
            except FileNotFoundError:  # removed meanwhile
                continue
            except OSError as error:
                yield path, _reason(error)
            except InputError as error:
                yield path, error.hint
            else:
                if start.strip() and b'{"' not in start:
                    yield path, "no record in it"
        yield from _closed(faults)

    def closed(self, home: Path, env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
        """The places of its sessions that are there and cannot be read, and why."""
        faults: list[OSError] = []
        for _ in self.transcripts(home, env, faults):
            pass
        yield from _closed(faults)

    def current(self, env: Mapping[str, str]) -> str:
        """The id of the session that this process is part of; "" outside of one."""
        told = env.get(self.VARIABLE, "")
        return told if _SESSION.fullmatch(told) else ""


def _closed(faults: list[OSError]) -> Iterator[tuple[Path, str]]:
    for fault in faults:
        if not isinstance(fault, FileNotFoundError | NotADirectoryError):
            yield Path(str(fault.filename)), _reason(fault)


def _beginning(path: Path) -> bytes:
    with compression.opened(path) as stream:
        head = stream.read(HEAD)
        while path.name.endswith(compression.SUFFIX) and stream.read(_CHUNK):
            pass  # how much it unpacks to shows at its end
    return head


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
