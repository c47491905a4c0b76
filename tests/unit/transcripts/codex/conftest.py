"""A rollout written line by line, as clients of each generation would."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from onward.model import Event, Moved
from onward.transcripts.registry import Transcript, open_transcript

THREAD = "01a1fe14-f6ec-7112-b3a0-132501fc8bf4"
CWD = "/home/ana/shop"


class Rollout:
    """Lines of one thread; each method adds a record and returns its line number."""

    def __init__(self, path: Path, thread: str = THREAD) -> None:
        self.path = path
        self.thread = thread
        self.lines: list[bytes] = []
        self.first = 0
        """Ordinal of its first line; of a fork, where it left its parent."""

    def raw(self, record: Any) -> int:
        self.lines.append(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        return len(self.lines)

    def add(self, kind: str, **payload: Any) -> int:
        number = len(self.lines)
        at = f"2026-03-01T10:{number // 60:02}:{number % 60:02}.000Z"
        ordinal = self.first + number
        return self.raw({"timestamp": at, "ordinal": ordinal, "type": kind, "payload": payload})

    def meta(self, **fields: Any) -> int:
        given = {"id": self.thread, "cwd": CWD, "cli_version": "0.140.0", "source": "cli"}
        return self.add("session_meta", **{**given, "git": {"branch": "main"}, **fields})

    def item(self, kind: str, **fields: Any) -> int:
        return self.add("response_item", type=kind, **fields)

    def news(self, kind: str, **fields: Any) -> int:
        return self.add("event_msg", type=kind, **fields)

    def done(self, kind: str, **fields: Any) -> int:
        """A finished item of the paginated form."""
        return self.news("item_completed", thread_id=self.thread, item={"type": kind, **fields})

    def message(self, role: str, *texts: str) -> int:
        kind = "output_text" if role == "assistant" else "input_text"
        content = [{"type": kind, "text": text} for text in texts]
        return self.item("message", role=role, content=content)

    def says(self, text: str, **fields: Any) -> int:
        """A prompt as clients up to 0.146 write it: for the model, then for the screen."""
        self.message("user", text)
        return self.news("user_message", message=text, **fields)

    def replies(self, text: str) -> int:
        self.message("assistant", text)
        return self.news("agent_message", message=text)

    def call(self, name: str, key: str, **given: Any) -> int:
        return self.item("function_call", name=name, call_id=key, arguments=json.dumps(given))

    def free(self, name: str, key: str, text: str) -> int:
        return self.item("custom_tool_call", name=name, call_id=key, input=text)

    def result(self, key: str, output: Any) -> int:
        return self.item("function_call_output", call_id=key, output=output)

    def write(self) -> Path:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"".join(self.lines))
        return self.path

    def open(self) -> Transcript:
        return open_transcript(self.write())

    def events(self, *kinds: type[Event]) -> list[Event]:
        """Events of these kinds, or all but the changes of folder, branch and version."""
        return chosen(self.open(), *kinds)


def chosen(events: Iterable[Event], *kinds: type[Event]) -> list[Event]:
    return [e for e in events if (isinstance(e, kinds) if kinds else not isinstance(e, Moved))]


@pytest.fixture
def rollout(tmp_path: Path) -> Rollout:
    day = tmp_path / ".codex/sessions/2026/03/01"
    return Rollout(day / f"rollout-2026-03-01T10-00-00-{THREAD}.jsonl")


@pytest.fixture
def other(rollout: Rollout) -> Rollout:
    """Another thread of the same client, of another day."""
    thread = "01a1fe15-0000-7000-8000-000000000002"
    day = rollout.path.parent.parent / "02"
    return Rollout(day / f"rollout-2026-03-02T10-00-00-{thread}.jsonl", thread)
