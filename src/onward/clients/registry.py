"""The clients that can be installed into, in the order of `transcripts.registry.AGENTS`."""

from __future__ import annotations

from collections.abc import Mapping

from onward.clients.claude_code import ClaudeCode
from onward.clients.codex import Codex
from onward.clients.own_files import Copilot, Opencode
from onward.clients.target import Target
from onward.transcripts.agents import AGENTS

Client = type[Target]
ALL: tuple[Client, ...] = (ClaudeCode, Codex, Opencode, Copilot)
DEFAULT: Client = ALL[0]
OTHERS: Mapping[str, Client] = {client.OPTION: client for client in ALL if client.OPTION}
"""Those that an option of the command line chooses."""
INSIDE = (
    *(agent.VARIABLE for agent in AGENTS),
    *(name for client in ALL for name in client.INSIDE),
)
"""Variables that say "inside a session": a client called from one would take itself for a part."""
