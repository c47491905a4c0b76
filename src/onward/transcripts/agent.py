"""One client: where it keeps its sessions, how it is started, who reads them."""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

from onward.errors import InputError
from onward.transcripts import disk, part, reader
from onward.transcripts.reader import SessionInfo
from onward.transcripts.values import ID

Transcript = reader.Transcript[Any]
Env = Mapping[str, str]


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

    NAME: ClassVar[str]  # as `transcripts.AGENTS` has it
    VARIABLE: ClassVar[str]  # names the session to the commands that the client runs
    START: ClassVar[tuple[str, ...]]  # the words that start it in the folder of a project
    RESUME: ClassVar[tuple[str, ...]]
    """The words that follow to go on in a session, `{}` being its id."""
    PROMPT: ClassVar[tuple[str, ...]] = ("{}",)  # the words that follow to give it a first prompt
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
        """All of its sessions here, whoever held them; `faults` gets the folders that cannot be read."""

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
        return cast("reader.Reader[Any]", part(self.NAME, "reader").READER)

    def open(self, path: Path) -> Transcript:
        """A transcript for reading."""
        return Transcript(self.reader, path, self.NAME)

    def look(self, path: Path) -> SessionInfo | None:
        """What the ends of one of its transcripts tell; None where nobody spoke."""
        return self.reader.look(path, self.NAME)

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
        return told if ID.fullmatch(told) else ""
