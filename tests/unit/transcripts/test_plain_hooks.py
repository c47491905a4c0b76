"""What opencode's plugin and the hooks of Copilot CLI ask of us."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from tests.unit.transcripts.opencode_rows import FIRST, database, dialogue

from onward.transcripts.hook_call import client

TOLD = "User should run /resume-latest to restore context"


def lines(*records: object) -> bytes:
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records).encode()


def test_a_turn_of_opencode_brings_its_copy_up_to_date(tmp_path: Path) -> None:
    dialogue(database(tmp_path, FIRST))
    env = {"HOME": str(tmp_path), "ONWARD_DATA": str(tmp_path / "data")}
    payload = {"session_id": "ses_a", "cwd": "/p", "prompt_id": "msg_1"}
    asked = client("opencode").parse("prompt", payload, env)
    assert not Path(asked.transcript).exists()
    call = client("opencode").parse("turn", payload, env, 7)
    assert (call.session, call.project, call.prompt_id, call.pid) == ("ses_a", "/p", "msg_1", 7)
    assert Path(call.transcript).read_text().startswith('{"opencode":"session"')


@pytest.mark.parametrize("session", ["../../evil", "a/b", "", "x" * 200])
def test_a_session_of_an_odd_name_leads_nowhere(tmp_path: Path, session: str) -> None:
    env = {"HOME": str(tmp_path), "ONWARD_DATA": str(tmp_path / "data")}
    assert client("opencode").parse("turn", {"session_id": session}, env).transcript == ""
    if "/" in session:
        assert client("copilot").parse("start", {"sessionId": session}, env).transcript == ""


def test_opencode_tells_of_tokens_and_not_of_the_contexts_size() -> None:
    message = {"opencode": "message", "data": {"tokens": {"total": 900}}}
    summary = {"opencode": "message", "data": {"summary": True, "tokens": {"total": 5}}}
    assert client("opencode").used(lines(message, {"opencode": "part", "data": {}})) == (900, 0)
    assert client("opencode").used(lines(message, summary)) == (0, 0)
    assert client("opencode").used(lines({"opencode": "message", "data": {"tokens": "many"}})) == (
        0,
        0,
    )
    assert "`onward backup resume`" in client("opencode").form("start", TOLD)


def test_copilot_is_answered_in_its_own_form() -> None:
    told = json.loads(client("copilot").form("start", TOLD))
    assert told == {
        "additionalContext": "User should run `onward backup resume` to restore context"
    }
    assert client("copilot").form("turn", TOLD) == client("copilot").form("start", " \n") == ""


def test_copilot_names_the_project_and_the_transcript_is_found(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "COPILOT_PROJECT_DIR": "/p"}
    call = client("copilot").parse(
        "start", {"sessionId": "s1", "cwd": "/p/sub", "source": "new"}, env
    )
    assert (call.session, call.project, call.detail) == ("s1", "/p", "startup")
    assert call.transcript == f"{tmp_path}/.copilot/session-state/s1/events.jsonl"
    moved = client("copilot").parse("start", {"sessionId": "s1"}, {**env, "COPILOT_HOME": "/x"})
    assert moved.transcript == "/x/session-state/s1/events.jsonl"


def test_copilots_transcript_is_waited_for_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events.jsonl"
    payload = {"sessionId": "s1", "transcriptPath": str(path), "timestamp": 1234567890123}
    waits = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            path.write_bytes(lines({"type": "hook.start", "data": {"input": payload}}))

    monkeypatch.setattr(time, "sleep", sleep)
    client("copilot").parse("end", payload, {})
    assert len(waits) == 3
    path.write_text("")
    client("copilot").parse("turn", payload, {})
    assert len(waits) == 53


def test_copilot_tells_of_tokens_and_of_the_contexts_size() -> None:
    usage = {"inputTokens": 800, "outputTokens": 100, "maxPromptTokens": 1000}
    record = {"type": "session.usage_record", "data": {"usage": usage}}
    done = {"type": "session.compaction_complete", "data": {}}
    assert client("copilot").used(lines(record, {"type": "hook.end"})) == (900, 1000)
    assert client("copilot").used(lines(record, done)) == (0, 0)
    assert client("copilot").used(b'{"type":"session.usage_record","data":[]}\n') == (0, 0)
