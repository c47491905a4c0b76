"""What is searched: one thing that was said or done, in words that no client owns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

By = Literal["user", "agent", "result"]
_BY: Final[dict[str, By]] = {"asked": "user", "observed": "result", "claimed": "agent"}
_TAG = re.compile(r"\[(asked|observed|claimed)\b[^\[\]]*\]")
_LINE = re.compile(r"^(?![ \t])(?=\S)(?!##|<!-- onward:|---$)", re.MULTILINE)
_END = re.compile(r"^(?:##|<!-- onward:)", re.MULTILINE)
_PATH = re.compile(r"[\w@.~+/\\-]*[\w/\\~-]\.\w{1,10}\b|[\w@.~+-]+[/\\][\w@.~+/\\-]+")


class Record(Struct, frozen=True, kw_only=True, gc=False):
    """One record's words, raw. Of `session`, `cwd` and `branch` each may be "" where the record
    itself does not say; `at` is ISO 8601 in UTC or "".
    """

    by: By
    text: str
    at: str = ""
    session: str = ""
    cwd: str = ""
    branch: str = ""
    thread: str = ""
    """The sub-agent whose words they are; "" for the session's own."""
    tool: str = ""
    """The tool that was called."""
    call: str = ""
    """The client's id of the tool call: a call and its result share it."""
    command: str = ""
    """The shell command that was run."""
    files: tuple[str, ...] = ()
    """The files that it touches, as they are named there."""


class Facts(Struct, frozen=True, kw_only=True, gc=False):
    """What the beginning of a transcript tells of all its records."""

    session: str = ""
    cwd: str = ""
    branch: str = ""
    at: str = ""
    """When it began: the time of records that have none."""
    helper: bool = False
    """A sub-agent's: whoever writes as the user there is another agent."""


def touches(record: Record, wanted: str) -> bool:
    """Whether a record touches a file, by name or end of path, in any case and either slash."""
    end = wanted.replace("\\", "/").removeprefix("./").strip("/").casefold()
    for path in record.files:
        whole = path.replace("\\", "/").rstrip("/").casefold()
        if whole == end or whole.endswith(f"/{end}"):
            return True
    return False


def records_of(text: str, *, at: str) -> Iterator[Record]:
    """What a file of ours says, each with who vouches for it; `at` is the time of its save.

    A line without a tag was written by a user, or by another tool for them.
    """
    starts = [found.start() for found in _LINE.finditer(text)]
    for start, following in zip(starts, [*starts[1:], len(text)], strict=True):
        item = text[start:following]
        if heading := _END.search(item):
            item = item[: heading.start()]
        tag = _TAG.search(item)
        yield Record(
            by=_BY[tag[1]] if tag else "user",
            text=item.strip(),
            at=at,
            files=tuple(_PATH.findall(item)),
        )
