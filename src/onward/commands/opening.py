"""A transcript opened for distilling, all of it or, while somebody waits, its end: secrets go out
of its events before anything is cut.

What shortens a text or takes a command apart would leave pieces of a secret, or a password
without the word before it, which no rule knows any more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from onward.model import Event
from onward.storage import atomic
from onward.transcripts import compression, registry
from onward.transcripts.registry import Transcript

if TYPE_CHECKING:
    from onward.commands.world import World
    from onward.redaction import Redactor

_AT_ONCE = 200
"""Events whose texts are searched together."""


def open_transcript(path: Path, redactor: Redactor) -> tuple[Transcript, Iterator[Event]]:
    """A transcript and its events, without secrets. Raises as `registry.open_transcript`."""
    opened = registry.open_transcript(path)
    return opened, hidden(opened, redactor)


def hidden(events: Iterable[Event], redactor: Redactor) -> Iterator[Event]:
    """The same events with a mark in the place of each secret."""
    rest = iter(events)
    while some := list(islice(rest, _AT_ONCE)):
        texts = [list(_texts(event)) for event in some]
        clean = iter(redactor.hide_each([text for each in texts for text in each]))
        for event, before in zip(some, texts, strict=True):
            after = list(islice(clean, len(before)))
            yield event if after == before else _with(event, iter(after))


def _texts(value: Any) -> Iterator[str]:
    """Every string in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name))


def _with(value: Any, texts: Iterator[str]) -> Any:
    """The same with those texts in the places of its own, in the order of `_texts`."""
    if isinstance(value, str):
        return next(texts)
    if isinstance(value, tuple):
        return tuple(_with(each, texts) for each in value)
    if isinstance(value, msgspec.Struct):
        changed = {name: _with(getattr(value, name), texts) for name in value.__struct_fields__}
        return replace(value, **changed)
    return value


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
