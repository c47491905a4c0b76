"""What one line says by itself, and who says it, for a search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onward.transcripts import registry
from onward.transcripts.registry import AGENTS, Agent

CLAUDE, CODEX, *_ = AGENTS


def said(client: Agent, line: Any) -> list[tuple[str, str]]:
    return [(r.by, r.text) for r in client.reader.heard(json.dumps(line).encode())]


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "sessionId": "s", "uuid": "u", "message": {"content": content}, **more}


def assistant(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "sessionId": "s", "message": {"content": [*blocks]}}


def item(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00Z", "type": "response_item", "payload": payload}


RESULT = {"type": "tool_result", "tool_use_id": "t", "content": "1 failed"}
REFUSED = (
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user "
    "said:\nUse RS256\n\nNote: The user's next message may contain a correction"
)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (user("Add a login"), [("user", "Add a login")]),
        (user("Add a login", isSidechain=True), [("agent", "Add a login")]),
        (user("rules", isMeta=True), []),
        (user("<local-command-stdout>x</local-command-stdout>"), []),
        (user("a<system-reminder>b</system-reminder>"), [("user", "a")]),
        (user([RESULT]), [("result", "1 failed")]),
        (user([{**RESULT, "content": [{"type": "text", "text": "ok"}]}]), [("result", "ok")]),
        (
            user([RESULT, {"type": "text", "text": "but use pnpm"}]),
            [("result", "1 failed"), ("user", "but use pnpm")],
        ),
        (user([{**RESULT, "content": REFUSED, "is_error": True}]), [("user", "Use RS256")]),
        (assistant({"type": "text", "text": "Done"}), [("agent", "Done")]),
        (
            assistant({"type": "thinking", "thinking": "Hm", "signature": "abc"}),
            [("agent", "Hm")],
        ),
        (
            assistant({"type": "tool_use", "name": "Bash", "input": {"command": "git push"}}),
            [("agent", "git push")],
        ),
        (
            {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and tests"}},
            [("user", "and tests")],
        ),
        (
            {"type": "queue-operation", "operation": "enqueue", "content": "and docs"},
            [("user", "and docs")],
        ),
        ({"type": "file-history-snapshot", "snapshot": {"a": "Add a login"}}, []),
        ({"type": "attachment", "attachment": {"type": "todo", "content": "x"}}, []),
        (["no", "object"], []),
    ],
)
def test_a_line_of_claude_code_says(line: Any, found: list[tuple[str, str]]) -> None:
    assert said(CLAUDE, line) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            item(type="message", role="user", content=[{"type": "input_text", "text": "Go"}]),
            [("user", "Go")],
        ),
        (
            item(
                type="message",
                role="user",
                content=[{"type": "input_text", "text": "<environment_context>x"}],
            ),
            [],
        ),
        (
            item(type="message", role="assistant", content=[{"type": "output_text", "text": "Ok"}]),
            [("agent", "Ok")],
        ),
        (item(type="message", role="developer", content=[{"text": "rules"}]), []),
        (
            item(
                type="function_call",
                name="shell",
                arguments=json.dumps({"command": ["git", "push"], "workdir": "/w"}),
            ),
            [("agent", "git push")],
        ),
        (
            item(type="custom_tool_call", name="apply_patch", input="*** Update File: a.py"),
            [("agent", "*** Update File: a.py")],
        ),
        (
            item(type="function_call_output", output=json.dumps({"output": "1 failed"})),
            [("result", "1 failed")],
        ),
        (item(type="function_call_output", output="Exit code: 0"), [("result", "Exit code: 0")]),
        (
            item(type="function_call_output", output="Exit code: 1\nOutput:\n1 failed"),
            [("result", "1 failed")],
        ),
        (item(type="custom_tool_call_output", output='"quoted"'), [("result", '"quoted"')]),
        (
            item(type="reasoning", summary=[{"text": "Plan"}], encrypted_content="xyz"),
            [("agent", "Plan")],
        ),
        ({"type": "event_msg", "payload": {"type": "user_message", "message": "Go"}}, []),
        ({"type": "compacted", "payload": {"message": "Summary"}}, [("agent", "Summary")]),
        (
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Go"}]},
            [("user", "Go")],
        ),
    ],
)
def test_a_line_of_codex_says(line: Any, found: list[tuple[str, str]]) -> None:
    assert said(CODEX, line) == found


def files(client: Agent, line: Any) -> list[str]:
    return [path for r in client.reader.heard(json.dumps(line).encode()) for path in r.files]


def test_the_files_that_a_call_touches_are_told() -> None:
    edit = {"type": "tool_use", "name": "Edit", "input": {"file_path": "/w/a.py", "old_string": ""}}
    run = {"type": "tool_use", "name": "Bash", "input": {"command": "pytest tests/b.py -q"}}
    assert files(CLAUDE, assistant(edit, run)) == ["/w/a.py", "tests/b.py"]
    patch = "*** Begin Patch\n*** Update File: c.py\n+import os.path\n*** Move to: d.py\n"
    assert files(CODEX, item(type="custom_tool_call", input=patch)) == ["c.py", "d.py"]
    beside = {"filePath": "/w/a.py"}
    assert files(CLAUDE, user([RESULT], toolUseResult=beside)) == ["/w/a.py"]


def test_a_record_carries_when_and_where() -> None:
    line = user("Go", timestamp="2026-03-01T10:00:00Z", cwd="/w", gitBranch="main", sessionId="abc")
    (record,) = CLAUDE.reader.heard(json.dumps(line).encode())
    assert (record.at, record.cwd, record.branch, record.session) == (
        "2026-03-01T10:00:00Z",
        "/w",
        "main",
        "abc",
    )


def test_the_first_line_tells_whose_file_it_is_and_where_it_began() -> None:
    meta = {"id": "abc", "cwd": "/w", "git": {"branch": "main"}, "source": {"subagent": {}}}
    head = json.dumps({"type": "session_meta", "payload": meta}).encode() + b"\n{}\n"
    assert registry.client_of(head) is CODEX
    facts = CODEX.reader.facts(head)
    assert (facts.session, facts.cwd, facts.branch, facts.helper) == ("abc", "/w", "main", True)
    head = b"{}\n" + json.dumps(user("x", cwd="C:\\w", gitBranch="main")).encode()
    assert registry.client_of(head) is CLAUDE
    facts = CLAUDE.reader.facts(head)
    assert (facts.session, facts.cwd, facts.branch, facts.helper) == ("s", "C:\\w", "main", False)
    assert registry.client_of(b'{"any": "thing"}') is None


def test_a_thread_of_the_first_generation_tells_them_too() -> None:
    told = "<environment_context>\n  <cwd>/w</cwd>\n"
    lines = [
        {"id": "abc", "timestamp": "2025-08-01T10:00:00Z", "git": {}},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": told}]},
    ]
    head = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    assert registry.client_of(head) is CODEX
    facts = CODEX.reader.facts(head)
    assert (facts.session, facts.cwd, facts.at) == ("abc", "/w", "2025-08-01T10:00:00Z")


def test_a_damaged_line_is_read_as_far_as_it_can_be() -> None:
    raw = json.dumps(user("Caf\u00e9 \u914d\u7f6e"), ensure_ascii=False).encode("utf-8")
    damaged = raw.replace(b"\xc3\xa9", b"\xff") + b"\0"
    assert [r.text for r in CLAUDE.reader.heard(damaged)] == ["Caf\ufffd \u914d\u7f6e"]
    with pytest.raises(ValueError, match=r"."):
        CLAUDE.reader.heard(raw[:-5])
    with pytest.raises(ValueError, match=r"."):
        CLAUDE.reader.heard(b"[" * 100_000)


def test_every_transcript_is_found_sub_agents_too_and_faults_are_told(tmp_path: Path) -> None:
    top = tmp_path / ".claude/projects"
    wanted = [
        top / "-w/a.jsonl",
        top / "-w/agent-old.jsonl",
        top / "-w/a/subagents/agent-new.jsonl",
    ]
    others = [top / "loose.jsonl", top / "-w/a/tool-results/x.jsonl", top / "-w/a/b/c/d/x.jsonl"]
    for path in (*wanted, *others):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    faults: list[OSError] = []
    assert sorted(CLAUDE.files(tmp_path, {}, faults)) == sorted(wanted)
    assert faults == []
    assert [*CLAUDE.files(tmp_path / "none", {}, faults)] == []
    assert [type(fault) for fault in faults] == [FileNotFoundError]
