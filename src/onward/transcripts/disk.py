"""The files of transcripts: their bytes, compressed or not; the lines that a search lets through; and those
that `onward keep --all` holds after their clients delete them.
"""

from __future__ import annotations

import filecmp
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, Final, Literal, NamedTuple, cast

from onward.decode import LIMIT
from onward.errors import InputError
from onward.storage import atomic
from onward.storage.machine import data_folder

SUFFIX: Final = ".jsonl.zst"  # of a transcript that its client compressed
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_BUFFER: Final = 128 << 10
_SPARE: Final = 32 << 20
_TIMES: Final = 100
"""A compressed file may hold so many bytes, and so many times its own size: rollouts shrink to a
tenth. One that holds more was made to fill the memory or the day of whoever reads it."""
_UNPACK: Final = "unpack it with zstd -d, and look at what is in it"
_WINDOW: Final = 25
"""Of 2 to the power of it bytes is the longest reach back that is followed; the client's has 21."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The plain bytes, which can only be read on. Raises OSError; InputError, while reading too,
    where a compressed file cannot be read or unpacks to far more than a rollout does.

    The client compresses an old rollout at any time: then it has the other of the two names.
    """
    try:
        raw = path.open("rb", buffering=_BUFFER)
    except FileNotFoundError:
        raw = _other(path).open("rb", buffering=_BUFFER)
    with raw:
        if not is_packed(raw):
            yield raw
            return
        zstd = _library(path)
        source = zstd.ZstdFile(raw, options={zstd.DecompressionParameter.window_log_max: _WINDOW})
        most = _SPARE + _TIMES * os.fstat(raw.fileno()).st_size
        whole = _Whole(source, (EOFError, zstd.ZstdError), path, most)
        yield cast("BinaryIO", io.BufferedReader(whole, _BUFFER))


def is_packed(raw: BinaryIO | io.FileIO) -> bool:
    """Whether what a file holds is compressed, whatever its name; read from its beginning."""
    head = raw.read(len(_MAGIC))
    raw.seek(0)
    return head == _MAGIC


def _other(path: Path) -> Path:
    packed = path.name.endswith(SUFFIX)
    return path.with_name(path.name.removesuffix(".zst") if packed else f"{path.name}.zst")


class _Whole(io.RawIOBase):
    """The plain bytes as far as they can be had: of a torn file, what stands before the tear."""

    def __init__(
        self, source: Any, faults: tuple[type[Exception], ...], path: Path, most: int
    ) -> None:
        super().__init__()
        self._source = source
        self._faults = faults
        self._path = path
        self._most = self._left = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._source.read1(len(buffer))
        except self._faults as fault:
            if "too much memory" in str(fault):  # its own words for a reach back beyond ours
                told = f"{self._path} unpacks to more than {1 << _WINDOW >> 20} MB at a time"
                raise InputError(f"{told}: no rollout does", _UNPACK) from None
            return 0
        self._left -= len(data)
        if self._left < 0:
            size = f"{self._most >> 20} MB"
            raise InputError(f"{self._path} unpacks to more than {size}: no rollout does", _UNPACK)
        buffer[: len(data)] = data
        return len(data)


def _library(path: Path) -> ModuleType:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # noqa: PLC0415 - seldom needed
        else:
            from backports import zstd  # noqa: PLC0415 - seldom needed
    except ImportError:
        raise InputError(
            f"{path} is compressed with zstd, which this Python cannot read",
            "pip install backports.zstd",
        ) from None
    return zstd


# --------------------------------------------------------------- the lines for a search


HEAD: Final = 128 << 10
"""Bytes read of a file's beginning: the first prompt stands behind titles and attachments."""
CHUNK: Final = 512 << 10  # bytes that are looked through at once

Lines = Callable[[bytes, int], Iterator[tuple[int, int]]]
"""Beginning and end of each line of interest, among the whole ones before that byte."""


