"""What one line says by itself, for a search, by the rules of the reader. What only the lines
around it would tell is not asked.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import structs

from onward.decode import Records
from onward.search.record import By, Facts, Record
from onward.transcripts.claude_code import provenance, records
from onward.transcripts.claude_code.calls import Result
from onward.transcripts.claude_code.records import MARK, Block, Message
from onward.transcripts.searchable import decoded, paths_in, read, strings

_TYPED: Final = frozenset({"prompt", "command", "shell", "plan", "interrupt"})
_PATHS: Final = ("file_path", "notebook_path", "path")


class _Block(Block, frozen=True, gc=False):
    thinking: str = ""


class _Message(Message, frozen=True, gc=False):
    content: str | tuple[_Block, ...] | None = None


class _Line(records.Record, frozen=True, gc=False, rename="camel"):
    message: _Message | None = None


def knows(head: bytes) -> bool:
    """Whether a file that begins so is this client's."""
    return any(records.are_ours(io.BytesIO(head)))


def facts(head: bytes) -> Facts:
    """What the first record that names a folder tells."""
    session = ""
    for _, line in Records(records.Record, lambda _: None, MARK).read(io.BytesIO(head)):
        session = session or line.session_id or ""
        if line.cwd:
            return Facts(session=session, cwd=line.cwd, branch=line.git_branch or "")
    return Facts(session=session)


def heard(raw: bytes) -> Iterator[Record]:
    """The records that a line holds; none where it only keeps the client's books. Raises
    ValueError where it cannot be read.
    """
    for line in read(raw, _Line, MARK):
        content = line.message.content if line.message else None
        blocks = () if isinstance(content, str) else content or ()
        if line.type == "assistant":
            if isinstance(content, str):
                yield _record(line, "agent", content)
            yield from (each for block in blocks for each in _agent(line, block))
        elif line.type == "user":
            yield from _user(line, blocks)
        elif line.type == "attachment" and line.attachment:
            if line.attachment.type == "queued_command":
                yield from _waiting(line, line.attachment.prompt)
        elif line.type == "queue-operation" and line.operation == "enqueue":
            yield from _waiting(line, line.content)


def _agent(line: _Line, block: _Block) -> Iterator[Record]:
    if block.type in {"text", "thinking"}:
        yield _record(line, "agent", block.text or block.thinking)
    elif block.type == "tool_use":
        given = decoded(block.input, "")
        fields = given if isinstance(given, dict) else {}
        run = fields.get("command")
        files = [str(fields[key]) for key in _PATHS if fields.get(key)]
        files += paths_in(run) if isinstance(run, str) else ()
        text = "\n".join(strings(given))
        command = run if isinstance(run, str) else ""
        found = _record(line, "agent", text, tool=block.name, files=tuple(files))
        yield structs.replace(found, call=block.id, command=command)


def _user(line: _Line, blocks: tuple[_Block, ...]) -> Iterator[Record]:
    results = [block for block in blocks if block.type == "tool_result"]
    for block in results:
        denial, version = line.tool_denial_kind or "", line.version or ""
        found = _result(line, Result(0, "", block, line.tool_use_result, denial, version))
        yield structs.replace(found, call=block.tool_use_id)
    if results:
        return
    words = provenance.said(line)
    if words.kind in _TYPED:
        yield _record(line, "agent" if line.is_sidechain else "user", words.text)
    elif words.kind == "summary":
        yield _record(line, "agent", provenance.summary(words.text))
    elif words.kind == "news":
        yield _record(line, "result", provenance.news(words.text).text)


def _result(line: _Line, result: Result) -> Record:
    """A result; what the user said instead of letting the call happen is theirs, and so are their
    answers to a form.
    """
    if result.verdict == "refused" and result.words:
        return _record(line, "user", result.words)
    extra = result.extra or records.Extra()
    if extra.answers is not None:
        return _record(line, "user", result.text)
    named = (extra.file_path, extra.file.file_path if extra.file else "")
    return _record(line, "result", result.text, files=tuple(filter(None, named)))


def _waiting(line: _Line, raw: msgspec.Raw) -> Iterator[Record]:
    """What was typed while the agent worked."""
    words = provenance.words(provenance.text_of(raw))
    if words.kind == "prompt":
        yield _record(line, "user", words.text)


def _record(
    line: _Line, by: By, text: str, *, tool: str = "", files: tuple[str, ...] = ()
) -> Record:
    return Record(
        by=by,
        text=text,
        at=line.timestamp or "",
        session=line.session_id or "",
        cwd=line.cwd or "",
        branch=line.git_branch or "",
        thread=(line.agent_id or "") if line.is_sidechain else "",
        tool=tool,
        files=files,
    )
