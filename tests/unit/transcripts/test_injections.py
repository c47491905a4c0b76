"""What a transcript tells of the texts that hooks gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onward.model import Injection
from onward.transcripts import registry

ANSWER = {"type": "assistant", "message": {"content": [{"type": "text", "text": "Yes."}]}}


def record(**more: Any) -> dict[str, Any]:
    return {"sessionId": "s", "uuid": "u", "version": "2.1.330", **more}


def hook(kind: str, event: str = "SessionStart", **more: Any) -> dict[str, Any]:
    inner = {"type": kind, "hookEvent": event, "command": "sh hook.sh", **more}
    return record(type="attachment", timestamp="2026-03-01T13:00:00.000Z", attachment=inner)


def injections(tmp_path: Path, *lines: dict[str, Any]) -> tuple[Injection, ...]:
    path = tmp_path / "s.jsonl"
    first = record(type="user", message={"content": "hello"})
    path.write_text("".join(json.dumps(line) + "\n" for line in (first, *lines)))
    return registry.agent_of(path).reader.injections(path)


@pytest.mark.parametrize(
    ("attachment", "fate"),
    [
        (hook("hook_success", content="text"), "reached"),
        (hook("hook_success", content="<persisted-output>\nOutput too large"), "cut"),
        (hook("hook_non_blocking_error", stdout="text", exitCode=1), "failed"),
        (hook("hook_cancelled", timedOut=True), "cancelled"),
    ],
)
def test_the_record_of_a_start_s_hook_tells_what_became_of_its_text(
    tmp_path: Path, attachment: dict[str, Any], fate: str
) -> None:
    (found,) = injections(tmp_path, attachment, record(**ANSWER))
    assert (found.fate, found.command, found.line) == (fate, "sh hook.sh", 2)


def test_without_an_answer_behind_it_nobody_knows_yet(tmp_path: Path) -> None:
    text = hook("hook_success", content="text")
    (found,) = injections(tmp_path, record(**ANSWER), text)
    assert (found.fate, found.size) == ("waiting", 4)
    side = record(**ANSWER, isSidechain=True)
    (found,) = injections(tmp_path, text, side)
    assert found.fate == "waiting"


@pytest.mark.parametrize(
    "other",
    [
        hook("hook_success", "Stop", content="text"),
        hook("hook_success", content=""),
        hook("hook_additional_context", content=["text"]),
        hook("hook_success", content=[{"type": "text"}]),
        record(type="attachment", attachment={"type": "file", "content": {"file": 1}}),
        record(type="attachment", attachment="odd"),
    ],
)
def test_other_attachments_are_no_injection(tmp_path: Path, other: dict[str, Any]) -> None:
    assert injections(tmp_path, other, record(**ANSWER)) == ()


def test_only_the_newest_injections_of_a_long_session_are_kept(tmp_path: Path) -> None:
    many = [hook("hook_success", content=f"{n}") for n in range(150)]
    found = injections(tmp_path, *many)
    assert len(found) == 100
    assert found[-1].line == 151


def test_a_damaged_line_costs_that_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    good = json.dumps(record(type="user", message={"content": "hello"})).encode()
    path.write_bytes(good + b"\n{broken\n\n" + json.dumps(hook("hook_cancelled")).encode())
    assert [each.fate for each in registry.agent_of(path).reader.injections(path)] == ["cancelled"]
