"""Words that several of these verbs use."""

from __future__ import annotations


def count(number: int, what: str) -> str:
    """`1 record`, `2 records`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
