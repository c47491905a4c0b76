"""The clients that can be installed into."""

from __future__ import annotations

from collections.abc import Mapping

from onward.clients.claude_code import ClaudeCode
from onward.clients.codex import Codex
from onward.clients.target import Target

Client = type[Target]
DEFAULT: Client = ClaudeCode
ALL: tuple[Client, ...] = (DEFAULT, Codex)
OTHERS: Mapping[str, Client] = {client.OPTION: client for client in ALL if client.OPTION}
"""Those that an option of the command line chooses."""
