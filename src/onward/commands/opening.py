"""A transcript opened for distilling, all of it or, while somebody waits, its end: secrets go out
of its events before anything is cut.

What shortens a text or takes a command apart would leave pieces of a secret, or a password
without the word before it, which no rule knows any more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec
from msgspec.structs import replace

from onward.model import Event
from onward.storage import atomic
from onward.transcripts import disk, registry

if TYPE_CHECKING:
    from onward.commands.world import World
    from onward.redaction import Secrets

T = TypeVar("T")
_AGAIN = 1024  # texts that are not searched again: folders, tools and commands come in many events


def open_transcript(path: Path, secrets: Secrets) -> tuple[registry.Transcript, Iterator[Event]]:
    """A transcript and its events, without secrets. Raises as `registry.open_transcript`.

    A secret may stand before the words that tell it is one: what is made of the events goes
    through `hidden` with `secrets.again` once all were read.
    """
    opened, hide = registry.open_transcript(path), lru_cache(_AGAIN)(secrets.hide)
    return opened, (hidden(event, hide) for event in opened)


def hidden(value: T, hide: Callable[[str], str]) -> T:
    """The same, every string in it hidden where that is needed."""
    return cast("T", _hidden(value, hide))


def _hidden(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, tuple):
        return tuple(_hidden(each, hide) for each in value)
    if isinstance(value, msgspec.Struct):
        before = {name: getattr(value, name) for name in value.__struct_fields__}
        after = {name: _hidden(each, hide) for name, each in before.items()}
        return value if after == before else replace(value, **after)
    return value


@contextmanager
def within(world: World, transcript: Path, most: int, tail: int) -> Iterator[tuple[Path, bool]]:
    """The transcript and True; of one over `most` bytes a private copy of its last `tail` bytes,
    gone afterwards, whose line numbers mean nothing, and False. Raises OSError, StorageError.
    """
    if not transcript.is_file() or transcript.stat().st_size <= most:
        yield transcript, True
        return
    with transcript.open("rb") as stream:
        if disk.is_packed(stream):  # its end is nothing by itself
            yield transcript, True
            return
        stream.seek(-min(tail, most), os.SEEK_END)
        end = stream.read()
    parent = world.data_folder() / "live"
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
