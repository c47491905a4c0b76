"""A transcript as far as it can be read while somebody waits: all of it, or its end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onward.commands.world import World
from onward.storage import atomic
from onward.transcripts import compression


@contextmanager
def within(world: World, transcript: Path, most: int, tail: int) -> Iterator[tuple[Path, bool]]:
    """The transcript and True; of one over `most` bytes a private copy of its last `tail`
    bytes, cut at the beginning of a line and gone afterwards, and False.

    Line numbers of such a copy mean nothing. A file that is not there is left to the reader to
    tell. Raises OSError, StorageError.
    """
    if not transcript.is_file() or transcript.stat().st_size <= most:
        yield transcript, True
        return
    with transcript.open("rb") as stream:
        if compression.is_packed(stream):  # its end is nothing by itself
            yield transcript, True
            return
        stream.seek(-min(tail, most), os.SEEK_END)
        end = stream.read()
    from onward.commands import workspace  # noqa: PLC0415 - hooks do without, but for a large file

    parent = workspace.data(world) / "live"
    with atomic.told(parent):
        atomic.folder(parent, 0o700)
    atomic.sweep(parent)
    with atomic.temporary(parent) as copy:
        # Not flushed, as it need not last: that would wait for all else that is being written.
        with atomic.told(copy):
            descriptor = os.open(copy, os.O_WRONLY | atomic.NEW, atomic.PRIVATE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(end[end.find(b"\n") + 1 :])
        yield copy, False
