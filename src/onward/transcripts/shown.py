"""A line of a transcript as a user would read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

_LONG = "[a line too long to show]"


class Shown(NamedTuple):
    """A line, raw. `inner` where nothing was said or done in it: `text` is then its fields."""

    head: str
    """What kind of record it is, and when it was written."""
    text: str
    inner: bool = False


def shown(raw: bytes | None, render: Callable[[dict[str, Any]], Shown]) -> Shown:
    """What `render` makes of the record that a line holds; the line itself where it holds none.
    None stands for one that is too long to be read.
    """
    if not raw:
        return Shown("", _LONG)
    text = raw.decode(errors="replace").strip()
    try:
        record = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return Shown("", text, not text)
    if not isinstance(record, dict):
        return Shown("", text, not text)
    made = render(record)
    return made._replace(text=made.text.rstrip())


def fields(given: dict[str, Any]) -> str:
    """An input, each field on its line."""
    return "\n".join(
        f"  {key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in given.items()
    )
