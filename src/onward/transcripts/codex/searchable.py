"""What one line says by itself, for a search. Only what the model was sent is
looked at: what the screen was told says the same once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from onward.decode import UNREADABLE
from onward.search.record import By, Facts, Record
from onward.transcripts.codex.home import AGENT, transcripts
from onward.transcripts.tokens import paths_in, strings

NAME: Final = AGENT
_CALLS: Final = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_GIVEN: Final = ("arguments", "input", "action")
_NOT_SAID: Final = frozenset({"type", "call_id", "workdir", "timeout_ms", "login", "status"})
_USER: Final = frozenset({"prompt", "command", "shell", "plan"})
_PATCH = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_FOLDER = re.compile(rb"<environment_context>[^<]{0,400}<cwd>([^<\\]{1,4000})</cwd>")
_KIND = re.compile(rb'"type": ?"(?:session_meta|response_item|event_msg|turn_context|message)"')

Json = dict[str, Any]


def files(home: Path, env: Mapping[str, str], faults: list[OSError]) -> Iterator[Path]:
    """Every rollout on this machine, archived and compressed ones too."""
    return transcripts(home, env, faults)


def knows(head: bytes) -> bool:
    """Whether a file that begins so is this client's."""
    return bool(_KIND.search(head))


def facts(head: bytes) -> Facts:
    """What the first line tells: whose thread it is, and where it began."""
    try:
        line = msgspec.json.decode(head.partition(b"\n")[0])
    except UNREADABLE:
        return Facts()
    if not isinstance(line, dict):
        return Facts()
    body = line.get("payload")
    body = body if isinstance(body, dict) else line
    git = body.get("git")
    return Facts(
        session=_field(body, "id"),
        cwd=_field(body, "cwd") or _cwd(head),
        at=_field(line, "timestamp"),
        branch=_field(git, "branch") if isinstance(git, dict) else "",
        helper=isinstance(body.get("source"), dict),
    )


def _cwd(head: bytes) -> str:
    """The folder that a thread of the first generation tells the model of."""
    found = _FOLDER.search(head)
    return found[1].decode(errors="replace").strip() if found else ""


def heard(line: Json, raw: bytes) -> Iterator[Record]:  # noqa: ARG001 - as all clients
    """The records that a line holds, which is given decoded and as it stands in the file; none
    where it only keeps the client's books.
    """
    body, at = line.get("payload"), _field(line, "timestamp")
    if not isinstance(body, dict):
        body = line  # a line of the first generation is an item itself
    elif line.get("type") == "compacted":
        yield Record(by="agent", text=_field(body, "message"), at=at)
        return
    elif line.get("type") != "response_item":
        return
    kind = body.get("type")
    if kind == "message":
        yield from _message(body, at)
    elif kind in _CALLS:
        yield _call(body, at)
    elif kind in _OUTPUTS:
        text = _output(body.get("output"))
        yield Record(by="result", text=text, at=at, call=_field(body, "call_id"))
    elif kind == "reasoning":
        yield Record(by="agent", text="\n".join(strings(body.get("summary"), "text")), at=at)
    elif kind == "web_search_call":
        text = "\n".join(strings(body.get("action"), "query"))
        yield Record(by="agent", text=text, at=at, tool="web_search")


def _message(body: Json, at: str) -> Iterator[Record]:
    from onward.transcripts.codex.provenance import words  # noqa: PLC0415 - brings the rules of redaction

    text = "\n".join(strings(body.get("content"), "text"))
    if body.get("role") == "assistant":
        yield Record(by="agent", text=text, at=at)
    elif body.get("role") == "user":
        told = words(text)
        by: By = "user" if told.kind in _USER else "result"
        if told.kind in _USER or told.kind == "notice":
            yield Record(by=by, text=told.text, at=at)


def _call(body: Json, at: str) -> Record:
    given = next((body[key] for key in _GIVEN if body.get(key)), "")
    fields = _json(given)
    if isinstance(fields, dict):
        said = [
            text for key, each in fields.items() if key not in _NOT_SAID for text in _flat(each)
        ]
    else:
        said = [*strings(fields)]
    text = "\n".join(said)
    patched = tuple(_PATCH.findall(text))
    return Record(
        by="agent",
        text=text,
        at=at,
        tool=_field(body, "name") or "shell",
        call=_field(body, "call_id"),
        command="" if patched else text,
        files=patched or tuple(paths_in(text)),
    )


def _flat(value: Any) -> Iterator[str]:
    """Texts of a field; the words of one command in one line."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        yield " ".join(value)
    else:
        yield from strings(value)


def _output(value: Any) -> str:
    found = _json(value)
    if isinstance(found, dict) and "output" in found:
        found = found["output"]
    elif isinstance(found, str | int | float):
        found = value
    return "\n".join(strings(found, "text"))


def _json(value: Any) -> Any:
    """What a text of JSON holds; any other value as it is."""
    if not isinstance(value, str) or not value.startswith("{"):
        return value
    try:
        return msgspec.json.decode(value)
    except UNREADABLE:
        return value


def _field(body: Json, key: str) -> str:
    value = body.get(key)
    return value if isinstance(value, str) else ""
