"""How full the context of a session is. Light: a hook asks at every turn."""

from __future__ import annotations

from onward.transcripts.claude_code import usage as claude_code
from onward.transcripts.codex import usage as codex

TAIL = claude_code.TAIL


def used(tail: bytes) -> tuple[int, str]:
    """Tokens of the last answer, and the model; in the model's place the size of its context
    where the client writes that down. (0, "") where the last bytes of a transcript do not tell.
    """
    tokens, size = codex.used(tail)
    return (tokens, str(size)) if tokens else claude_code.used(tail)


def window(model: str, setting: int) -> int:
    """How many tokens the context holds; `setting`, if above 0, is the user's word. `model` is
    as `used` gives it.
    """
    if model.isdecimal() and setting <= 0:
        return int(model)
    return claude_code.window(model, setting)
