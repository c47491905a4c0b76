"""A transcript opened for distilling: secrets go out of its events before anything is cut.

What shortens a text or takes a command apart would leave pieces of a secret, or a password
without the word before it, which no rule knows any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from onward.agents import registry
from onward.agents.registry import Transcript
from onward.model import Event
from onward.redact import Redactor

_AT_ONCE = 200
"""Events that are searched in one go; few hold anything, and a search has its price."""


def open_transcript(path: Path, redactor: Redactor) -> tuple[Transcript, Iterator[Event]]:
    """A transcript and its events, without secrets. Raises as `registry.open_transcript`."""
    opened = registry.open_transcript(path)
    return opened, hidden(opened, redactor)


def hidden(events: Iterable[Event], redactor: Redactor) -> Iterator[Event]:
    """The same events with a mark in the place of each secret."""
    rest = iter(events)
    while some := list(islice(rest, _AT_ONCE)):
        whole = "\n".join(text for event in some for text in _texts(event))
        if redactor.hide(whole) == whole:
            yield from some
        else:
            yield from (_without(event, redactor) for event in some)


def _texts(value: Any) -> Iterator[str]:
    """Every string in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name))


def _without(value: Any, redactor: Redactor) -> Any:
    if isinstance(value, str):
        return redactor.hide(value)
    if isinstance(value, tuple):
        return tuple(_without(each, redactor) for each in value)
    if isinstance(value, msgspec.Struct):
        changed = {
            name: new
            for name in value.__struct_fields__
            if (new := _without(old := getattr(value, name), redactor)) != old
        }
        return msgspec.structs.replace(value, **changed) if changed else value
    return value
