"""Transcripts that `onward keep --all` holds after their clients delete them.

`<data>/archive/<client>/` repeats the folders of the client, so that a session finds the files of its
sub-agents; each file is compressed under its own name, 0600, with the time of the one that it holds.
"""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, Literal

from onward.storage import atomic
from onward.storage.machine import data_folder
from onward.transcripts import compression

Outcome = Literal["new", "renewed", "known"]

_CHUNK: Final = 1 << 20


def folder(home: Path, env: Mapping[str, str]) -> Path:
    """Where they lie; it is there once the user asked for it."""
    return Path(data_folder(env, str(home))) / "archive"


def kept(home: Path, env: Mapping[str, str], client: str) -> Iterator[Path]:
    """The files of a client whose own are gone, those of sub-agents too, in no order."""
    top = folder(home, env) / client
    for where, _, files in os.walk(top):
        for file in files:
            own = Path(os.sep, *_parts(top, Path(where, file)))
            if file.endswith(".jsonl") and not (own.exists() or _packed(own).exists()):
                yield Path(where, file)


def place(source: Path, top: Path) -> Path:
    """Where a client's file is kept below the client's folder of the archive."""
    own = source.absolute()
    drive = own.drive.strip(":\\/").replace("\\", "-")
    return top.joinpath(drive, *own.parts[1:-1], own.name.removesuffix(".zst"))


def keep(source: Path, top: Path, alike: Iterable[Path] = ()) -> tuple[Outcome, Path]:
    """Keep a file as it is now. What was kept of it before is replaced where it is the beginning of
    this one, and stands where this one was cut; where neither holds, it stays beside it. What one of
    `alike` holds already is not kept again.

    Raises StorageError; OSError and InputError where the file cannot be read.
    """
    target = place(source, top)
    changed = source.stat().st_mtime_ns
    is_known = target.is_file()
    if is_known and target.stat().st_mtime_ns == changed:
        return "known", target
    with atomic.told(target):
        atomic.folder(target.parent, 0o700)
    with atomic.temporary(target.parent) as new:
        begins, ends = _pack(source, target if is_known else None, new)
        with atomic.told(target):
            if begins and not ends:  # the client's was cut: ours holds more
                os.utime(target, ns=(changed, changed))
                return "known", target
            if same := next(
                (each for each in alike if filecmp.cmp(new, each, shallow=False)), None
            ):
                return "known", same
            os.utime(new, ns=(changed, changed))
            if is_known and not begins:
                _set_aside(target)
            atomic.rename(new, target)
    return "renewed" if is_known else "new", target


def _pack(source: Path, old: Path | None, new: Path) -> tuple[bool, bool]:
    """Compress a file; whether the one kept before is the same as far as the shorter of both goes,
    and whether it ends first.
    """
    begins = ends = True
    with ExitStack() as stack:
        before = stack.enter_context(compression.opened(old)) if old else None
        stream = stack.enter_context(compression.opened(source))
        with atomic.told(new):
            descriptor = os.open(new, os.O_RDWR | atomic.NEW, atomic.PRIVATE)
            out = stack.enter_context(os.fdopen(descriptor, "wb"))
        with compression.packing(out, new) as packer:
            while part := _read(stream):
                had = _read(before, len(part)) if before else b""
                begins = begins and part.startswith(had)
                with atomic.told(new):
                    packer.write(part)
        if before and before.read(1):
            ends = False
        with atomic.told(new):
            out.flush()
            os.fsync(descriptor)
    return begins, ends


def _read(stream: BinaryIO, size: int = _CHUNK) -> bytes:
    """So many bytes, fewer only at the end."""
    parts, left = list[bytes](), size
    while left and (part := stream.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _set_aside(target: Path) -> None:
    """Give what was kept before a name that no list has."""
    names = (target.with_name(f"{target.name}.{number}") for number in count(1))
    os.replace(target, next(name for name in names if not name.exists()))  # noqa: PTH105 - as atomic


def _parts(top: Path, path: Path) -> tuple[str, ...]:
    """The parts of the client's own path, less the root."""
    first, *rest = path.relative_to(top).parts
    return (f"{first}:{os.sep}", *rest) if os.name == "nt" else (first, *rest)


def _packed(path: Path) -> Path:
    return path.with_name(f"{path.name}.zst")
