"""For a search, whose file it is and what its lines say; without what reading a whole
transcript needs, so that it starts quickly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from onward.decode import UNREADABLE
from onward.search.record import Record
from onward.transcripts.agent import Agent as Client
from onward.transcripts.registry import AGENTS as CLIENTS

__all__ = ["CLIENTS", "Client", "client_of", "paths_in", "records", "strings"]

_WORDS: Final = re.compile(r"[^\s'\"`=;|&()<>,:]+")
_PATH: Final = re.compile(r"[/\\]|\w\.\w")


def client_of(head: bytes) -> Client | None:
    """Whose transcript it is, by its beginning."""
    return next((client for client in CLIENTS if client.listener.knows(head)), None)


def records(client: Client, raw: bytes) -> list[Record]:
    """The records of a line. Raises ValueError where it cannot be read."""
    try:
        line = msgspec.json.decode(raw)
    except UNREADABLE:
        line = _fixed(raw)
    return [*client.listener.heard(line, raw)] if isinstance(line, dict) else []


def _fixed(raw: bytes) -> Any:
    try:
        return json.loads(raw.replace(b"\0", b"").decode(errors="replace"), strict=False)
    except RecursionError as error:
        raise ValueError("too deep") from error


def strings(value: Any, key: str = "") -> Iterator[str]:
    """Every string in it, in order; with `key`, of the objects in it only that field's."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)
    elif isinstance(value, dict):
        for name, each in value.items():
            if not key or name == key:
                yield from strings(each, key)


def paths_in(command: str) -> Iterator[str]:
    """The words of a command that look like files."""
    return (word for word in _WORDS.findall(command) if _PATH.search(word))
