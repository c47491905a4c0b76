"""A fork and the threads that it goes on from, and what was taken back on the way.

Since 0.150 a fork's file does not hold what came before it: it names a thread, and the ordinal
up to which that one is its own past. Ordinals count on from one file to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from onward.decode import Records, bounded
from onward.model import EARLIER
from onward.transcripts.codex.records import MARK, Line
from onward.transcripts.compression import SUFFIX, opened

PARENT: Final = EARLIER
"""What the numbers of a parent's lines begin after, where a fork does not hold them itself."""
_DEPTH: Final = 8
"""Forks of forks that are followed."""
_HEAD: Final = 400
"""Bytes of a line within which its kind stands; quoted text comes later."""
_ASKED: Final = (b'"UserMessage"', b'"user_message"')
_BACK: Final = b'"thread_rolled_back"'
_CHUNK: Final = 64 << 10
"""Bytes that are looked through at once; larger pieces are new memory each time, and slower."""
_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_ORDINAL: Final = re.compile(rb'^\{"timestamp": ?"[^"]{0,40}", ?"ordinal": ?(\d+)')

Position = tuple[int, int]
"""Where in a lineage a line stands: the older file's before the younger one's."""


class Piece(Struct, frozen=True):
    """One file of a lineage: `shift` is added to the numbers of its lines, `end` is the ordinal
    before which it counts, None for all of it.
    """

    path: Path
    shift: int = 0
    end: int | None = None

    def holds(self, line: int, ordinal: int | None) -> bool:
        """Whether a line of the file is part of the lineage."""
        return self.end is None or (line - 1 if ordinal is None else ordinal) < self.end


def lineage(path: Path) -> list[Piece]:
    """A rollout and, nearest first, those that it goes on from, as far as they are there."""
    pieces = [Piece(path)]
    while len(pieces) <= _DEPTH:
        last = pieces[-1]
        with opened(last.path) as stream:
            lines = Records(Line, lambda _: None, MARK).read(stream)
            _, first = next(lines, (0, Line()))
        base = first.payload.history_base if first.payload else None
        found = find(path, base.thread_id) if base else None
        if base is None or found is None or found in {piece.path for piece in pieces}:
            break
        ends = [end for end in (last.end, base.end_ordinal_exclusive) if end is not None]
        pieces.append(Piece(found, PARENT * len(pieces), min(ends, default=None)))
    return pieces


def find(beside: Path, id_: str) -> Path | None:
    """Where the rollout of another thread lies, as seen from one of the same client: beside it,
    in any day's folder, or among the archived ones.
    """
    if not _ID.fullmatch(id_):
        return None
    tops = {"sessions": "sessions/*/*/*/", "archived_sessions": "archived_sessions/"}
    home = next((up.parent for up in beside.parents if up.name in tops), None)
    for suffix in (".jsonl", SUFFIX):
        name = f"*{id_}{suffix}"
        found = list(beside.parent.glob(name))
        for top in tops.values() if home and not found else ():
            found += home.glob(top + name) if home else ()
        if found:
            return min(found)
    return None


def position(line: int) -> Position:
    """Where a line stands, by its number as events have it."""
    depth, number = divmod(line, PARENT)
    return -depth, number


def taken_back(pieces: Sequence[Piece]) -> list[tuple[Position, Position]]:
    """Ranges of lines, first included and last not, that the user went back behind. A fork may
    go back behind its own beginning.
    """
    starts: list[Position] = []
    gone: list[tuple[Position, Position]] = []
    if not any(_holds(piece.path, _BACK) for piece in pieces):
        return gone
    records = Records(Line, lambda _: None, MARK)
    for at, raw in _told(pieces):
        if _BACK not in raw[:_HEAD]:
            starts.append(at)
            continue
        record = records.one(raw)
        turns = (record.payload.num_turns or 0) if record and record.payload else 0
        if turns > 0 and starts:
            gone.append((starts[-turns:][0], at))
            del starts[-turns:]
    return gone


def _told(pieces: Sequence[Piece]) -> Iterator[tuple[Position, bytes]]:
    """The lines that tell of a prompt or of going back, from the oldest file on."""
    for piece in reversed(pieces):
        with opened(piece.path) as stream:
            for line, raw in bounded(stream):
                head = raw[:_HEAD] if raw else b""
                if raw and (_BACK in head or any(sign in head for sign in _ASKED)):
                    ordinal = _ORDINAL.match(head)
                    if piece.holds(line, int(ordinal[1]) if ordinal else None):
                        yield position(line + piece.shift), raw


def _holds(path: Path, sign: bytes) -> bool:
    """Whether a rollout has these bytes; seldom, so that no line is looked at for them."""
    with opened(path) as stream:
        rest = b""
        while chunk := stream.read(_CHUNK):
            if sign in chunk or sign in rest + chunk[: len(sign)]:
                return True
            rest = chunk[-len(sign) :]
    return False
