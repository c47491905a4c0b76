"""The closing comment of a file of ours: what is not text, for the machine.

    <!-- onward:1 {"saved":"2026-03-01T13:40:00Z",...} -->

Nothing that a user would read stands only here, so that what
they delete above is gone. Fields of a newer version that we do not know are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

import msgspec
from msgspec import Struct

from onward.model import Draft, FileFact, Origin, RepoState, Snapshot, T

VERSION = 1

_COMMENT = re.compile(r"^<!-- onward:\d+ (\{.*\}) -->[ \t]*\n?", re.MULTILINE)


class FileMark(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What tells whether a file is still the one that was saved."""

    path: str
    size: int | None = None
    hash: str = ""


class Trailer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The content of the comment."""

    saved: str = ""
    created: str = ""
    origin: Origin[str] = Origin()
    repo: RepoState[str] | None = None
    files: tuple[FileMark, ...] = ()
    lines: str = ""
    """A short hash of every line above, one after the other; see `by_hand`."""
    own: str = ""
    """The hashes of those that a user wrote."""


def render(snapshot: Snapshot[T], lines: str = "", own: str = "") -> str:
    """The comment, one line. A `>` in it is escaped, so it cannot end early."""
    plain = cast("Draft", snapshot)
    measured = {fact.path for fact in plain.files if fact.size is not None or fact.hash}
    content = Trailer(
        saved=plain.saved,
        created=plain.created,
        origin=plain.origin,
        repo=plain.repo,
        files=tuple(
            FileMark(path=fact.path, size=fact.size, hash=fact.hash)
            for fact in plain.files
            if fact.path in measured
        ),
        lines=lines,
        own=own,
    )
    json = msgspec.json.encode(content).decode().replace(">", "\\u003e").replace("<", "\\u003c")
    return f"<!-- onward:{VERSION} {json} -->"


def split(text: str) -> tuple[str, Trailer | None]:
    """The text without our comment, and what the last one says; None if missing or broken."""
    found = list(_COMMENT.finditer(text))
    if not found:
        return text, None
    last = found[-1]
    try:
        trailer = msgspec.json.decode(last[1], type=Trailer)
    except (msgspec.DecodeError, RecursionError):
        trailer = None
    return text[: last.start()] + text[last.end() :], trailer


def fault(text: str) -> tuple[int, str]:
    """The line of the last closing comment, from 1, and what is wrong with it: the field, or where
    its JSON breaks; (0, "") where it can be read or there is none.
    """
    found = list(_COMMENT.finditer(text))
    if not found:
        return 0, ""
    try:
        msgspec.json.decode(found[-1][1], type=Trailer)
    except (msgspec.DecodeError, RecursionError) as error:
        field = re.search(r"at `\$\.?([^`]+)`", str(error))
        broken = re.search(r"\(byte (\d+)\)", str(error))
        where = f"the field `{field[1]}`" if field else f"character {broken[1]}" if broken else ""
        return text.count("\n", 0, found[-1].start()) + 1, where or "its nesting"
    return 0, ""


def mark(files: Iterable[FileFact[str]], trailer: Trailer) -> tuple[FileFact[str], ...]:
    """The files with the size and hash that the comment holds for them."""
    left = list(trailer.files)
    marked: list[FileFact[str]] = []
    for fact in files:
        own = next((entry for entry in left if entry.path == fact.path), None)
        if own is not None:
            left.remove(own)
            fact = msgspec.structs.replace(fact, size=own.size, hash=own.hash)  # noqa: PLW2901
        marked.append(fact)
    return tuple(marked)
