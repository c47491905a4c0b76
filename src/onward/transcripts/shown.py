"""A line of a transcript as a user would read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

_LONG = "[a line too long to show]\n"


def shown(raw: bytes | None, render: Callable[[dict[str, Any]], str]) -> str:
    """What `render` makes of the record that a line holds; the line itself where it holds none.
    None stands for one that is too long to be read.
    """
    if not raw:
        return _LONG
    text = raw.decode(errors="replace").strip()
    try:
        record = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text
    return f"{render(record).rstrip()}\n" if isinstance(record, dict) else text


def fields(given: dict[str, Any]) -> str:
    """An input, each field on its line."""
    return "\n".join(
        f"  {key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in given.items()
    )
