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
from msgspec.structs import replace

from onward.model import Event
from onward.redaction import Redactor
from onward.transcripts import registry
from onward.transcripts.registry import Transcript

_AT_ONCE = 200
"""Events whose texts are searched together."""


def open_transcript(path: Path, redactor: Redactor) -> tuple[Transcript, Iterator[Event]]:
    """A transcript and its events, without secrets. Raises as `registry.open_transcript`."""
    opened = registry.open_transcript(path)
    return opened, hidden(opened, redactor)


def hidden(events: Iterable[Event], redactor: Redactor) -> Iterator[Event]:
    """The same events with a mark in the place of each secret."""
    rest = iter(events)
    while some := list(islice(rest, _AT_ONCE)):
        texts = [list(_texts(event)) for event in some]
        clean = iter(redactor.hide_each([text for each in texts for text in each]))
        for event, before in zip(some, texts, strict=True):
            after = list(islice(clean, len(before)))
            yield event if after == before else _with(event, iter(after))


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


def _with(value: Any, texts: Iterator[str]) -> Any:
    """The same with those texts in the places of its own, in the order of `_texts`."""
    if isinstance(value, str):
        return next(texts)
    if isinstance(value, tuple):
        return tuple(_with(each, texts) for each in value)
    if isinstance(value, msgspec.Struct):
        changed = {name: _with(getattr(value, name), texts) for name in value.__struct_fields__}
        return replace(value, **changed)
    return value
