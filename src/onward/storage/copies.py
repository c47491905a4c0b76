"""Verbatim copies of transcripts that their client may be appending to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from onward.storage import atomic

_LONGEST_TAIL = 16 * 1024 * 1024
_STEP = 32 * 1024 * 1024
"""Bytes that are copied before the disk is told of them. Measured on ext4 with 200 MB: the fsync
at the end then finds most of them written, and the whole takes 0.6 to 0.7 of copy and fsync.
"""


@contextmanager
def copied(source: Path, into: Path, name: str = "") -> Iterator[Path]:
    """A durable copy (0600) of a JSON-lines file under a temporary name, for `atomic.rename`.

    It is cut after its last complete record, and removed at the end unless it was renamed. With a
    `name` it stays where an error or a signal ends the copying, and the next call of that name
    goes on from there; the caller sees to it that there is one such call at a time.
    """
    with atomic.told(into):
        atomic.folder(into, 0o700)
    atomic.sweep(into)
    with _partial(into, name) if name else atomic.temporary(into) as new:
        with atomic.told(into):
            _clone(source, new, resumes=bool(name))
        yield new


@contextmanager
def _partial(into: Path, name: str) -> Iterator[Path]:
    path = into / f".{name}{atomic.PARTIAL}"
    yield path
    with suppress(OSError):  # renamed
        path.unlink()


def _clone(source: Path, path: Path, *, resumes: bool) -> None:
    new = atomic.NEW & ~os.O_EXCL if resumes else atomic.NEW
    descriptor = os.open(path, os.O_RDWR | new, atomic.PRIVATE)
    with os.fdopen(descriptor, "r+b") as file:
        start = _same(source, file) if resumes else 0
        os.ftruncate(descriptor, start)
        if not _sent(source, descriptor, start, lasting=resumes):
            import shutil  # noqa: PLC0415  # 5 ms that a hook without a copy need not pay

            shutil.copyfile(source, path)
        os.ftruncate(descriptor, _complete(file))
        os.fsync(descriptor)


def _same(source: Path, file: BinaryIO) -> int:
    """How many bytes of the source are there. Of a part, each step but the last is on the disk."""
    size = file.seek(0, os.SEEK_END)
    with source.open("rb") as original:
        for start, count in ((0, _STEP), (max(0, size - 2 * _STEP), 2 * _STEP)):
            file.seek(start)
            original.seek(start)
            if (part := file.read(count)) != original.read(len(part)):
                return 0
    return size


def _sent(source: Path, descriptor: int, done: int, *, lasting: bool) -> bool:
    """Copy within the kernel, the disk at work on one piece while the next is copied, or, to be
    `lasting`, done with it; False where the system or the disk cannot, and the copy is to be made
    otherwise.
    """
    if not (hasattr(os, "sendfile") and hasattr(os, "posix_fadvise")):
        return False
    with source.open("rb") as original:
        size = os.fstat(original.fileno()).st_size
        os.lseek(descriptor, done, os.SEEK_SET)
        try:
            while done < size:
                sent = os.sendfile(descriptor, original.fileno(), done, min(_STEP, size - done))
                if not sent:  # cut off meanwhile
                    break
                # Starts the writing of these pages, and waits for nothing (Linux, mm/fadvise.c).
                os.posix_fadvise(descriptor, done, sent, os.POSIX_FADV_DONTNEED)
                if lasting:
                    os.fsync(descriptor)
                done += sent
        except OSError:
            return False
    return True


def _complete(file: BinaryIO) -> int:
    """Bytes up to the end of the last complete record: a line, or whole JSON without its break."""
    size = position = file.seek(0, os.SEEK_END)
    while position:
        start = max(0, position - 65536)
        file.seek(start)
        found = file.read(position - start).rfind(b"\n")
        if found >= 0:
            position = start + found + 1
            break
        position = start
    return size if _whole(file, position, size) else position


def _whole(file: BinaryIO, start: int, end: int) -> bool:
    if not 0 < end - start <= _LONGEST_TAIL:
        return False
    import json  # noqa: PLC0415  # only for a file that does not end in a line break

    file.seek(start)
    try:
        json.loads(file.read(end - start))
    except ValueError:
        return False
    return True
