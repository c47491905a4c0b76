"""Agents: what can be said of a session without reading all of its file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

HEAD: Final = 128 << 10
"""Bytes read of a file's beginning: the first prompt stands behind titles and attachments."""
TAIL: Final = 256 << 10
"""Bytes read of its end."""


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
    """Held by no person (a headless run, a sub-agent): opened where it is named, else not offered."""


def ends(path: Path) -> tuple[BinaryIO, bool]:
    """The first and the last lines of a file as one stream, and whether that is all of it."""
    with path.open("rb") as stream:
        head = stream.read(HEAD + TAIL)
        size = stream.seek(0, io.SEEK_END)
        if size <= len(head):
            return io.BytesIO(head), True
        stream.seek(size - TAIL)
        tail = stream.read()
    head = head[: head.rfind(b"\n", 0, HEAD) + 1]
    return io.BytesIO(head + tail[tail.find(b"\n") + 1 :]), False
