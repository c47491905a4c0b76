"""A transcript written line by line, as the client would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onward.model import Event, Moved
from onward.transcripts.registry import Transcript, open_transcript


class Script:
    """Lines of one transcript; each method adds a record and returns its line number."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[bytes] = []
        self.base: dict[str, Any] = {
            "sessionId": "5e551011-0000-4000-8000-000000000001",
            "cwd": "/home/ana/shop",
            "gitBranch": "main",
            "version": "2.1.60",
            "isSidechain": False,
            "userType": "external",
        }

    def add(self, kind: str, **fields: Any) -> int:
        number = len(self.lines) + 1
        record = {
            "parentUuid": f"u-{number - 1}",
            **self.base,
            "type": kind,
            "uuid": f"u-{number}",
            "timestamp": f"2026-03-01T10:00:{number % 60:02}.000Z",
            **fields,
        }
        return self.raw(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode())

    def raw(self, line: bytes, end: bytes = b"\n") -> int:
        self.lines.append(line + end)
        return len(self.lines)

    def user(self, content: Any, **fields: Any) -> int:
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def reply(self, text: str, **fields: Any) -> int:
        return self.answer({"type": "text", "text": text}, **fields)

    def answer(self, *blocks: dict[str, Any], model: str = "a-model", **fields: Any) -> int:
        message = {"id": f"msg-{len(self.lines)}", "model": model, "content": list(blocks)}
        return self.add("assistant", message=message, **fields)

    def call(self, name: str, key: str, **given: Any) -> int:
        return self.answer({"type": "tool_use", "id": key, "name": name, "input": given})

    def result(
        self, key: str, text: Any, extra: Any = None, *, error: bool = False, **fields: Any
    ) -> int:
        block = {"type": "tool_result", "tool_use_id": key, "content": text, "is_error": error}
        if extra is not None:
            fields["toolUseResult"] = extra
        return self.user([block], **fields)

    def queue(self, operation: str, text: str | None = None) -> int:
        content = {} if text is None else {"content": text}
        return self.bare("queue-operation", operation=operation, **content)

    def bare(self, kind: str, **fields: Any) -> int:
        """A record of the client's own bookkeeping: no chain, no folder."""
        record = {
            "type": kind,
            "timestamp": "2026-03-01T10:00:00.000Z",
            "sessionId": self.base["sessionId"],
            **fields,
        }
        return self.raw(json.dumps(record).encode())

    def open(self) -> Transcript:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"".join(self.lines))
        return open_transcript(self.path)

    def events(self, *kinds: type[Event]) -> list[Event]:
        """Events of these kinds, or all but the changes of folder, branch and version."""
        found = list(self.open())
        return [e for e in found if (isinstance(e, kinds) if kinds else not isinstance(e, Moved))]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    return Script(tmp_path / "5e551011-0000-4000-8000-000000000001.jsonl")


@pytest.fixture
def helper(script: Script) -> Script:
    """The own file of a sub-agent of that session."""
    folder = script.path.with_suffix("") / "subagents"
    other = Script(folder / "agent-a1b2c3.jsonl")
    other.base |= {"isSidechain": True, "agentId": "a1b2c3"}
    return other
