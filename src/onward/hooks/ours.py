"""Hooks: the slash commands that onward brings along."""

from __future__ import annotations

_COMMANDS = (
    "checkpoint",
    "discard-backup",
    "document-and-save",
    "document-and-save-to",
    "load-session-protocol",
    "resume-from",
    "resume-latest",
    "save-session-protocol",
    "sessions-list",
)


def is_command(prompt: str) -> bool:
    """Whether a prompt is one of our commands, of a project or (`/onward:…`) of the plugin."""
    first = (prompt.split(None, 1) or [""])[0]
    return first.startswith("/") and first[1:].removeprefix("onward:") in _COMMANDS
