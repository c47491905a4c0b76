"""The lines of a transcript that a search lets through, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from onward.decode import LIMIT
from onward.transcripts.compression import is_packed, opened
from onward.transcripts.sessions import HEAD

CHUNK: Final = 512 << 10
"""Bytes that are looked through at once. They lie in one buffer that is filled again and again:
new memory for each piece would cost more than looking through it.
"""

_spare: list[bytearray] = []
"""Buffers that nobody uses at the moment: one a thread."""

Lines = Callable[[bytearray, int], Iterator[tuple[int, int]]]
"""Beginning and end of each line of interest, among the whole ones before that byte."""


class Piece(NamedTuple):
    """Whole lines: those of the buffer before `end`. `at` is the place of the first in the file.
    The buffer is another's as soon as the next piece is asked for.
    """

    at: int
    data: bytearray
    end: int


def pieces(path: Path, tell: Callable[[int], None]) -> Iterator[Piece]:
    """The file in pieces of whole lines; `tell` gets how many bytes were read, as they are.

    A line over `decode.LIMIT` is an empty one. Raises OSError; InputError for a compressed file
    that cannot be read.
    """
    buffer = _spare.pop() if _spare else bytearray(CHUNK)
    at = held = 0
    skipping = False
    try:
        with _opened(path) as stream:
            while size := _fill(stream, buffer, held):
                tell(size)
                held += size
                if skipping:  # of a line that is too long only the end stays
                    gone = buffer.find(b"\n", 0, held)
                    skipping, gone = gone < 0, held if gone < 0 else gone
                    at, held = at + gone, _moved(buffer, gone, held)
                if cut := buffer.rfind(b"\n", 0, held) + 1:
                    yield Piece(at, buffer, cut)
                    at, held = at + cut, _moved(buffer, cut, held)
                elif held >= LIMIT:
                    at, held, skipping = at + held, 0, True
                elif held == len(buffer):
                    buffer.extend(bytes(held))
        if held:
            yield Piece(at, buffer, held)
    finally:
        if len(buffer) == CHUNK:
            _spare.append(buffer)


def _moved(buffer: bytearray, start: int, end: int) -> int:
    """Put what stands between two places at the beginning; returns how long it is."""
    buffer[: end - start] = buffer[start:end]
    return end - start


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO | FileIO]:
    """The plain bytes; of a file that is not compressed, with no buffer between it and ours."""
    try:
        raw = path.open("rb", buffering=0)
    except FileNotFoundError:  # compressed a moment ago
        with opened(path) as stream:
            yield stream
        return
    with raw:
        if not is_packed(raw):
            yield raw
            return
    with opened(path) as stream:
        yield stream


def _fill(stream: BinaryIO | FileIO, buffer: bytearray, held: int) -> int:
    with memoryview(buffer) as view, view[held:] as free:
        return cast("FileIO", stream).readinto(free)


def beginning(path: Path) -> bytes:
    """The first lines of a file. Raises as `pieces`."""
    return next((bytes(each.data[: each.end]) for each in pieces(path, lambda _: None)), b"")


def passing(
    path: Path, lines: Lines, begin: Callable[[bytes], None], tell: Callable[[int], None]
) -> Iterator[tuple[int, bytes]]:
    """The lines of interest, each with the place of its first byte; `begin` gets the beginning
    of the file. Raises as `pieces`.
    """
    for at, data, end in pieces(path, tell):
        if not at:
            begin(bytes(data[: min(end, HEAD)]))
        for start, stop in lines(data, end):
            yield at + start, bytes(data[start:stop])


def numbered(path: Path, places: Iterable[int]) -> dict[int, tuple[int, bytes]]:
    """The lines that begin at these bytes: the number of each, from 1, and the line itself.
    What is no longer there is left out. Raises as `pieces`.
    """
    wanted = sorted(places)
    found: dict[int, tuple[int, bytes]] = {}
    line = 1
    for at, data, end in pieces(path, lambda _: None):
        done = 0
        while wanted and wanted[0] < at + end:
            place = wanted.pop(0) - at
            if place >= done:
                line += data.count(b"\n", done, place)
                stop = data.find(b"\n", place, end) + 1 or end
                found[at + place] = line, bytes(data[place:stop])
                done = place
        if not wanted:
            break
        line += data.count(b"\n", done, end)
    return found
