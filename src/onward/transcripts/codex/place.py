"""One line as a user would read it, for `onward show`. Raw text."""

from __future__ import annotations

import json
from typing import Any, Final

from onward.transcripts.shown import fields, shown

_SKIPPED: Final = frozenset(
    {
        "encrypted_content",
        "base_instructions",
        "replacement_history",
        "replacement_history_metadata",
        "internal_chat_message_metadata_passthrough",
        "metadata",
    }
)
"""What nobody can read, or what repeats pages that stand elsewhere."""


def render(raw: bytes | None) -> str:
    """The line: when, what kind, and what was said or done."""
    return shown(raw, _record)


def _record(record: dict[str, Any]) -> str:
    body = record.get("payload")
    body = body if isinstance(body, dict) else record
    item = body.get("item")
    kinds = (record.get("type"), body.get("type"), body.get("role"), record.get("timestamp"))
    head = " · ".join(dict.fromkeys(str(kind) for kind in kinds if kind))
    return f"{head}\n{_said(item if isinstance(item, dict) else body)}"


def _said(body: dict[str, Any]) -> str:
    if body.get("name") and ("arguments" in body or "input" in body):
        return f"→ {body['name']}\n{_given(body.get('arguments', body.get('input')))}"
    if "output" in body:
        return f"✓ result\n{_text(body['output'])}"
    for key in ("message", "content", "text", "last_agent_message"):
        if text := _text(body.get(key)):
            return text
    rest = {
        key: value for key, value in body.items() if key not in {*_SKIPPED, "type", "timestamp"}
    }
    return json.dumps(rest, ensure_ascii=False, indent=2)


def _given(value: Any) -> str:
    """An input: fields of a text that is JSON, each on its line, or the text."""
    try:
        given = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        given = None
    return fields(given) if isinstance(given, dict) else str(value)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(_piece(piece) for piece in value)
    return value if isinstance(value, str) else ""


def _piece(piece: Any) -> str:
    if not isinstance(piece, dict):
        return str(piece)
    return str(piece.get("text") or f"[{str(piece.get('type', 'part')).removeprefix('input_')}]")
