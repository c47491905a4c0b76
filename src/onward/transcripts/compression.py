"""A transcript's bytes, whether it is compressed or not."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, Final, cast

from onward.errors import InputError

SUFFIX: Final = ".jsonl.zst"
"""Of a transcript that its client compressed."""
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
        yield cast("BinaryIO", io.BufferedReader(_unpacked(raw, path), _BUFFER))


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


@contextmanager
def packing(out: BinaryIO, path: Path) -> Iterator[BinaryIO]:
    """What is written to it is compressed into `out`. Raises InputError where this Python cannot."""
    with _library(path).ZstdFile(out, "w") as stream:
        yield cast("BinaryIO", stream)


def _unpacked(raw: BinaryIO, path: Path) -> io.RawIOBase:
    zstd = _library(path)
    source = zstd.ZstdFile(raw, options={zstd.DecompressionParameter.window_log_max: _WINDOW})
    most = _SPARE + _TIMES * os.fstat(raw.fileno()).st_size
    return _Whole(source, (EOFError, zstd.ZstdError), path, most)


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
