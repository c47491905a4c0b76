"""Many files read at once by processes of our own, few by this one."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from onward.commands.overview.places import Places
from onward.commands.overview.reading import Reader
from onward.commands.world import World
from onward.open_work.known import Known

Job = tuple[Path, Path | None]
"""A transcript and None, or a checkpoint and the root of its project."""
WORTH = 100
"""Files below which a second process starts too late to help."""
_MOST = 8
"""Processes: each takes some 60 MB."""
_PIECE = 4
"""Files that one is handed at a time."""


def read(world: World, places: Places, jobs: Sequence[Job]) -> Iterator[tuple[Path, Known]]:
    """Each file in brief, as they come."""
    done: set[Path] = set()
    if len(jobs) >= WORTH and _processors() > 1:
        # Without shared memory, or where somebody ends one of them, this process does it alone.
        with suppress(OSError, ImportError, RuntimeError):
            for path, brief in _together(world, jobs):
                done.add(path)
                yield path, brief
    reader = Reader(world, places)
    for path, root in jobs:
        if path not in done:
            yield path, reader.read(path, root)


def _together(world: World, jobs: Sequence[Job]) -> Iterator[tuple[Path, Known]]:
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - few looks need it
    from multiprocessing import get_context  # noqa: PLC0415 - as above

    plain = replace(world, env=dict(world.env))
    crew = ProcessPoolExecutor(
        min(_processors(), _MOST),
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(plain,),
    )
    try:
        yield from crew.map(_one, jobs, chunksize=_PIECE)
    finally:
        crew.shutdown(cancel_futures=True)


_reader: list[Reader] = []
"""The reader of one of our processes."""


def _begin(world: World) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears of it
    _reader.append(Reader(world, Places(world.home)))


def _one(job: Job) -> tuple[Path, Known]:
    path, root = job
    return path, _reader[0].read(path, root)


def _processors() -> int:
    found = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    return len(found) or os.cpu_count() or 1
