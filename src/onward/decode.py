"""Decode: JSON lines into typed records, whatever has happened to the file.

A fault is a kind of problem that the caller is told of, never an exception: a line that cannot be
read costs that line, a field of the wrong type costs that field. Fields that the record type
does not name are skipped without being built, which is what makes bulk cheap.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from types import UnionType
from typing import Any, BinaryIO, Final, Generic, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Raw, Struct

LIMIT: Final = 16 << 20
"""Bytes of the longest line that is read: more than any request that the clients can send,
little enough for a budget of 150 MB. A longer one is passed over in pieces."""

_FIXED: Final = 4 << 20
"""Bytes of the longest broken line that is looked into; fixing takes several times its size."""

_CANDIDATES: Final = 1000
"""How many places in a torn line may be tried for the record that was glued behind it."""

LOST: Final = frozenset({"torn", "not-json", "not-object", "too-long", "too-deep", "unreadable"})
"""Kinds of problem that cost a whole record; the others were fixed.

`torn` is broken off, at the end of the file or before a record that was glued on, `too-long` over
`LIMIT`. Fixed are `glued` (several good records on one line), `wrong-type` (fields left out), `bad-utf8`,
`lax` (a lone surrogate, a raw control character, NaN), `bom`, `nul` and `blank`. Readers add
`unreadable` (a record whose fields no version of the client writes so).
"""

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What decoding JSON from outside raises. All of it is caught together: which one comes for an
invalid byte depends on where the byte stands.
"""

R = TypeVar("R", bound=Struct)


class Records(Generic[R]):
    """The records of a stream of JSON lines, each with its line number.

    `mark` is a key that every record of the format has: only text with it is taken for a whole
    record behind a torn one. `report` is told the kind of every problem.
    """

    def __init__(
        self, kind: type[R], mark: str, report: Callable[[str], None] = lambda _: None
    ) -> None:
        self._kind = kind
        self._decoder = msgspec.json.Decoder(kind)
        self._report = report
        self._mark = mark
        self._told = 0
        self.line = 0
        """The last line that was looked at, read or not."""

    def read(self, stream: BinaryIO) -> Iterator[tuple[int, R]]:
        """Read on from where the stream stands."""
        decode = self._decoder.decode
        for line, raw in bounded(stream):
            self.line = line
            if raw is None:
                self._tell("too-long")
                continue
            try:
                record = decode(raw)
            except UNREADABLE:
                told = self._told
                for record in self._fix(raw):
                    yield line, record
                if self._told == told:
                    self._tell("lax")
            else:
                yield line, record

    def _fix(self, raw: bytes) -> Iterator[R]:
        """What can be had of a line that does not decode as it is."""
        clean = raw.removeprefix(b"\xef\xbb\xbf")
        if clean is not raw:
            self._tell("bom")
        if b"\0" in clean:
            self._tell("nul")
            clean = clean.replace(b"\0", b"")
        if not clean.strip():
            if clean == raw:
                self._tell("blank")
            return
        if len(clean) > _FIXED:
            self._tell("not-json")
            return
        try:
            text = clean.decode()
        except UnicodeDecodeError:
            self._tell("bad-utf8")
            text = clean.decode(errors="replace")
        yield from self._parse(text)

    def _parse(self, text: str) -> Iterator[R]:
        found, rest = _objects(text.strip(), self._mark)
        if len(found) > 1:
            self._tell("glued")
        for value in found:
            if isinstance(value, dict):
                yield from self._typed(value)
            else:
                self._tell("not-object")
        if rest:
            # A record is written together with its line end: without one it was broken off.
            broken_off = found or not text.endswith("\n")
            self._tell("torn" if broken_off and rest == "not-json" else rest)

    def _typed(self, value: dict[str, Any]) -> Iterator[R]:
        raw = json.dumps(value, ensure_ascii=False).encode(errors="replace")
        try:
            record = self._decoder.decode(raw)
        except msgspec.ValidationError:
            self._tell("wrong-type")
            yield lenient(raw, self._kind)
        except UNREADABLE:
            self._tell("too-deep")
        else:
            yield record

    def _tell(self, kind: str) -> None:
        self._told += 1
        self._report(kind)


def bounded(stream: BinaryIO, limit: int = LIMIT) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a stream with their numbers from 1; None for one over `limit` bytes."""
    line = 0
    readline = stream.readline
    while raw := readline(limit):
        line += 1
        if len(raw) < limit or raw.endswith(b"\n"):
            yield line, raw
            continue
        while (raw := readline(limit)) and not raw.endswith(b"\n"):
            pass
        yield line, None


def lenient(raw: bytes | Raw, kind: type[R]) -> R:
    """Decode one object, leaving out whatever in it has the wrong type (all of it, at worst).

    Every field of `kind` needs a default.
    """
    try:
        value = _lenient(raw, kind)
    except UNREADABLE:
        return kind()
    return value if isinstance(value, kind) else kind()


_fields = cache(msgspec.structs.fields)
"""As msgspec has them: it finds out anew each time, which took a third of a look at many files."""


def _lenient(raw: bytes | Raw, kind: Any) -> Any:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError:
        if isinstance(kind, type) and issubclass(kind, Struct):
            parts = msgspec.json.decode(raw, type=dict[str, Raw])
            there = (f for f in _fields(kind) if f.encode_name in parts)
            return kind(
                **{f.name: good for f in there for good in _good(parts[f.encode_name], f.type)}
            )
        if get_origin(kind) in {Union, UnionType}:
            arms = (arm for arm in get_args(kind) if arm is not type(None))
            for good in (good for arm in arms for good in _good(raw, arm)):
                return good
        if get_origin(kind) is tuple:
            items = msgspec.json.decode(raw, type=list[Raw])
            return tuple(good for item in items for good in _good(item, get_args(kind)[0]))
        raise


def _good(raw: bytes | Raw, kind: Any) -> list[Any]:
    """The value in a list, or an empty list."""
    try:
        return [_lenient(raw, kind)]
    except UNREADABLE:
        return []


_LAX: Final = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def _objects(text: str, mark: str) -> tuple[list[Any], str]:
    """The JSON values that stand in `text` one after the other, and what kept the rest from
    being read: "" (nothing), "not-json" or "too-deep".
    """
    found: list[Any] = []
    at = 0
    while at < len(text):
        try:
            value, at = _LAX.raw_decode(text, at)
        except RecursionError:
            return found, "too-deep"
        except ValueError:
            tail = _whole_tail(text, at, mark)
            return ([*found, tail] if tail else found), "not-json"
        found.append(value)
        while at < len(text) and text[at].isspace():
            at += 1
    return found, ""


def _whole_tail(text: str, start: int, mark: str) -> dict[str, Any] | None:
    """The record that was appended to a torn one, if the text ends in a whole one."""
    at = start
    for _ in range(_CANDIDATES):
        at = text.find('{"', at + 1)
        if at < 0:
            return None
        try:
            value, end = _LAX.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        if end == len(text) and isinstance(value, dict) and mark in value:
            return value
    return None


def mapped(value: Any, change: Callable[[str], str], *, names: bool = True) -> Any:
    """The same builtins with every string changed; those that name the values only with `names`."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        name_of = change if names else str
        return {
            name_of(str(name)): mapped(each, change, names=names) for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [mapped(each, change, names=names) for each in value]
    return value
