"""Our slash commands, by name: the hooks and the distillation know them by this one list.

Hooks import this at once, so it imports nothing.
"""

from __future__ import annotations

SAVES = (
    "document-and-save",
    "document-and-save-to",
    "save-session-protocol",
    "sessions-list",
    "discard-backup",
)
LOADS = ("resume-latest", "resume-from", "load-session-protocol")
COMMANDS = (*SAVES, *LOADS, "checkpoint")
_PLUGIN = "onward:"


def is_ours(prompt: str) -> bool:
    """Whether a prompt is one of our commands, of a project or (`/onward:…`) of the plugin."""
    return _words(prompt)[0] in COMMANDS


def is_load(prompt: str) -> bool:
    """Whether it is one that takes a saved place up."""
    name, mode = _words(prompt)
    return name in LOADS or (name == "checkpoint" and mode == "resume")


def _words(prompt: str) -> tuple[str, str]:
    """The name of the command that a prompt begins with, "" for none, and the word after it."""
    first, mode, *_ = [*prompt.split(None, 2), "", ""]
    return first[1:].removeprefix(_PLUGIN) if first.startswith("/") else "", mode
