from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals import reading
from evals.entries import Call, Compacted, Prompt, Reply, results
from evals.truth import todos


def typed(found: Any) -> list[str]:
    return [entry.text for entry in found.entries if isinstance(entry, Prompt)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Fix the parser", "Fix the parser"),
        ("<system-reminder>x</system-reminder>Fix it", "Fix it"),
        (
            "<command-message>fix</command-message><command-name>/fix</command-name><command-args>issue 12</command-args>",
            "/fix issue 12",
        ),
        ("<command-name>/clear</command-name>", ""),
        ("<local-command-stdout>bye</local-command-stdout>", ""),
        ("[Request interrupted by user]", ""),
        ("This session is being continued from a previous conversation that …", ""),
        ("<task-notification>done</task-notification>", ""),
    ],
)
def test_only_what_was_typed_is_a_prompt(
    tmp_path: Path, writer: Callable[..., Any], text: str, said: str
) -> None:
    w = writer()
    w.says(text)
    assert typed(reading.read(w.write(tmp_path / "a.jsonl"))) == ([said] if said else [])


def test_a_queued_prompt_counts_once(tmp_path: Path, writer: Callable[..., Any]) -> None:
    w = writer()
    w.put("queue-operation", operation="enqueue", content="stop, use the other table")
    w.put("queue-operation", operation="enqueue", content="and then push")
    w.says("and then push")
    found = typed(reading.read(w.write(tmp_path / "a.jsonl")))
    assert found == ["stop, use the other table", "and then push"]


def test_a_task_list_kept_entry_by_entry_is_replayed(
    tmp_path: Path, writer: Callable[..., Any]
) -> None:
    w = writer()
    w.calls("TaskCreate", {"subject": "Write it"}, "Task #1 created successfully: Write it")
    w.calls("TaskCreate", {"subject": "Test it"}, "Task #2 created successfully: Test it")
    w.calls("TaskUpdate", {"taskId": "1", "status": "completed"}, "Updated task #1 status")
    found = reading.read(w.write(tmp_path / "a.jsonl"))
    assert todos(found.entries) == {"Write it": "completed", "Test it": "pending"}


@pytest.mark.parametrize(
    ("content", "bad", "status"),
    [
        ("Exit code 2\nboom", True, 2),
        ("Error: no such thing", True, 1),
        ("fine", False, 0),
        ("The user doesn't want to proceed with this tool use.", True, None),
    ],
)
def test_a_refused_command_has_no_status(
    tmp_path: Path, writer: Callable[..., Any], content: str, bad: bool, status: int | None
) -> None:
    w = writer()
    w.runs("make test", content, bad=bad)
    (result,) = results(reading.read(w.write(tmp_path / "a.jsonl")).entries).values()
    assert result.status == status


# ---------------------------------------------------------------------------------- Codex


