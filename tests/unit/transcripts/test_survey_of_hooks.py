"""What a transcript tells of its client: kinds of record, and what became of hooks' texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onward.transcripts import registry
from onward.transcripts.agent import Survey

ANSWER = {"type": "assistant", "message": {"content": [{"type": "text", "text": "Yes."}]}}


def record(**more: Any) -> dict[str, Any]:
    return {"sessionId": "s", "uuid": "u", "version": "2.1.330", **more}


def hook(kind: str, event: str = "SessionStart", **more: Any) -> dict[str, Any]:
    inner = {"type": kind, "hookEvent": event, "command": "sh hook.sh", **more}
    return record(type="attachment", timestamp="2026-03-01T13:00:00.000Z", attachment=inner)


def survey(tmp_path: Path, *lines: dict[str, Any]) -> Survey:
    path = tmp_path / "s.jsonl"
    first = record(type="user", message={"content": "hello"})
    path.write_text("".join(json.dumps(line) + "\n" for line in (first, *lines)))
    return registry.agent_of(path).reader.survey(path)


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
    (found,) = survey(tmp_path, attachment, record(**ANSWER)).injections
    assert (found.fate, found.command, found.line) == (fate, "sh hook.sh", 2)


def test_without_an_answer_behind_it_nobody_knows_yet(tmp_path: Path) -> None:
    text = hook("hook_success", content="text")
    (found,) = survey(tmp_path, record(**ANSWER), text).injections
    assert (found.fate, found.size) == ("waiting", 4)
    side = record(**ANSWER, isSidechain=True)
    (found,) = survey(tmp_path, text, side).injections
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
    assert survey(tmp_path, other, record(**ANSWER)).injections == ()


def test_only_the_newest_injections_of_a_long_session_are_kept(tmp_path: Path) -> None:
    many = [hook("hook_success", content=f"{n}") for n in range(150)]
    found = survey(tmp_path, *many).injections
    assert len(found) == 100
    assert found[-1].line == 151


def test_kinds_of_record_that_no_reader_knows_are_counted(tmp_path: Path) -> None:
    found = survey(tmp_path, record(type="dream"), record(type="dream"), record(), {"mode": 1})
    assert found.unknown == {"dream": 2, "": 2}
    assert found.version == "2.1.330"


def test_a_damaged_line_costs_that_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    good = json.dumps(record(type="user", message={"content": "hello"})).encode()
    path.write_bytes(good + b"\n{broken\n\n" + json.dumps(hook("hook_cancelled")).encode())
    assert [each.fate for each in registry.agent_of(path).reader.survey(path).injections] == [
        "cancelled"
    ]
