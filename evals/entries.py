"""What a transcript holds, as the evaluation sees it: one flat list of entries.

Lines are counted from 1. Only what the agent itself had before its eyes becomes an entry: a
client also writes whole copies of files that nobody was told of, and to know those is not to
have known them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct


class Entry(Struct, frozen=True, kw_only=True):
    """Anything with a place. `at` is seconds since the epoch, None where the line has no time."""

    line: int
    at: float | None = None


class Prompt(Entry, frozen=True, kw_only=True):
    """Words that the user typed."""

    text: str


class Reply(Entry, frozen=True, kw_only=True):
    """Words of the agent."""

    text: str


class Call(Entry, frozen=True, kw_only=True):
    """One tool call, before its result."""

    id: str
    tool: str
    text: str
    """Every string of its input, one a line."""
    script: str = ""
    """The shell script, where it is one."""
    folder: str = ""
    """Where the script runs, if the call says so."""
    edits: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    todos: tuple[tuple[str, str], ...] = ()
    """The whole task list that this call set: title and state."""
    plan: str = ""
    """A plan put before the user."""
    task: tuple[str, str, str] = ("", "", "")
    """One task of a list that is kept entry by entry: id ("" for a new one), title, state."""


class Result(Entry, frozen=True, kw_only=True):
    """What came of a call. `status` is an exit status where one is told, `failed` the client's
    flag; both are None while nobody knows.
    """

    id: str
    text: str
    failed: bool | None = None
    status: int | None = None


class Compacted(Entry, frozen=True, kw_only=True):
    """The client replaced its context; `summary` is "" where it is sealed."""

    summary: str = ""


class Transcript(Struct, kw_only=True):
    """One session of one agent."""

    path: Path
    agent: str
    entries: list[Entry]
    lines: int
    folders: tuple[str, ...] = ()
    """Every working folder that its records name, first seen first."""
    branches: tuple[tuple[int, str], ...] = ()
    """From which line on which branch was checked out, as the records say."""
    helper: bool = False
    """A sub-agent's own file: no session of a user."""

    def before(self, cut: int) -> list[Entry]:
        """The entries of the first `cut` lines."""
        return [entry for entry in self.entries if entry.line <= cut]

    @property
    def times(self) -> tuple[float, float]:
        """First and last time, 0.0 twice where no line has one."""
        known = [entry.at for entry in self.entries if entry.at is not None]
        return (min(known), max(known)) if known else (0.0, 0.0)


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def results(entries: list[Entry]) -> dict[str, Result]:
    """The results by the id of their call; later ones of the same call are put behind it."""
    found: dict[str, Result] = {}
    for entry in entries:
        if isinstance(entry, Result):
            old = found.get(entry.id)
            found[entry.id] = entry if old is None else _joined(old, entry)
    return found


def _joined(old: Result, new: Result) -> Result:
    text = f"{old.text}\n{new.text}"
    return Result(
        line=new.line, at=new.at, id=old.id, text=text, failed=new.failed, status=new.status
    )


def text_of(entry: Entry) -> str:
    """What an entry says, whatever it is."""
    if isinstance(entry, Compacted):
        return entry.summary
    return entry.text if isinstance(entry, Prompt | Reply | Call | Result) else ""
