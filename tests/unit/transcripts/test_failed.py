"""Which results of tool calls failed, as each client itself notes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from onward.decode import Records
from onward.transcripts import tool_calls
from onward.transcripts.registry import AGENTS

CLIENTS = {client.NAME: client for client in AGENTS}
PRINTED = {"chunk_id": "6d900c", "exit_code": 1, "output": "bwrap: Permission denied\n"}


def claude(content: str, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "t", "content": content, **more}
    return {"type": "user", "sessionId": "s", "uuid": "u", "message": {"content": [block]}}


def codex(output: Any) -> dict[str, Any]:
    body = {"type": "function_call_output", "call_id": "t", "output": output}
    return {"timestamp": "2026-03-01T10:00:00Z", "type": "response_item", "payload": body}


def opencode(status: str = "completed", **state: Any) -> dict[str, Any]:
    data = {"type": "tool", "tool": "bash", "callID": "t", "state": {"status": status, **state}}
    return {"opencode": "part", "id": "p", "role": "assistant", "created": 1, "data": data}


def copilot(**data: Any) -> dict[str, Any]:
    return {"type": "tool.execution_complete", "data": {"toolCallId": "t", **data}}


def ended(code: int) -> str:
    return f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\nx"


REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected"


@pytest.mark.parametrize(
    ("client", "line", "failed"),  # None for what the user refused
    [
        ("claude-code", claude("Exit code 1\nx", is_error=True), True),
        ("claude-code", claude("Exit code 1: an error, FAILED"), False),
        ("claude-code", claude(REFUSED, is_error=True), None),
        ("codex", codex(ended(2)), True),
        ("codex", codex(ended(0)), False),
        ("codex", codex('{"output":"x","metadata":{"exit_code":127}}'), True),
        ("codex", codex('{"output":"exit_code 1","metadata":{"exit_code":0}}'), False),
        ("codex", codex("apply_patch verification failed: no such file"), True),
        ("codex", codex("error: all of it failed"), False),
        ("codex", codex("exec command rejected by user"), None),
        ("codex", codex([{"text": "Script failed\nWall time 1 seconds\nOutput:\n"}]), True),
        (
            "codex",
            codex(
                [
                    {"text": "Script completed\nWall time 1 seconds\nOutput:\n"},
                    {"text": json.dumps(PRINTED)},
                ]
            ),
            True,
        ),
        ("opencode", opencode(output="x", metadata={"exit": 1}), True),
        ("opencode", opencode(metadata={"exit": 1}), True),
        ("opencode", opencode(output="error", metadata={"exit": 0}), False),
        ("opencode", opencode("error", error="no such file"), True),
        (
            "opencode",
            opencode("error", error="The user rejected permission to use this specific tool call"),
            None,
        ),
        ("copilot", copilot(success=False, error={"message": "no such file"}), True),
        ("copilot", copilot(success=False, error={"message": "no", "code": "rejected"}), None),
        ("copilot", copilot(success=True, result={"content": "error"}), False),
        (
            "copilot",
            copilot(success=True, result={"content": "1 failed"}, shellExecution={"exitCode": 1}),
            True,
        ),
    ],
)
def test_a_result_that_failed_is_told_by_its_clients_own_sign(
    client: str, line: dict[str, Any], failed: bool | None
) -> None:
    raw = json.dumps(line, separators=(",", ":")).encode()
    (record,) = (r for r in CLIENTS[client].reader.heard(raw) if not r.tool)
    assert (record.failed, record.call) == (bool(failed), "t")
    marked = "✗ result" in CLIENTS[client].reader.render(raw).text
    assert marked == (failed is not False)


PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** End Patch"


@pytest.mark.parametrize(
    ("client", "line"),
    [
        (
            "claude-code",
            {
                "type": "assistant",
                "sessionId": "s",
                "message": {
                    "content": [
                        {"type": "tool_use", "id": "t", "name": name, "input": {"file_path": path}}
                        for name, path in (("Write", "src/a.py"), ("Read", "src/b.py"))
                    ]
                },
            },
        ),
        (
            "codex",
            {
                "type": "response_item",
                "payload": {"type": "custom_tool_call", "name": "apply_patch", "input": PATCH},
            },
        ),
        (
            "opencode",
            {
                "opencode": "part",
                "data": {
                    "type": "tool",
                    "tool": "apply_patch",
                    "state": {"status": "completed", "input": {"patchText": PATCH}},
                },
            },
        ),
        (
            "copilot",
            {
                "type": "tool.execution_start",
                "data": {"toolName": "create", "arguments": {"path": "src/a.py"}},
            },
        ),
    ],
)
def test_a_call_that_edits_a_file_is_told_with_it(client: str, line: dict[str, Any]) -> None:
    found = CLIENTS[client].reader.heard(json.dumps(line).encode())
    assert [r.files for r in found if r.edits] == [("src/a.py",)]
    assert [r.files for r in found if r.tool and not r.edits] == [("src/b.py",)] * (len(found) > 1)


def test_a_result_within_json_is_shown_as_text_with_its_status() -> None:
    raw = json.dumps(codex('{"output":"a\\nb","metadata":{"exit_code":127}}')).encode()
    assert CLIENTS["codex"].reader.render(raw).text == "✗ result, exit status 127\na\nb"


def test_the_patch_of_a_record_is_shown_once() -> None:
    line = claude("one")
    line["message"]["content"].append({"type": "tool_result", "tool_use_id": "u", "content": "two"})
    line["toolUseResult"] = {"structuredPatch": [{"newStart": 3, "lines": ["-x", "+y"]}]}
    shown = CLIENTS["claude-code"].reader.render(json.dumps(line).encode()).text
    assert shown == "✓ result\none\n✓ result\ntwo\n@@ line 3 @@\n-x\n+y"


def said(kind: str, content: Any) -> dict[str, Any]:
    return {"type": kind, "sessionId": "s", "uuid": "u", "message": {"content": content}}


def item(content: Any, role: str = "user") -> dict[str, Any]:
    body = {"type": "message", "role": role, "content": content}
    return {"type": "response_item", "payload": body}


SEARCHED = {"type": "web_search_tool_result", "content": [{"url": "https://a.example"}]}


@pytest.mark.parametrize(
    ("client", "line", "shown"),
    [
        ("codex", item("Fix it"), "Fix it"),
        ("codex", item("Fixed", "assistant"), "Fixed"),
        ("codex", item(["Fix it", {"type": "input_text", "text": "now"}]), "Fix it\nnow"),
        ("codex", codex(["a", {"text": "b"}]), "✓ result\na\nb"),
        ("claude-code", said("user", ["Fix", {"type": "text", "text": "it"}]), "Fix\nit"),
        ("claude-code", said("assistant", ["Fixed"]), "Fixed"),
        ("claude-code", claude(["a", "b"]), "✓ result\na\nb"),  # type: ignore[arg-type]
        ("claude-code", said("assistant", [SEARCHED]), "https://a.example"),
        ("opencode", opencode("running", input={"command": "make"}), "✓ result\nrunning"),
        ("opencode", opencode(input={"command": "make"}), "make\n✓ result\ncompleted"),
        ("opencode", opencode(metadata={"exit": 1}), "✗ result\ncompleted"),
        (
            "copilot",
            {"type": "tool.user_requested", "data": {"toolName": "bash", "arguments": {"c": "ls"}}},
            "→ bash\n  c: ls",
        ),
    ],
)
def test_a_line_is_shown_with_all_that_it_says(
    client: str, line: dict[str, Any], shown: str
) -> None:
    found = CLIENTS[client].reader.render(json.dumps(line).encode())
    assert shown in found.text
    assert found.inner == (SEARCHED in line.get("message", {}).get("content", ()))


@pytest.mark.parametrize(
    ("client", "line"),
    [
        ("claude-code", claude("x")),
        ("codex", codex("x")),
        ("opencode", opencode(output="x", input={"command": "make"})),
        ("copilot", copilot(success=True, result={"content": "x"})),
    ],
)
def test_a_search_makes_nothing_for_a_user_to_read(
    monkeypatch: pytest.MonkeyPatch, client: str, line: dict[str, Any]
) -> None:
    for name in ("show", "show_result"):
        monkeypatch.setattr(tool_calls, name, lambda *_, **__: pytest.fail("was made"))
    found = CLIENTS[client].reader.heard(json.dumps(line).encode())
    assert found[-1].text == "x"
    assert found[-1].shown is None


def test_a_file_that_is_wanted_whole_is_read_as_one_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = tmp_path / "a.jsonl", Records.read
    path.write_text(f"{json.dumps(claude('x'))}\n" * 3)
    streams: list[object] = []

    def noted(self: Any, stream: BinaryIO) -> Any:
        streams.append(stream)
        return read(self, stream)

    monkeypatch.setattr(Records, "read", noted)
    found = [line for line, _ in CLIENTS["claude-code"].reader.sought(path)]
    assert (found, len(streams)) == ([1, 2, 3], 1)


def test_a_sub_agent_in_the_background_that_failed_is_told() -> None:
    told = "<task-notification>\n<task-id>a</task-id>\n<status>{}</status>\n<summary>x</summary>"
    for status in ("failed", "completed"):
        line = claude("")
        line["message"]["content"] = told.format(status) + "\n</task-notification>"
        (record,) = CLIENTS["claude-code"].reader.heard(json.dumps(line).encode())
        assert (record.by, record.failed) == ("result", status == "failed")


@pytest.mark.parametrize(
    ("client", "line"),
    [
        (
            "claude-code",
            {
                "type": "assistant",
                "sessionId": "s",
                "isApiErrorMessage": True,
                "message": {"content": [{"type": "text", "text": "Limit reached"}]},
            },
        ),
        ("codex", {"type": "event_msg", "payload": {"type": "error", "message": "Limit reached"}}),
        (
            "opencode",
            {
                "opencode": "message",
                "role": "assistant",
                "data": {"error": {"name": "APIError", "data": {"message": "Limit reached"}}},
            },
        ),
        ("copilot", {"type": "session.error", "data": {"message": "Limit reached"}}),
    ],
)
def test_what_stopped_the_agent_itself_failed_too(client: str, line: dict[str, Any]) -> None:
    (record,) = CLIENTS[client].reader.heard(json.dumps(line).encode())
    assert (record.by, record.text, record.failed) == ("result", "Limit reached", True)


def test_what_the_user_stopped_did_not_fail() -> None:
    error = {"name": "MessageAbortedError", "data": {"message": "aborted"}}
    line = {"opencode": "message", "role": "assistant", "data": {"error": error}}
    assert CLIENTS["opencode"].reader.heard(json.dumps(line).encode()) == []


def test_a_script_among_the_words_of_a_command_is_shown_in_its_lines() -> None:
    given = {"command": ["bash", "-lc", "cat <<E\nx\nE"], "workdir": "/w"}
    body = {"type": "function_call", "name": "shell", "arguments": json.dumps(given)}
    raw = json.dumps({"type": "response_item", "payload": body}).encode()
    shown = CLIENTS["codex"].reader.render(raw).text
    assert shown == "→ shell\n  command: cat <<E\nx\nE\n  workdir: /w"