class Piece(NamedTuple):
    """Whole lines: those of `data` before `end`. `at` is the place of the first in the file."""

    at: int
    data: bytes
    end: int


def pieces(path: Path, tell: Callable[[int], None]) -> Iterator[Piece]:
    """The file in pieces of whole lines; `tell` gets how many bytes were read, as they are.

    A line over `decode.LIMIT` is an empty one. Raises OSError; InputError for a compressed file
    that cannot be read.
    """
    at, held, skipping = 0, b"", False
    with opened(path) as stream:
        while chunk := stream.read(CHUNK):
            tell(len(chunk))
            held += chunk
            if skipping:  # of a line that is too long only the end stays
                gone = held.find(b"\n")
                skipping, gone = gone < 0, len(held) if gone < 0 else gone
                at, held = at + gone, held[gone:]
            if cut := held.rfind(b"\n") + 1:
                yield Piece(at, held, cut)
                at, held = at + cut, held[cut:]
            elif len(held) >= LIMIT:
                at, held, skipping = at + len(held), b"", True
    if held:
        yield Piece(at, held, len(held))


def beginning(path: Path) -> bytes:
    """The first lines of a file. Raises as `pieces`."""
    return next((each.data[: each.end] for each in pieces(path, lambda _: None)), b"")


def passing(
    path: Path, lines: Lines, begin: Callable[[bytes], None], tell: Callable[[int], None]
) -> Iterator[tuple[int, bytes]]:
    """The lines of interest, each with its first byte's place; `begin` gets the file's beginning."""
    for at, data, end in pieces(path, tell):
        if not at:
            begin(data[: min(end, HEAD)])
        for start, stop in lines(data, end):
            yield at + start, data[start:stop]


# -------------------------------------------------------------------------- the archive


Outcome = Literal["new", "renewed", "known"]

_CHUNK: Final = 1 << 20


def archive(home: Path, env: Mapping[str, str]) -> Path:
    """Where they lie; it is there once the user asked for it."""
    return Path(data_folder(env, str(home))) / "archive"


def kept(home: Path, env: Mapping[str, str], client: str) -> Iterator[Path]:
    """The files of a client whose own are gone, those of sub-agents too, in no order."""
    top = archive(home, env) / client
    for where, _, files in os.walk(top):
        for file in files:
            own = Path(os.sep, *_parts(top, Path(where, file)))
            if file.endswith(".jsonl") and not (own.exists() or _other(own).exists()):
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
                # Under a name that no list has.
                names = (target.with_name(f"{target.name}.{number}") for number in count(1))
                os.replace(target, next(name for name in names if not name.exists()))  # noqa: PTH105 - as atomic
            atomic.rename(new, target)
    return "renewed" if is_known else "new", target


def _pack(source: Path, old: Path | None, new: Path) -> tuple[bool, bool]:
    """Compress a file; whether the kept one begins the same, and whether it ends first."""
    begins = True
    with ExitStack() as stack:
        before = stack.enter_context(opened(old)) if old else None
        stream = stack.enter_context(opened(source))
        with atomic.told(new):
            descriptor = os.open(new, os.O_RDWR | atomic.NEW, atomic.PRIVATE)
            out = stack.enter_context(os.fdopen(descriptor, "wb"))
        with _library(new).ZstdFile(out, "w") as packer:
            while part := stream.read(_CHUNK):
                had = before.read(len(part)) if before else b""
                begins = begins and part.startswith(had)
                with atomic.told(new):
                    packer.write(part)
        ends = not (before and before.read(1))
        with atomic.told(new):
            out.flush()
            os.fsync(descriptor)
    return begins, ends


def _parts(top: Path, path: Path) -> tuple[str, ...]:
    """The parts of the client's own path, less the root."""
    first, *rest = path.relative_to(top).parts
    return (f"{first}:{os.sep}", *rest) if os.name == "nt" else (first, *rest)
