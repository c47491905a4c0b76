"""What a user said, as far as no client comes into it: whose words a text is, and texts that were
typed while the agent worked, until they are said, once.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

_OURS: Final = re.compile(r"<!-- onward:|^onward briefing", re.MULTILINE)


def is_ours(text: str) -> bool:
    """Whether a text is one that we gave the agent, or holds one."""
    return bool(_OURS.search(text))


def within(text: str, tag: str) -> str:
    """What stands between the first `<tag>` and the next `</tag>`, or "" ."""
    start = text.find(f"<{tag}>")
    end = text.find(f"</{tag}>", start)
    return text[start + len(tag) + 2 : end].strip() if 0 <= start < end else ""


class Queued(Struct, frozen=True, kw_only=True):
    """A text in the queue, and where it was written down."""

    line: int
    at: str
    text: str


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())


def _holds(message: str, text: str) -> bool:
    """Whether a message is that text, or joins it with others on lines of its own."""
    if _same(message, text):
        return True
    lines = text.strip().splitlines()
    every = [line.strip() for line in message.splitlines()]
    wanted = [line.strip() for line in lines]
    starts = range(len(every) - len(wanted) + 1)
    return bool(wanted) and any(every[at : at + len(wanted)] == wanted for at in starts)


class Queue:
    """A client's queue of messages. The same text may be written down again as an ordinary
    message when it is delivered: `claim` tells that copy from a new message.
    """

    def __init__(self) -> None:
        self._waiting: deque[Queued] = deque()
        self._sent: Queued | None = None
        self._said: deque[str] = deque(maxlen=32)
        self._ahead = 0

    def enqueue(self, text: Queued) -> None:
        """Typed, and not delivered yet."""
        self._waiting.append(text)

    def send(self) -> None:
        """The oldest one leaves the queue to become an ordinary message."""
        if self._leaves():
            self._sent = self._waiting.popleft()

    def inject(self) -> Queued | None:
        """The oldest one goes into the running turn: returned, for nothing else may say it."""
        if not self._leaves():
            return None
        text = self._waiting.popleft()
        self._said.append(text.text)
        return text

    def take_back(self) -> None:
        """Everything goes back to the edit box: it was never said."""
        self._waiting.clear()
        self._ahead = 0

    def claim(self, text: str, *, injected: bool = False) -> bool:
        """Whether an ordinary (or injected) message with this text is new, and not the copy
        of one that was already handed out.
        """
        if injected and (said := next((s for s in self._said if _same(s, text)), None)):
            self._said.remove(said)
            return False
        if injected:
            found = next((w for w in self._waiting if _same(w.text, text)), None)
            if found:
                self._waiting.remove(found)
                self._ahead += 1
        else:
            # Any message settles what was sent before it: the client may have changed it.
            sent, self._sent = self._sent, None
            if self._deliver(text) and sent and not _holds(text, sent.text):
                # Another one was sent first: its leaving was told already.
                self._waiting.appendleft(sent)
                self._ahead -= 1
        return True

    def _deliver(self, text: str) -> bool:
        """Take out of the queue what an ordinary message says, alone or among others."""
        found = [each for each in self._waiting if _holds(text, each.text)]
        for each in found:
            self._waiting.remove(each)
            self._ahead += 1
        return bool(found)

    def left(self) -> Iterator[Queued]:
        """At the end of the file: what was written down and never delivered."""
        if self._sent:
            yield self._sent
        yield from self._waiting

    def _leaves(self) -> bool:
        """Whether a removal is news: one claimed ahead of its removal has left already."""
        if self._ahead:
            self._ahead -= 1
            return False
        return bool(self._waiting)
