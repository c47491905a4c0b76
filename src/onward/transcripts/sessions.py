"""What can be said of a session without reading all of its file."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct

from onward.errors import InputError

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
    """Held by no user (a headless run, a sub-agent): opened where it is named, else not offered."""


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


def unreadable(
    files: Iterable[Path], faults: list[OSError], head: Callable[[Path], bytes]
) -> Iterator[tuple[Path, str]]:
    """Those of the files that are there and cannot be read, and why; then the folders, which the
    listing of `files` adds to `faults`. `head` reads the beginning of a file and raises what is
    wrong with it, OSError or InputError.
    """
    for path in files:
        try:
            start = head(path)
        except FileNotFoundError:  # removed meanwhile
            continue
        except OSError as error:
            yield path, _reason(error)
        except InputError as error:
            yield path, error.hint
        else:
            if start.strip() and b'{"' not in start:
                yield path, "no record in it"
    for fault in faults:
        if not isinstance(fault, FileNotFoundError | NotADirectoryError):
            yield Path(str(fault.filename)), _reason(fault)


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
