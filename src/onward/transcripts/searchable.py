"""For a search, whose file it is and what its lines say."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from onward.decode import LOST, UNREADABLE, Problem, Records
from onward.search.record import Record
from onward.transcripts.agent import Agent as Client
from onward.transcripts.registry import AGENTS as CLIENTS

__all__ = ["CLIENTS", "Client", "client_of", "decoded", "paths_in", "read", "records", "strings"]

R = TypeVar("R", bound=Struct)

_WORDS: Final = re.compile(r"[^\s'\"`=;|&()<>,:]+")
_PATH: Final = re.compile(r"[/\\]|\w\.\w")


def client_of(head: bytes) -> Client | None:
    """Whose transcript it is, by its beginning."""
    return next((client for client in CLIENTS if client.listener.knows(head)), None)


def named(name: str) -> Client:
    """The client with this name."""
    return next(client for client in CLIENTS if name == client.NAME)


def records(client: Client, raw: bytes) -> list[Record]:
    """The records of a line. Raises ValueError where it cannot be read."""
    return [*client.listener.heard(raw)]


def read(raw: bytes, kind: type[R], mark: str) -> list[R]:
    """What a line holds, as `decode.Records` has it. Raises ValueError where it cannot be read."""
    try:
        return [_decoder(kind).decode(raw)]
    except UNREADABLE:
        faults: list[Problem] = []
        lines = Records(kind, faults.append, mark).read(io.BytesIO(raw))
        found = [record for _, record in lines]
    kinds = {fault.kind for fault in faults} & LOST
    if kinds - {"not-object"} and not found:
        raise ValueError(kinds.pop())
    return found


@cache
def _decoder(kind: type[R]) -> msgspec.json.Decoder[R]:
    return msgspec.json.Decoder(kind)


def decoded(raw: bytes | str | msgspec.Raw, other: Any) -> Any:
    """What JSON holds; `other` for what is none."""
    try:
        return msgspec.json.decode(raw)
    except UNREADABLE:
        return other


def strings(value: Any) -> Iterator[str]:
    """Every text in a value of a client's, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)


def paths_in(command: str) -> Iterator[str]:
    """The words of a command that look like files."""
    return (word for word in _WORDS.findall(command) if _PATH.search(word))
