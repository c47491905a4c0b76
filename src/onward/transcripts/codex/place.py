"""One line as a user would read it, for `onward show`. Raw text."""

from __future__ import annotations

import json
from typing import Any, Final

from onward.transcripts.shown import Shown, fields, shown

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
_SAYING: Final = ("message", "content", "text", "summary", "last_agent_message")


def render(raw: bytes | None) -> Shown:
    """The line: when, what kind, and what was said or done."""
    return shown(raw, _record)


def _record(record: dict[str, Any]) -> Shown:
    body = record.get("payload")
    body = body if isinstance(body, dict) else record
    item = body.get("item")
    kinds = (record.get("type"), body.get("type"), body.get("role"), record.get("timestamp"))
    head = " · ".join(dict.fromkeys(str(kind) for kind in kinds if kind))
    body = item if isinstance(item, dict) else body
    if said := _said(body):
        return Shown(head, said)
    rest = {
        key: value for key, value in body.items() if key not in {*_SKIPPED, "type", "timestamp"}
    }
    return Shown(head, json.dumps(rest, ensure_ascii=False, indent=2), inner=True)


def _said(body: dict[str, Any]) -> str:
    if body.get("name") and ("arguments" in body or "input" in body):
        return f"→ {body['name']}\n{_given(body.get('arguments', body.get('input')))}"
    if "output" in body:
        return f"✓ result\n{_text(body['output']) or '(no output)'}"
    texts = (_text(body.get(key)) for key in _SAYING)
    return next(filter(None, texts), "")


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
