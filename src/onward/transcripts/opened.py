"""A transcript while it is read: what is the same whatever client wrote it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, Protocol, TypeVar

from msgspec import structs

from onward.decode import LOST, Problem
from onward.model import (
    Asked,
    Event,
    Interrupt,
    Origin,
    Planned,
    Prompt,
    Refusal,
    Reply,
    TodoItem,
    TodoList,
)
from onward.transcripts.truncation import hidden

P = TypeVar("P", int, tuple[int, int])

HERE: Final = 0
"""The line of an event that `placed` is to set."""
_SAID: Final = (Prompt, Reply, Planned, Asked, Refusal, Interrupt, TodoList)
"""What going back takes back. What was done (edits, commands) is done: it is on the disk."""


def placed(events: Iterable[Event], line: int, at: str, thread: str) -> Iterator[Event]:
    """The events of one record with its place, as far as they have none of their own."""
    for event in events:
        if event.thread:  # told by the reader of a sub-agent's file
            yield event
        else:
            yield structs.replace(event, line=event.line or line, at=event.at or at, thread=thread)


def standing(
    events: Iterable[Event], gone: Sequence[tuple[P, P]], position: Callable[[int], P]
) -> Iterator[Event]:
    """The events less what the user went back behind: ranges of lines, the first included and the
    last not. A sub-agent's lines are numbered by its own file.
    """
    ranges: list[tuple[P, P]] = []
    for first, last in sorted(gone):
        begun, end = ranges.pop() if ranges and first <= ranges[-1][1] else (first, last)
        ranges.append((begun, max(end, last)))
    starts = [first for first, _ in ranges]
    for event in events:
        if ranges and not event.thread and isinstance(event, _SAID):
            at = position(event.line)
            n = bisect_right(starts, at) - 1
            if n >= 0 and at < ranges[n][1]:
                continue
        yield event


class Reading(Protocol):
    """What a reader knows of a session when it is through."""

    session: str
    cwd: str
    branch: str
    version: str
    started: str
    ended: str


class Opened(ABC):
    """One session opened for reading; iterate once (`agent.Transcript`)."""

    def __init__(self, path: Path, agent: str) -> None:
        self.path = path
        self.problems: Counter[str] = Counter()
        self.origin: Origin[str] = Origin(agent=agent, transcript=str(path))

    def __iter__(self) -> Iterator[Event]:
        return map(hidden, self.events())

    @abstractmethod
    def events(self) -> Iterator[Event]:
        """Its events; the last thing is `close`."""

    def note(self, problem: Problem) -> None:
        """A fault in one of its files."""
        self.problems[problem.kind] += 1

    def close(self, reading: Reading, lines: int) -> None:
        """All of it was read."""
        self.origin = structs.replace(
            self.origin,
            session=reading.session,
            cwd=reading.cwd or None,
            branch=reading.branch or None,
            started=reading.started,
            ended=reading.ended,
            lines=lines,
            version=reading.version,
            problems=sum(count for kind, count in self.problems.items() if kind in LOST),
        )


Status = Literal["pending", "in_progress", "completed"]

_STATUS: Final[dict[str, Status]] = {
    "pending": "pending",
    "in_progress": "in_progress",
    "completed": "completed",
}


def item(title: str, status: str = "", key: str = "") -> TodoItem:
    """An entry; a status that is not known counts as pending."""
    return TodoItem(id=key, title=title, status=_STATUS.get(status, "pending"))


class TodoBook:
    """The list as it stands. Each method says whether it changed."""

    def __init__(self) -> None:
        self._items: dict[str, TodoItem] = {}

    @property
    def items(self) -> tuple[TodoItem, ...]:
        """The list, deleted entries left out, in the order of first appearance."""
        return tuple(self._items.values())

    def has(self, key: str) -> bool:
        """Whether the list holds an entry."""
        return key in self._items

    def replace(self, items: Iterable[TodoItem]) -> bool:
        """The whole list, anew."""
        before = self.items
        self._items = {one.id or f"#{n}": one for n, one in enumerate(items)}
        return self.items != before

    def put(self, key: str, title: str, status: str = "") -> bool:
        """Add an entry, or change one: an empty title or status leaves it as it was."""
        old = self._items.get(key)
        if status == "deleted":
            return self._items.pop(key, None) is not None
        new = item(
            title or (old.title if old else ""),
            status or (old.status if old else "pending"),
            key,
        )
        if new == old or not new.title:
            return False
        self._items[key] = new
        return True
