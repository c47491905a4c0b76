"""Agents, Codex: a rollout's bytes, whether it is compressed or not."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, Protocol, cast

from onward.errors import InputError

SUFFIX: Final = ".jsonl.zst"
_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_BUFFER: Final = 1 << 20


class _Source(Protocol):
    def read1(self, size: int) -> bytes: ...


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The plain bytes, which can only be read on. Raises OSError; InputError where this Python
    cannot read a compressed file.

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


def is_packed(raw: BinaryIO) -> bool:
    """Whether what a file holds is compressed, whatever its name; read from its beginning."""
    head = raw.read(len(_MAGIC))
    raw.seek(0)
    return head == _MAGIC


def _other(path: Path) -> Path:
    packed = path.name.endswith(SUFFIX)
    return path.with_name(path.name.removesuffix(".zst") if packed else f"{path.name}.zst")


class _Whole(io.RawIOBase):
    """The plain bytes as far as they can be had: of a torn file, what stands before the tear."""

    def __init__(self, source: _Source, faults: tuple[type[Exception], ...]) -> None:
        super().__init__()
        self._source = source
        self._faults = faults

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._source.read1(len(buffer))
        except self._faults:
            return 0
        buffer[: len(data)] = data
        return len(data)


def _unpacked(raw: BinaryIO, path: Path) -> io.RawIOBase:
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
    return _Whole(zstd.ZstdFile(raw), (EOFError, zstd.ZstdError))
