"""What one line says by itself, for a search, by the rules of the reader."""

from __future__ import annotations

import io
from collections.abc import Iterator

from onward.decode import Records
from onward.search.record import Facts, Record
from onward.transcripts.copilot.transcript import KINDS, MARK, Line, is_ours, prompt
from onward.transcripts.hook_call import text
from onward.transcripts.searchable import paths_in, read, strings
from onward.transcripts.tool_events import PATH, fields


def knows(head: bytes) -> bool:
    """Whether a file that begins so is this client's."""
    return is_ours(head)


def facts(head: bytes) -> Facts:
    """What the first line tells: whose session it is, and where it began."""
    _, line = next(Records(Line, lambda _: None, MARK).read(io.BytesIO(head)), (0, Line()))
    context = fields(line.data, "context")
    return Facts(
        session=text(line.data, "sessionId"),
        cwd=text(context, "cwd"),
        branch=text(context, "branch"),
        at=line.timestamp,
    )


def heard(raw: bytes) -> Iterator[Record]:
    """The records that a line holds; none where it only keeps the client's books. Raises
    ValueError where it cannot be read.
    """
    for line in read(raw, Line, MARK):
        data, at, thread = line.data, line.timestamp, line.agentId
        if words := prompt(line):
            yield Record(by="user", text=words, at=at)
        elif line.type == "assistant.message" and (words := text(data, "content")):
            yield Record(by="agent", text=words, at=at, thread=thread)
        elif line.type == "session.compaction_complete":
            yield Record(by="agent", text=text(data, "summaryContent"), at=at)
        elif line.type == "tool.execution_start":
            yield _call(line)
        elif line.type == "tool.execution_complete":
            told = text(fields(data, "result"), "content") or text(fields(data, "error"), "message")
            call = text(data, "toolCallId")
            yield Record(by="result", text=told, at=at, call=call, thread=thread)


def _call(line: Line) -> Record:
    given, name = fields(line.data, "arguments"), text(line.data, "toolName")
    command = text(given, "command") if KINDS.get(name) == "shell" else ""
    path = text(given, *PATH)
    return Record(
        by="agent",
        text="\n".join(strings(given)),
        at=line.timestamp,
        thread=line.agentId,
        tool=name,
        call=text(line.data, "toolCallId"),
        command=command,
        files=(path,) if path else tuple(paths_in(command)),
    )
