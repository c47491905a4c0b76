"""Install, Codex: which hooks are registered, and the command string of each.

Measured with 0.169.0: a command is run by the user's shell with `-c` in the folder where the
session began, which may be below the project's root; `$PPID` there is the client; no variable
names the project. Trust is a hash over the command, kept under the file and the place in it: a
command or an order that changed would be dead, in silence, until the user reviewed it again.
So neither changes from one release to the next without need.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Registration = Literal["project", "user"]


class Hook(NamedTuple):
    """One registration: the client's `event`, our word `kind` for it, and the limit in seconds
    that the client is told. It allows a session's end no more than 3.
    """

    event: str
    kind: str
    timeout: int


# A compaction's end has no entry of its own: it begins the session anew, with that source.
HOOKS = (
    Hook("SessionStart", "start", 10),
    Hook("UserPromptSubmit", "prompt", 5),
    Hook("PreCompact", "compact", 30),
    Hook("Stop", "turn", 5),
    Hook("SessionEnd", "end", 3),
)
SHIM = "onward-codex.sh"

FOLDERS: Mapping[Registration, str] = {
    "project": '"$(git rev-parse --show-toplevel 2>/dev/null || pwd)"/.codex/hooks',
    "user": '"${CODEX_HOME:-$HOME/.codex}"/hooks',
}


def command(hook: Hook, registration: Registration) -> str:
    """The command string. It ends well and prints nothing whatever becomes of the shim, also where
    no process can be started, and holds for the user's shell only what fish takes as well: there
    `$PPID` is empty, and the process unknown.
    """
    return f"trap 'exit 0' EXIT; {_untrapped(hook, registration)}"


def older(hook: Hook, registration: Registration) -> tuple[str, ...]:
    """The command strings that a release registered before, which installing replaces."""
    return (_untrapped(hook, registration),)


def _untrapped(hook: Hook, registration: Registration) -> str:
    inner = f'exec sh {FOLDERS[registration]}/{SHIM} {hook.kind} "$1"'
    return f"""sh -c '{inner}' onward "$PPID" 2>/dev/null || true"""
