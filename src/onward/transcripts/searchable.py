"""For a search, whose file it is and what its lines say; without what reading a whole
transcript needs, so that it starts quickly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec

from onward.decode import UNREADABLE
from onward.search.record import Facts, Record
from onward.transcripts.claude_code import searchable as claude_code
from onward.transcripts.codex import searchable as codex


class Client(Protocol):
    """What every client's room offers to a search."""

    @property
    def NAME(self) -> str:  # noqa: N802 - a constant of a module
        """As `Agent.name`."""

    def files(self, home: Path, env: Mapping[str, str], faults: list[OSError]) -> Iterator[Path]:
        """All of its transcripts on this machine; what cannot be looked into goes to `faults`."""

    def knows(self, head: bytes) -> bool:
        """Whether a file that begins so is this client's."""

    def facts(self, head: bytes) -> Facts:
        """What the beginning of a file tells of all its records."""

    def heard(self, line: dict[str, Any], raw: bytes) -> Iterator[Record]:
        """What a line says, which is given decoded and as it stands in the file."""


CLIENTS: tuple[Client, ...] = (claude_code, codex)


def client_of(head: bytes) -> Client | None:
    """Whose transcript it is, by its beginning."""
    return next((client for client in CLIENTS if client.knows(head)), None)


def named(name: str) -> Client:
    """The client with this name."""
    return next(client for client in CLIENTS if name == client.NAME)


def records(client: Client, raw: bytes) -> list[Record]:
    """The records of a line. Raises ValueError where it cannot be read."""
    try:
        line = msgspec.json.decode(raw)
    except UNREADABLE:
        line = _fixed(raw)
    return [*client.heard(line, raw)] if isinstance(line, dict) else []


def _fixed(raw: bytes) -> Any:
    try:
        return json.loads(raw.replace(b"\0", b"").decode(errors="replace"), strict=False)
    except RecursionError as error:
        raise ValueError("too deep") from error
