"""The clients that can be installed into: of each that is registered the module of its name here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from onward.clients.target import Target
from onward.transcripts.agents import AGENTS

Client = type[Target]
ALL: tuple[Client, ...] = tuple(
    import_module(f"onward.clients.{agent.NAME.replace('-', '_')}").TARGET for agent in AGENTS
)
DEFAULT: Client = ALL[0]
OTHERS: Mapping[str, Client] = {client.OPTION: client for client in ALL if client.OPTION}
"""Those that an option of the command line chooses."""
INSIDE = (
    *(agent.VARIABLE for agent in AGENTS),
    *(name for client in ALL for name in client.INSIDE),
)
"""Variables that say "inside a session": a client called from one would take itself for a part."""
