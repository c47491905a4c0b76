"""Times of records."""

from __future__ import annotations

from datetime import datetime
from typing import Any


def seconds(text: Any) -> float | None:
    """Seconds since the epoch of an ISO 8601 time; None for anything else."""
    if not isinstance(text, str) or not text:
        return None
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return None
