"""What one line says by itself, for a search. What only the lines around it
would tell is not asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeGuard

import msgspec
from msgspec import structs

from onward.decode import UNREADABLE, lenient
from onward.search.record import By, Facts, Record
from onward.transcripts.claude_code import provenance, records
from onward.transcripts.claude_code.home import AGENT, everything
from onward.transcripts.tokens import paths_in, strings

NAME: Final = AGENT
_SIGN = re.compile(rb'"sessionId": ?"([^"\\]{1,100})"')
_CWD = re.compile(rb'"cwd": ?("(?:[^"\\\n]|\\.){1,4000}")')
_BRANCH = re.compile(rb'"gitBranch": ?("(?:[^"\\\n]|\\.){1,400}")')
_PATHS: Final = ("file_path", "notebook_path", "path")
_REFUSED: Final = "the user said:\n"
_NOTE: Final = "\n\nNote: The user's next message may contain a correction"
_LINE: Final = msgspec.json.Decoder(records.Record)

Json = dict[str, Any]


def files(home: Path, env: Mapping[str, str], faults: list[OSError]) -> Iterator[Path]:
    """Every transcript on this machine, sub-agents' too."""
    return everything(home, env, faults)


def knows(head: bytes) -> bool:
    """Whether a file that begins so is this client's."""
    return bool(_SIGN.search(head))


def facts(head: bytes) -> Facts:
    """What the beginning of a file tells."""
    session = _SIGN.search(head)
    return Facts(
        session=session[1].decode(errors="replace") if session else "",
        cwd=_text(_CWD.search(head)),
        branch=_text(_BRANCH.search(head)),
    )


def heard(line: Json, raw: bytes) -> Iterator[Record]:
    """The records that a line holds, which is given decoded and as it stands in the file; none
    where it only keeps the client's books.
    """
    kind = line.get("type")
    if kind == "assistant":
        yield from _agent(line)
    elif kind == "user":
        yield from _user(line, raw)
    elif kind == "attachment":
        beside = line.get("attachment")
        if isinstance(beside, dict) and beside.get("type") == "queued_command":
            yield from _waiting(line, "\n".join(strings(beside.get("prompt"))))
    elif kind == "queue-operation" and line.get("operation") == "enqueue":
        yield from _waiting(line, "\n".join(strings(line.get("content"))))


def _agent(line: Json) -> Iterator[Record]:
    content = _content(line)
    if isinstance(content, str):
        yield _record(line, "agent", content)
        return
    for block in content:
        kind = block.get("type")
        if kind in {"text", "thinking"}:
            yield _record(line, "agent", str(block.get(kind) or ""))
        elif kind == "tool_use":
            given = block.get("input")
            named = [given[key] for key in _PATHS if given.get(key)] if _is(given) else []
            run = given.get("command") if _is(given) else None
            yield _record(
                line,
                "agent",
                "\n".join(strings(given)),
                tool=str(block.get("name") or ""),
                call=_field(block, "id"),
                command=run if isinstance(run, str) else "",
                files=(*map(str, named), *(paths_in(run) if isinstance(run, str) else ())),
            )


def _user(line: Json, raw: bytes) -> Iterator[Record]:
    content = _content(line)
    blocks = () if isinstance(content, str) else content
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if results:
        beside = line.get("toolUseResult")
        touched = _touched(beside) if _is(beside) else ()
        for block in results:
            text = "\n".join(strings(block.get("content"), "text"))
            answers = _is(beside) and "answers" in beside
            for found in _result(line, text, touched, answers=answers):
                yield structs.replace(found, call=_field(block, "tool_use_id"))
        return
    try:
        record = _LINE.decode(raw)
    except UNREADABLE:
        record = lenient(json.dumps(line).encode(), records.Record)
    words = provenance.said(record)
    side = line.get("isSidechain")
    if words.kind in {"prompt", "command", "shell", "plan", "interrupt"}:
        yield _record(line, "agent" if side else "user", words.text)
    elif words.kind == "summary":
        yield _record(line, "agent", provenance.summary(words.text))
    elif words.kind == "news":
        yield _record(line, "result", provenance.news(words.text).text)


def _result(line: Json, text: str, touched: tuple[str, ...], *, answers: bool) -> Iterator[Record]:
    """A result; what the user said instead of letting the call happen is theirs, and so are their
    answers to a form.
    """
    words = text.partition(_REFUSED)[2]
    denial, version = _field(line, "toolDenialKind"), _field(line, "version")
    if words and provenance.is_refusal(text, denial, version):
        yield _record(line, "user", words.partition(_NOTE)[0])
    elif answers:
        yield _record(line, "user", text)
    else:
        yield _record(line, "result", text, files=touched)


def _waiting(line: Json, text: str) -> Iterator[Record]:
    """What was typed while the agent worked."""
    words = provenance.words(text)
    if words.kind == "prompt":
        yield _record(line, "user", words.text)


def _touched(beside: Json) -> tuple[str, ...]:
    inner = beside.get("file")
    named = (beside.get("filePath"), inner.get("filePath") if _is(inner) else None)
    return tuple(path for path in named if isinstance(path, str))


def _record(
    line: Json, by: By, text: str, *, files: tuple[str, ...] = (), **of_call: str
) -> Record:
    return Record(
        by=by,
        text=text,
        at=_field(line, "timestamp"),
        session=_field(line, "sessionId"),
        cwd=_field(line, "cwd"),
        branch=_field(line, "gitBranch"),
        thread=_field(line, "agentId") if line.get("isSidechain") else "",
        files=files,
        **of_call,
    )


def _content(line: Json) -> str | list[Json]:
    message = line.get("message")
    content = message.get("content") if _is(message) else None
    if isinstance(content, str):
        return content
    return [block for block in content if _is(block)] if isinstance(content, list) else []


def _field(line: Json, key: str) -> str:
    value = line.get(key)
    return value if isinstance(value, str) else ""


def _is(value: Any) -> TypeGuard[Json]:
    return isinstance(value, dict)


def _text(found: re.Match[bytes] | None) -> str:
    try:
        return str(msgspec.json.decode(found[1])) if found else ""
    except UNREADABLE:
        return ""
