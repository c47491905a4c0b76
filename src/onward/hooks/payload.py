"""Hooks: what a client hands over."""

from __future__ import annotations

from onward.transcripts import plain_json


def decode(data: bytes) -> dict[str, object]:
    """The object that `data` holds. Raises ValueError where it is none."""
    text = data.decode("utf-8", "replace").strip()
    found, end = plain_json.value(text)
    if end != len(text) or not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found
