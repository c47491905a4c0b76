"""How full the context is, from the end of a transcript.

Hooks ask at every turn, so nothing dear is imported. No payload of a hook carries these figures.
"""

from __future__ import annotations

from onward.transcripts import plain_json

TAIL = 256 * 1024
"""Bytes of a transcript's end that are enough: after a reply of two words the client writes
records of up to 200 KB of its own (measured, 2.1.330).
"""
_DEFAULT = 200_000
_LARGE = 1_000_000
# Measured with 2.1.330 (`modelUsage.contextWindow`). 2.1.197 gives some of them 200,000 when
# they are named in full; sessions of it with more than that were seen all the same.
_LARGE_MODELS = (
    "claude-opus-5",
    "claude-opus-4-8",
    "claude-opus-4-7",
    "claude-sonnet-5",
    "claude-haiku-5",
    "claude-fable-5",
    "claude-mythos-5",
)
_COUNTS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


def used(tail: bytes) -> tuple[int, str]:
    """Tokens of the last reply of the main thread and its model, from the last bytes of a
    transcript; (0, "") where they do not tell, or where a compaction came after it.

    The model is the one asked for where the client says it (2.1.330: `requestedModel`), as
    only that one carries the `[1m]` of a large window.
    """
    end = len(tail)
    while end > 0:
        start = tail.rfind(b"\n", 0, end) + 1
        line = tail[start:end]
        end = start - 1
        told = b'"type":"assistant"' in line or b'"compact_boundary"' in line
        if not told or b'"type":"progress"' in line:  # what a helper does, repeated
            continue
        record = _decode(line)
        if record.get("subtype") == "compact_boundary":
            return 0, ""
        found = _counted(record)
        if found[0]:
            return found
    return 0, ""


def window(model: str, setting: int) -> int:
    """How many tokens the model's context holds; `setting`, if above 0, is the user's word."""
    if setting > 0:
        return setting
    large = model.endswith("[1m]") or model.startswith(_LARGE_MODELS)
    return _LARGE if large else _DEFAULT


def _counted(record: dict[str, object]) -> tuple[int, str]:
    message = record.get("message")
    if record.get("type") != "assistant" or record.get("isSidechain") is True:
        return 0, ""
    if not isinstance(message, dict) or message.get("model") == "<synthetic>":
        return 0, ""
    usage = message.get("usage")
    counts = [usage.get(key) for key in _COUNTS] if isinstance(usage, dict) else []
    tokens = sum(count for count in counts if isinstance(count, int) and count > 0)
    model = record.get("requestedModel") or message.get("model")
    return tokens, model if isinstance(model, str) else ""


def _decode(line: bytes) -> dict[str, object]:
    """One record; {} for a torn line."""
    try:
        found, _ = plain_json.value(line.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
