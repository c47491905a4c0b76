"""For a search, whose file it is and what its lines say."""

from __future__ import annotations

from onward.search.record import Record
from onward.transcripts.agents import AGENTS as CLIENTS
from onward.transcripts.agents import Agent as Client

__all__ = ["CLIENTS", "Client", "client_of", "records"]


def client_of(head: bytes) -> Client | None:
    """Whose transcript it is, by its beginning."""
    return next((client for client in CLIENTS if client.reader.knows(head)), None)


def records(client: Client, raw: bytes) -> list[Record]:
    """The records of a line. Raises ValueError where it cannot be read."""
    return [*client.reader.heard(raw)]
