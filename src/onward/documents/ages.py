"""Ages as people say them. Hooks import it, so it imports nothing."""

from __future__ import annotations

_UNITS = ((86400, "day", "d"), (3600, "hour", "h"), (60, "minute", "m"))
LONGEST = "less than a minute"  # no age has more characters, up to some hundred thousand years


def age(seconds: float) -> str:
    """How long ago, in words: `3 days`, `1 hour`, `less than a minute`."""
    for size, word, _ in _UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {word}{'s' if count > 1 else ''}"
    return LONGEST


def short_age(seconds: float) -> str:
    """How long ago, in brief: `2d`, `5h`, `12m`, `0m`."""
    for size, _, letter in _UNITS:
        if seconds >= size:
            return f"{int(seconds // size)}{letter}"
    return "0m"
