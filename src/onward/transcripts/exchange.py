"""Whether a session was more than a word and its answer. Light: a hook asks at every end."""

from __future__ import annotations

from onward.transcripts.claude_code import exchange as claude_code
from onward.transcripts.codex import exchange as codex


def is_trivial(transcript: bytes) -> bool:
    """Whether there is one message of the agent at most, and neither an edit nor a command."""
    if codex.is_rollout(transcript):
        return codex.is_trivial(transcript)
    return claude_code.is_trivial(transcript)
