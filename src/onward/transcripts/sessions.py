"""What can be said of a session without reading all of its file."""

from __future__ import annotations

import io
import os
import re
import stat
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final, Generic, TypeVar

from msgspec import Struct

from onward.transcripts import truncation
from onward.transcripts.disk import HEAD, opened
from onward.user_input import is_significant

R = TypeVar("R", bound=Struct)

TAIL: Final = 256 << 10
"""Bytes read of its end."""
SESSION_ID: Final = re.compile(r"[0-9a-f]{8}[0-9a-f-]{0,28}|ses_\w{1,60}", re.ASCII)
"""A session's id or its beginning; no checkpoint's name has a `_`."""
_CHUNK: Final = 1 << 20
_FOLDERS: Final = 20
"""Folders remembered of one session; it follows the agent's `cd`."""


class SessionInfo(Struct, frozen=True, kw_only=True):
    """One session of one agent, as its client keeps it.

    `cwd` is where it began, `cwds` all folders that were seen, in order. `prompts` counts
    those in the parts that were read: all of a file up to `HEAD + TAIL` bytes, else it is a
    lower bound (`whole` is False).
    """

    agent: str
    session: str
    path: Path
    cwd: str
    branch: str
    started: str
    ended: str
    size: int
    mtime: float
    prompts: int = 0
    title: str = ""
    last_prompt: str = ""
    whole: bool = True
    cwds: tuple[str, ...] = ()
    unattended: bool = False
    """A script asked (`claude -p`, `codex exec`), nobody who waits for an answer."""
    hidden: bool = False
    """Held by no user (a headless run, a sub-agent): opened where it is named, else not offered."""


class Gathered(ABC, Generic[R]):
    """What a client gathers for a `SessionInfo`, from the records that it looks at."""

    def __init__(self) -> None:
        self.cwds: list[str] = []
        self.session = self.branch = self.started = self.ended = ""
        self.title = self.first = self.last = ""
        self.prompts = 0
        self.spoke = self.unattended = self.hidden = self.helper = False

    @abstractmethod
    def see(self, record: R) -> None:
        """Take note of a record."""

    def moment(self, at: str | None) -> None:
        """Something was written down at this time."""
        self.started = self.started or at or ""
        self.ended = at or self.ended

    def folder(self, cwd: str | None) -> None:
        """Something was done in this folder."""
        if cwd and cwd not in self.cwds and len(self.cwds) < _FOLDERS:
            self.cwds.append(cwd)

    def said(self, text: str) -> None:
        """A prompt: the first one that says something makes the title."""
        self.spoke = True
        if not is_significant(self.first):
            self.first = text if is_significant(text) else self.first or text
        self.last = text

    def info(self, agent: str, path: Path, *, whole: bool) -> SessionInfo | None:
        """All of it; None where nobody spoke. Raises OSError."""
        disk = path.stat()
        if not self.spoke:
            return None
        return SessionInfo(
            agent=agent,
            session=self.session or path.name.removesuffix(".zst").removesuffix(".jsonl"),
            path=path,
            cwd=next(iter(self.cwds), ""),
            cwds=tuple(self.cwds),
            branch=self.branch,
            started=self.started,
            ended=self.ended,
            size=disk.st_size,
            mtime=disk.st_mtime,
            prompts=self.prompts,
            title=self.title or truncation.one_line(self.first, 100),
            last_prompt=truncation.one_line(self.last),
            whole=whole,
            unattended=self.unattended,
            hidden=self.hidden,
        )


def ends(path: Path) -> tuple[BinaryIO, bool]:
    """The first and the last lines of a file as one stream, and whether that is all of it. A
    compressed file has to be read through to its end.
    """
    with opened(path) as stream:
        head = stream.read(HEAD + TAIL)
        if stream.seekable():
            size = stream.seek(0, io.SEEK_END)
            stream.seek(max(size - TAIL, 0))
            tail = stream.read()
        else:
            tail, size = head, len(head)
            while chunk := stream.read(_CHUNK):
                tail, size = (tail + chunk)[-TAIL:], size + len(chunk)
    if size <= len(head):
        return io.BytesIO(head), True
    head = head[: head.rfind(b"\n", 0, HEAD) + 1]
    return io.BytesIO(head + tail[tail.find(b"\n") + 1 :]), False


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
