"""What every client's room offers to the rest of the program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from onward.errors import NotFoundError
from onward.model import Event, Origin
from onward.transcripts.diagnostics import Survey
from onward.transcripts.sessions import SessionInfo
from onward.transcripts.shown import Shown

_SESSION: Final = re.compile(r"[\w-]{1,100}", re.ASCII)


class Transcript(Protocol):
    """One session's files, opened for reading; iterate once.

    Events of the main thread come in file order, those of a sub-agent (`thread` is its id)
    just before its `Delegated`. `problems` (kind and count) and `origin` are complete after
    the last event.
    """

    path: Path
    problems: Counter[str]
    origin: Origin[str]

    def __iter__(self) -> Iterator[Event]: ...


class Agent(Struct, frozen=True, kw_only=True):
    """One agent. What its room's functions raise stands with them."""

    name: str
    variable: str
    """Names the session to the commands that the client runs."""
    recognises: Callable[[Path], bool]
    """Whether a file is this client's, by the shape of its lines."""
    sessions: Callable[[Path, Mapping[str, str]], Iterator[SessionInfo]]
    """All of its sessions on this machine, by the home folder and the environment, in no order."""
    look: Callable[[Path], SessionInfo | None]
    """What the ends of one of its transcripts tell; None where nobody spoke."""
    unreadable: Callable[[Path, Mapping[str, str]], Iterator[tuple[Path, str]]]
    """Its transcripts on this machine that cannot be read, and why."""
    open: Callable[[Path], Transcript]
    """A transcript for reading."""
    survey: Callable[[Path], Survey]
    """Which kinds of record a transcript holds, and what became of hooks' texts."""
    lines: Callable[[Path, int, str], Iterator[tuple[int, bytes | None]]]
    """The numbered lines, raw, of the file that holds that line of a session or of a sub-agent;
    None for one that is too long to be read.
    """
    render: Callable[[bytes | None], Shown]
    """A raw line as a user would read it."""

    def current(self, env: Mapping[str, str]) -> str:
        """The id of the session that this process is part of; "" outside of one."""
        told = env.get(self.variable, "")
        return told if _SESSION.fullmatch(told) else ""

    def place(self, path: Path, line: int, thread: str) -> str:
        """One record of a session, or of its sub-agent `thread`, as a user would read it: raw.
        Raises NotFoundError where there is no such line.
        """
        for number, raw in self.lines(path, line, thread):
            if number == line:
                shown = self.render(raw)
                return f"{shown.head}\n{shown.text}".strip()
        where = f"sub-agent {thread} of {path.name}" if thread else path.name
        raise NotFoundError(f"{where} has no line {line}", f"onward read {path}")
