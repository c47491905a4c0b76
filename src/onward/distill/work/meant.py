"""Distil: what the agent said that it does to a file, in the words right before its edits."""

from __future__ import annotations

import re

from msgspec import Struct, field

from onward.distill.said.manner import weight
from onward.distill.said.message import unlisted
from onward.distill.text import one_line, sentences, shorten, unfenced, words
from onward.model import Delegated, Event, Prompt, Ran, Reply, Searched

_LIMIT = 160
"""Characters of what is kept of a message."""
_NEAR = 3
"""Sentences of a message that may speak of the act after it."""
_LONG_STEM = 6
"""Letters of a file's name by which it is known without its ending."""
_FILES = 4
"""Files that one message speaks of at most: what comes later was changed without a word."""
_TELLS = 2
"""Words that have to say something beside the file's own name."""
_ENOUGH = 6
"""Words beyond which one message tells as much as another."""
_MOST = 2
"""Messages that are kept of a file."""


class _Words(Struct):
    """The last sentences of a message, the files looked at since, and those changed."""

    said: list[str]
    looked: set[str] = field(default_factory=set[str])
    changed: set[str] = field(default_factory=set[str])


class Meant:
    """Knows the agent's last words of each thread as long as no other act came after them."""

    def __init__(self) -> None:
        self._said: dict[str, _Words] = {}

    def see(self, event: Event) -> None:
        """Take note of words, before the acts that they may speak of."""
        if isinstance(event, Reply):
            self._said[event.thread] = _Words(_sentences(event.text))
        elif isinstance(event, Prompt):
            self._said.clear()

    def passed(self, event: Event) -> None:
        """An act is over: what was said before a search or a command was said of that one."""
        if isinstance(event, Ran | Searched | Delegated):
            self._said.pop(event.thread, None)

    def looked(self, path: str, thread: str) -> None:
        """A file was read, which may be the one that is changed next."""
        if thread in self._said:
            self._said[thread].looked.add(path)

    def of(self, path: str, thread: str) -> str:
        """What was said of this file just now; "" for nothing that tells more than its name.
        `path` and those looked at are joined with the session's folder.
        """
        said = self._said.get(thread)
        if said is None or said.looked - {path}:
            return ""
        said.changed.add(path)
        name = path.replace("\\", "/").rpartition("/")[2]
        stem = name.partition(".")[0]
        known = stem if len(stem) >= _LONG_STEM else name
        named = [each for each in said.said if re.search(rf"(?<!\w){re.escape(known)}(?!\w)", each)]
        told = named[-1] if named else _last(said.said)
        tells = len(said.changed) <= _FILES and weight(told.replace(name, " ")) >= _TELLS
        return shorten(told, _LIMIT) if tells else ""


def kept(said: tuple[str, ...], new: str) -> tuple[str, ...]:
    """The two messages that tell the most, of equals the newer ones, in order of time."""
    if not new or new in said:
        return said
    every = (*said, new)
    best = sorted(range(len(every)), key=lambda n: (-min(weight(every[n]), _ENOUGH), -n))[:_MOST]
    return tuple(every[n] for n in sorted(best))


def _sentences(reply: str) -> list[str]:
    """The sentences of a message that stand next to the act after it, each on one line."""
    said = sentences(unfenced(reply).replace("**", ""))[-_NEAR:]
    return [unlisted(one_line(each)).strip(" :\uff1a#*>-") for each in said]


def _last(said: list[str]) -> str:
    """The last sentence, with the one before it where it says too little."""
    if len(said) > 1 and len(words(said[-1])) < _ENOUGH:
        both = f"{said[-2]} {said[-1]}"
        return both if len(both) <= _LIMIT else said[-1]
    return said[-1] if said else ""
