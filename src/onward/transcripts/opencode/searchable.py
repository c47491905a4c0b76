"""What one line says by itself, for a search, by the rules of the reader."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from onward.decode import Records
from onward.search.record import Facts, Record
from onward.transcripts.hook_call import text
from onward.transcripts.opencode.copies import MARK
from onward.transcripts.opencode.transcript import KINDS, Row, content, moment, output
from onward.transcripts.searchable import paths_in, read, strings
from onward.transcripts.tool_events import PATH, fields, listed


def knows(head: bytes) -> bool:
    """Whether a file that begins so is a copy of ours."""
    return head.startswith(b'{"opencode":"session"')


def facts(head: bytes) -> Facts:
    """What the session's own row tells."""
    _, row = next(Records(Row, lambda _: None, MARK).read(io.BytesIO(head)), (0, Row()))
    data = content(row)
    return Facts(
        session=row.id,
        cwd=text(data, "directory"),
        at=moment(row),
        helper=bool(text(data, "parent_id")),
    )


def heard(raw: bytes) -> Iterator[Record]:
    """The records that a line holds; none where it only keeps the client's books. Raises
    ValueError where it cannot be read.
    """
    for row in read(raw, Row, MARK):
        data, at = content(row), moment(row)
        if row.opencode == "part":
            yield from _part(data, at, row.role)
        elif row.opencode == "entry":
            words = text(data, "text", "summary", "command", "output")
            if words:
                yield Record(by="user" if row.role == "user" else "agent", text=words, at=at)
            for part in listed(data, "content"):
                yield from _part(part, at, row.role)


def _part(data: dict[str, Any], at: str, role: str) -> Iterator[Record]:
    kind = text(data, "type")
    if kind in {"text", "reasoning"} and not data.get("synthetic"):
        yield Record(by="user" if role == "user" else "agent", text=text(data, "text"), at=at)
    elif kind == "tool":
        yield from _tool(data, at)


def _tool(data: dict[str, Any], at: str) -> Iterator[Record]:
    state, name = fields(data, "state"), text(data, "tool", "name")
    given, call = fields(state, "input"), text(data, "callID", "id")
    command = text(given, "command") if KINDS.get(name) == "shell" else ""
    path = text(given, *PATH)
    yield Record(
        by="agent",
        text="\n".join(strings(given)),
        at=at,
        tool=name,
        call=call,
        command=command,
        files=(path,) if path else tuple(paths_in(command)),
    )
    if told := output(state):
        yield Record(by="result", text=told, at=at, call=call)
