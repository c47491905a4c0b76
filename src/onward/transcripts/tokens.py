"""The texts in a value of a client's, and the paths in a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_WORDS = re.compile(r"[^\s'\"`=;|&()<>,:]+")
_PATH = re.compile(r"[/\\]|\w\.\w")


def strings(value: Any, key: str = "") -> Iterator[str]:
    """Every string in it, in order; with `key`, of the objects in it only that field's."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)
    elif isinstance(value, dict):
        for name, each in value.items():
            if not key or name == key:
                yield from strings(each, key)


def paths_in(command: str) -> Iterator[str]:
    """The words of a command that look like files."""
    return (word for word in _WORDS.findall(command) if _PATH.search(word))
