"""What one line says by itself, for a search, by the rules of the reader. Only what the model was
sent is looked at: what the screen was told says the same once more.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from onward.decode import Records
from onward.search.record import Facts, Record
from onward.transcripts.codex import calls
from onward.transcripts.codex.provenance import folder_in, joined, words
from onward.transcripts.codex.records import MARK, Body, Line, are_ours
from onward.transcripts.searchable import decoded, paths_in, read, strings

_USER: Final = frozenset({"prompt", "command", "shell", "plan"})
_NOT_SAID: Final = frozenset({"type", "call_id", "workdir", "timeout_ms", "login", "status"})
_PATCH: Final = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_FIRST: Final = 10
"""Lines within which the first generation tells the folder."""


def knows(head: bytes) -> bool:
    """Whether a file that begins so is this client's."""
    return are_ours(io.BytesIO(head))


def facts(head: bytes) -> Facts:
    """What the first line tells: whose thread it is, and where it began."""
    records = Records(Line, lambda _: None, MARK).read(io.BytesIO(head))
    lines = [line for _, line in islice(records, _FIRST)] or [Line()]
    body = lines[0].payload or lines[0]
    # Up to 0.31 the model alone is told the folder.
    told = (folder_in(joined(line)) for line in lines)
    return Facts(
        session=body.id or "",
        cwd=body.cwd or next(filter(None, told), ""),
        at=lines[0].timestamp or "",
        branch=(body.git.branch if body.git else "") or "",
        helper=bytes(body.source).startswith(b"{"),
    )


def heard(raw: bytes) -> Iterator[Record]:
    """The records that a line holds; none where it only keeps the client's books. Raises
    ValueError where it cannot be read.
    """
    for line in read(raw, Line, MARK):
        at = line.timestamp or ""
        if line.type == "compacted" and line.payload:
            yield Record(by="agent", text=line.payload.message or "", at=at)
        elif line.payload is None or line.type == "response_item":
            yield from _item(line.payload or line, at)


def _item(body: Body, at: str) -> Iterator[Record]:
    if body.type == "message":
        yield from _message(body, at)
    elif body.type in calls.CALLS:
        yield _call(body, at)
    elif body.type in calls.OUTPUTS:
        text, call = calls.result(body.output).text, body.call_id or ""
        yield Record(by="result", text=text, at=at, call=call)
    elif body.type == "reasoning":
        parts = decoded(body.summary, [])
        text = "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
        yield Record(by="agent", text=text, at=at)
    elif body.type == "web_search_call":
        yield Record(by="agent", text=calls.query(body), at=at, tool="web_search")


def _message(body: Body, at: str) -> Iterator[Record]:
    if body.role == "assistant":
        yield Record(by="agent", text=joined(body), at=at)
    elif body.role == "user":
        told = words(joined(body))
        if told.kind in _USER:
            yield Record(by="user", text=told.text, at=at)
        elif told.kind == "notice":
            yield Record(by="result", text=told.text, at=at)


def _call(body: Body, at: str) -> Record:
    given = _given(body)
    if isinstance(given, dict):
        said = [text for key, each in given.items() if key not in _NOT_SAID for text in _flat(each)]
    else:
        said = [*strings(given)]
    text = "\n".join(said)
    patched = tuple(_PATCH.findall(text))
    return Record(
        by="agent",
        text=text,
        at=at,
        tool=body.name or "shell",
        call=body.call_id or "",
        command="" if patched else text,
        files=patched or tuple(paths_in(text)),
    )


def _given(body: Body) -> Any:
    """The input of a call: most often JSON, else a text of its own form."""
    raw = body.input or calls.arguments(body)
    return decoded(raw, raw if isinstance(raw, str) else raw.decode(errors="replace"))


def _flat(value: Any) -> Iterator[str]:
    """Texts of a field; the words of one command in one line."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        yield " ".join(value)
    else:
        yield from strings(value)