def rollout(path: Path, *items: tuple[str, dict[str, Any]]) -> Any:
    meta = ("session_meta", {"id": "c1", "cwd": "/w/app", "git": {"branch": "topic"}})
    lines: list[dict[str, Any]] = [
        {"timestamp": f"2026-03-01T09:00:{n:02d}Z", "type": kind, "payload": load}
        for n, (kind, load) in enumerate((meta, *items))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return reading.read(path)


def message(role: str, text: str) -> tuple[str, dict[str, Any]]:
    content = [{"type": "input_text", "text": text}]
    return "response_item", {"type": "message", "role": role, "content": content}


def called(name: str, given: Any, output: Any) -> list[tuple[str, dict[str, Any]]]:
    call = {"type": "function_call", "name": name, "arguments": json.dumps(given), "call_id": name}
    end = {"type": "function_call_output", "call_id": name, "output": output}
    return [("response_item", call), ("response_item", end)]


def test_a_rollouts_prompts_are_read_without_what_the_client_injects(tmp_path: Path) -> None:
    found = rollout(
        tmp_path / "r.jsonl",
        message("user", "<environment_context><cwd>/w</cwd></environment_context>"),
        message("user", "# AGENTS.md instructions for /w\nbe nice"),
        message("user", "# Context from my IDE setup:\n## My request for Codex:\nFix it"),
        message("assistant", "Done."),
    )
    assert typed(found) == ["Fix it"]
    assert [e.text for e in found.entries if isinstance(e, Reply)] == ["Done."]
    assert (found.agent, found.folders, found.branches) == ("codex", ("/w/app",), ((1, "topic"),))


def test_a_prompt_that_is_written_as_event_and_message_counts_once(tmp_path: Path) -> None:
    event = ("event_msg", {"type": "user_message", "message": "Fix it"})
    assert typed(rollout(tmp_path / "r.jsonl", event, message("user", "Fix it"))) == ["Fix it"]
    item = {"type": "UserMessage", "content": [{"type": "text", "text": "Fix it"}]}
    done = ("event_msg", {"type": "item_completed", "item": item})
    assert typed(rollout(tmp_path / "s.jsonl", done, message("user", "Fix it"))) == ["Fix it"]


@pytest.mark.parametrize(
    ("name", "given", "output", "script", "status"),
    [
        (
            "shell",
            {"command": ["bash", "-lc", "make test"]},
            '{"output":"x","metadata":{"exit_code":3}}',
            "make test",
            3,
        ),
        ("shell_command", {"command": "make test"}, "Exit code: 4\nOutput:\nx", "make test", 4),
        ("exec_command", {"cmd": "make"}, "Process exited with code 5\nOutput:\n", "make", 5),
        ("exec_command", {"cmd": "make"}, "exec command rejected by user", "make", None),
    ],
)
def test_each_generations_commands_are_read(
    tmp_path: Path, name: str, given: Any, output: str, script: str, status: int | None
) -> None:
    found = rollout(tmp_path / "r.jsonl", *called(name, given, output))
    (call,) = (e for e in found.entries if isinstance(e, Call))
    assert call.script == script
    assert results(found.entries)[call.id].status == status


def test_a_command_that_outlived_its_call_ends_with_its_poll(tmp_path: Path) -> None:
    found = rollout(
        tmp_path / "r.jsonl",
        *called("exec_command", {"cmd": "make"}, "Process running with session ID 7\nOutput:\n"),
        *called("write_stdin", {"session_id": 7, "chars": ""}, "Process exited with code 0\n"),
    )
    (call,) = (e for e in found.entries if isinstance(e, Call))
    assert results(found.entries)[call.id].status == 0


def test_patches_name_the_files_that_they_change(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: b.md\n+z\n"
    script = {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{patch}*** End Patch\nEOF"]}
    program = {
        "type": "custom_tool_call",
        "name": "exec",
        "input": 'const r = await tools.exec_command({"cmd":"make \\"all\\""});',
        "call_id": "p",
    }
    found = rollout(
        tmp_path / "r.jsonl", *called("shell", script, "ok"), ("response_item", program)
    )
    one, other = (e for e in found.entries if isinstance(e, Call))
    assert (one.edits, one.script) == (("src/a.py", "b.md"), "")
    assert other.script == 'make "all"'


def test_a_sealed_summary_is_a_compaction_without_words(tmp_path: Path) -> None:
    found = rollout(tmp_path / "r.jsonl", ("compacted", {"message": ""}))
    assert [e.summary for e in found.entries if isinstance(e, Compacted)] == [""]


def test_the_oldest_rollouts_are_read(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": "c0", "timestamp": "2025-06-01T09:00:00Z", "instructions": "", "git": None},
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "Hi there"}],
        },
        {"record_type": "state"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert typed(reading.read(path)) == ["Hi there"]


def test_a_file_of_nobody_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"role": "user"}\n', "utf-8")
    with pytest.raises(reading.UnknownShapeError):
        reading.read(path)
