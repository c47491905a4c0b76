"""The lines of a transcript that a search lets through, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from onward.decode import LIMIT
from onward.transcripts.compression import opened
from onward.transcripts.sessions import HEAD

CHUNK: Final = 512 << 10
"""Bytes that are looked through at once."""

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
    """The lines of interest, each with the place of its first byte; `begin` gets the beginning
    of the file. Raises as `pieces`.
    """
    for at, data, end in pieces(path, tell):
        if not at:
            begin(data[: min(end, HEAD)])
        for start, stop in lines(data, end):
            yield at + start, data[start:stop]
