"""One record as a user would read it, for `onward show`. Raw text."""

from __future__ import annotations

import json
from typing import Any

from onward.transcripts.shown import Shown, fields, shown
from onward.transcripts.tokens import strings


def render(raw: bytes | None) -> Shown:
    """The record of one line: who, when, and what was said or done."""
    return shown(raw, _record)


def _record(record: dict[str, Any]) -> Shown:
    head = " · ".join(
        str(record[key]) for key in ("type", "subtype", "timestamp") if record.get(key)
    )
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else record.get("content")
    parts = [_block(block) for block in content] if isinstance(content, list) else [content or ""]
    extra = record.get("toolUseResult")
    if isinstance(extra, dict):
        parts += [_output(extra)]
    if record.get("type") == "attachment" and not any(parts):
        parts = [*strings((record.get("attachment") or {}).get("prompt"))]  # typed meanwhile
    inner = not any(parts)
    if inner:
        rest = {k: v for k, v in record.items() if k not in {"uuid", "parentUuid", "sessionId"}}
        parts = [json.dumps(rest, ensure_ascii=False, indent=2)]
    return Shown(head, "\n".join(str(part) for part in parts if part), inner)


def _block(block: Any) -> str:
    if not isinstance(block, dict):
        return str(block)
    kind = block.get("type")
    if kind == "tool_use":
        given = block.get("input")
        said = fields(given) if isinstance(given, dict) else str(given)
        return f"→ {block.get('name')}\n{said}"
    if kind == "tool_result":
        content = block.get("content")
        text = "\n".join(_block(one) for one in content) if isinstance(content, list) else content
        return f"{'✗' if block.get('is_error') else '✓'} result\n{text or '(no output)'}"
    if kind in {"image", "document"}:
        return f"[{kind}]"
    return str(block.get("text") or block.get("thinking") or "")


def _output(extra: dict[str, Any]) -> str:
    """What the client noted beside a result and the agent was not shown: the patch."""
    patch = extra.get("structuredPatch")
    hunks = [hunk for hunk in patch if isinstance(hunk, dict)] if isinstance(patch, list) else []
    return "\n".join(
        f"@@ line {hunk.get('newStart')} @@\n" + "\n".join(map(str, hunk.get("lines") or ()))
        for hunk in hunks
    )
