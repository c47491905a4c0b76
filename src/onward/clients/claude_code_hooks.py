"""Install, Claude Code: which hooks are registered, and the command string of each.

A command is run by `/bin/sh -c` (measured), where a missing file, a syntax error or a usage
error ends with 2, which erases the user's prompt. So each string ends with status 0 and
an empty stdout whatever becomes of the file that it names, and lets another file leave a line
in our log. Where not even a process can be started, the shell itself ends with 2 before it comes to
`|| true`: the trap turns that into 0. It is short, since the client shows it: to reviewers of the settings, on the screen
and, at `/compact`, to the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Registration = Literal["project", "user", "plugin"]


class Hook(NamedTuple):
    """One registration: the client's `event`, whose calls `matcher` narrows ("": all), our
    word `kind` for it, the shim in the hooks folder, and the limit in seconds that the client
    is told (without one, 2.1.330 kills what runs at a session's end after 1.5 s).
    """

    event: str
    matcher: str
    kind: str
    shim: str
    timeout: int


# Only events that 2.1.197 knows: 2.1.330 stops with a warning at every start for one it does not.
HOOKS = (
    Hook("SessionStart", "", "start", "on-session-start.sh", 10),
    Hook("SessionStart", "compact", "compacted", "on-session-start-compact.sh", 20),
    Hook("SessionEnd", "", "end", "on-session-end.sh", 30),
    Hook("PreCompact", "", "compact", "on-pre-compact.sh", 30),
    Hook("UserPromptSubmit", "", "prompt", "on-user-prompt-submit.sh", 5),
    Hook("Stop", "", "turn", "on-stop.sh", 5),
    Hook("PreToolUse", "Bash", "tool", "on-pre-tool-use.sh", 5),
)
LOG = "onward-log.sh"  # what tells of a shim that failed

# The shell expands these: the client substitutes nothing in a command of this form (measured).
FOLDERS: Mapping[Registration, str] = {
    "project": '"$CLAUDE_PROJECT_DIR"/.claude/hooks',
    "user": '"${CLAUDE_CONFIG_DIR:-$HOME/.claude}"/hooks',
    "plugin": '"${CLAUDE_PLUGIN_ROOT}"/hooks',
}


def command(hook: Hook, registration: Registration) -> str:
    """The command string. 2.1.197 does not tell its process id: there the shell's parent is it."""
    return f"trap 'exit 0' 0; {_untrapped(hook, registration)}"


def _untrapped(hook: Hook, registration: Registration) -> str:
    folder = FOLDERS[registration]
    return (
        f'sh {folder}/{hook.shim} "${{CLAUDE_PID:-$PPID}}" 2>/dev/null'
        f" || sh {folder}/{LOG} {hook.shim} failed 2>/dev/null || true"
    )


def older(hook: Hook, registration: Registration) -> tuple[str, ...]:
    """The command strings that a release registered before, which installing replaces."""
    return (_untrapped(hook, registration),)
