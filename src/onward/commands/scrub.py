"""`scrub`: text in, the same text without secrets out; or, of files, where some stand."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import NotFoundError, RefusedError, StorageError, UsageError
from onward.redaction import Redactor
from onward.redaction.scrub import Place, Scrubber

PIECE = 4 << 20  # characters that are read at a time
LONGEST = 64 << 20  # characters of one line; a longer one is refused, so that memory stays bounded
_HEAD = 8192  # bytes in which a NUL makes a file a binary one, as git has it (8,000)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NARROW = ("utf-8", "surrogateescape")


Piece = tuple[bytes, list[Place]]  # clean bytes, and what was found in them


def filtered(
    world: World,
    files: Sequence[Path],
    stdin: BinaryIO | None,
    *,
    also: tuple[str, ...] = (),
    personal: bool = True,
    left_out: list[str] | None = None,
) -> Iterator[Piece]:
    """The clean bytes of the files and of `stdin`, piece by piece, each with what was found. With
    `left_out`, binary files are only named there. Raises NotFoundError, UsageError and StorageError
    before the first piece, RefusedError for a line that is too long.
    """
    redactor = world.redactor_with(world.display_key, also=also, personal=personal)
    for path in files:
        if (world.cwd / path).is_dir():
            hint = f"git ls-files -z {path} | xargs -0 onward scrub --check"
            raise UsageError(f"{path} is a folder; scrub takes files", hint)
        if not (world.cwd / path).exists():
            raise NotFoundError(f"there is no file {path}", "onward scrub < FILE > CLEAN-FILE")
    for path in files:
        shown = redactor.text(str(path))
        try:
            file = (world.cwd / path).open("rb")
        except OSError as error:
            raise _unreadable(str(world.cwd / path), error, f"ls -l {path}") from None
        with file:
            head = file.read(_HEAD) if left_out is not None else b""
            file.seek(0)
            if left_out is not None and b"\0" in head and not head.startswith(_UTF16):
                left_out.append(shown)
            else:
                yield from _pieces(file, shown, redactor)
    if stdin:
        yield from _pieces(stdin, "", redactor)


def check(world: World, files: Sequence[Path], stdin: BinaryIO | None, **options: Any) -> Result:
    """All findings; exit code 1 if there is one. Takes and raises what `filtered` does."""
    binary: list[str] = []
    pieces = filtered(world, files, stdin, left_out=binary, **options)
    found = [each for _, some in pieces for each in some]
    text = compose(*(each.told() for each in found))
    notes = tuple(f"{path}: binary, left out" for path in binary)
    return Result(text=text, data=found, exit_code=int(bool(found)), notes=notes)


def _unreadable(what: str, error: OSError, hint: str) -> StorageError:
    return StorageError(f"{what} cannot be read: {error.strerror or type(error).__name__}", hint)


def _pieces(stream: BinaryIO, path: str, redactor: Redactor) -> Iterator[Piece]:
    """UTF-8, or UTF-16 with its mark, in pieces. Bytes that are neither come out unchanged."""
    scrubber = Scrubber(redactor, path)
    raw, coding = _read(stream, path), _NARROW
    if raw.startswith(_UTF16):
        raw += stream.read(LONGEST)
        _refuse_longer(len(raw), path)
        coding = _coding(raw)
    while True:
        more = _read(stream, path)
        clean, places = scrubber.feed(raw.decode(*coding), last=not more)
        _refuse_longer(scrubber.held, path)
        yield clean.encode(*coding), places
        if not more:
            return
        raw = more


def _read(stream: BinaryIO, path: str) -> bytes:
    """The next whole lines."""
    try:
        raw = stream.read(PIECE)
        return raw + stream.readline(LONGEST) if raw else raw
    except OSError as error:
        hint = "onward scrub < notes.txt > clean.txt"
        raise _unreadable(path or "standard input", error, hint) from None


def _coding(raw: bytes) -> tuple[str, str]:
    """How to decode what begins with the mark of UTF-16, which it may do by chance."""
    wide = "utf-16-le" if raw.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    try:
        raw.decode(wide)
    except UnicodeDecodeError:
        return _NARROW
    return wide, "strict"


def _refuse_longer(length: int, path: str) -> None:
    if length >= LONGEST:
        what = f"{path or 'the text'} has a line of more than {LONGEST >> 20} MB"
        raise RefusedError(what, "split it into lines first")
