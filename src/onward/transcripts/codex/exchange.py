"""Whether a session was more than a word and its answer, by its bytes alone.

The end of a session has no time to decode them: this client allows it three seconds.
"""

from __future__ import annotations

# What runs or edits something, by the names of all generations.
_ACTS = tuple(
    f'"name":"{name}"'.encode()
    for name in ("apply_patch", "container.exec", "exec", "exec_command", "shell", "shell_command")
)
_CALLS = (b'"type":"function_call"', b'"type":"custom_tool_call"')
_LOCAL = b'"type":"local_shell_call"'
_OURS = b'\\"onward '
"""A command of ours; the arguments are JSON within a text."""


def is_rollout(transcript: bytes) -> bool:
    """Whether a transcript is this client's, by its first line; of a release that calls hooks."""
    return b'"type":"session_meta"' in _tight(transcript[:400])


def is_trivial(transcript: bytes) -> bool:
    """Whether there is one message of the agent at most, and neither an edit nor a command."""
    said = 0
    # A quotation mark within a text has a backslash before it: what is found here are fields.
    for line in _tight(transcript).split(b"\n"):
        if b'"type":"message"' in line and b'"role":"assistant"' in line:
            said += 1
        elif _LOCAL in line or (_calls(line) and _OURS not in line):
            return False
    return said <= 1


def _calls(line: bytes) -> bool:
    return any(call in line for call in _CALLS) and any(act in line for act in _ACTS)


def _tight(transcript: bytes) -> bytes:
    return transcript.replace(b'": ', b'":')
