"""How full the context is, from the end of a transcript.

The client counts itself: after each answer it writes the tokens of that request and the size of
the model's context. Hooks ask at every turn, so nothing dear is imported.
"""

from __future__ import annotations

from onward.transcripts import plain_json

_SIGNS = (b'"token_count"', b'"compacted"')


def used(tail: bytes) -> tuple[int, int]:
    """Tokens of the last answer and those of the context, from the last bytes of a transcript;
    (0, 0) where they do not tell, or where a compaction came after it.
    """
    if _SIGNS[0] not in tail:  # another client's
        return 0, 0
    end = len(tail)
    while end > 0:
        start = tail.rfind(b"\n", 0, end) + 1
        line = tail[start:end]
        end = start - 1
        if any(sign in line for sign in _SIGNS):
            record = _decode(line)
            if record.get("type") == "compacted":
                return 0, 0
            info = _at(record, "payload", "info")
            found = (_number(info, "last_token_usage", "total_tokens"), _size(info))
            if all(found):
                return found
    return 0, 0


def _size(info: object) -> int:
    return _number(info, "model_context_window")


def _number(found: object, *keys: str) -> int:
    value = _at(found, *keys)
    return value if isinstance(value, int) and value > 0 else 0


def _at(found: object, *keys: str) -> object:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _decode(line: bytes) -> dict[str, object]:
    """One record; {} for a torn line."""
    try:
        found, _ = plain_json.value(line.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
