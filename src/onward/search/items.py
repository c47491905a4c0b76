"""A checkpoint or a session document as records: each line with what is indented below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from onward.search.record import By, Record

_BY: Final[dict[str, By]] = {"asked": "user", "observed": "result", "claimed": "agent"}
_TAG = re.compile(r"\[(asked|observed|claimed)\b[^\[\]]*\]")
_LINE = re.compile(r"^(?![ \t])(?=\S)(?!##|<!-- onward:|---$)", re.MULTILINE)
_END = re.compile(r"^(?:##|<!-- onward:)", re.MULTILINE)
_PATH = re.compile(r"[\w@.~+/\\-]*[\w/\\~-]\.\w{1,10}\b|[\w@.~+-]+[/\\][\w@.~+/\\-]+")


def records(text: str, *, at: str) -> Iterator[Record]:
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
