"""Whether a session was more than a word and its answer, by its bytes alone.

The end of a session has no time to decode them. `commands.source` tells the same by its events.
"""

from __future__ import annotations

# The tools of `calls` that change something or run something.
_ACTS = tuple(
    f'"name":"{name}"'.encode()
    for name in (
        "Agent",
        "Bash",
        "Edit",
        "ExitPlanMode",
        "MultiEdit",
        "NotebookEdit",
        "PowerShell",
        "Task",
        "Write",
        "exit_plan_mode",
    )
)
_OURS = b'"command":"onward '
_NOT_SAID = (b'"isSidechain":true', b'"isApiErrorMessage":true', b'"type":"progress"')


def is_trivial(transcript: bytes) -> bool:
    """Whether there is one message of the agent at most, and neither an edit nor a command."""
    said: set[bytes] = set()
    # A quotation mark within a text has a backslash before it: what is found here are fields.
    for line in transcript.replace(b'": ', b'":').split(b"\n"):
        if b'"type":"assistant"' not in line or any(sign in line for sign in _NOT_SAID):
            continue
        is_call = b'"type":"tool_use"' in line and _OURS not in line
        if is_call and any(act in line for act in _ACTS):
            return False
        if b'"type":"text"' in line:
            said.add(_message(line))
    return len(said) <= 1


def _message(line: bytes) -> bytes:
    """The id of the message that a record is a part of; without one, the record itself."""
    _, found, rest = line.partition(b'"id":"msg_')
    return rest.partition(b'"')[0] if found else line
