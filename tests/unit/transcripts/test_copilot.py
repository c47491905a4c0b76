"""Sessions of GitHub Copilot CLI: a file of events each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onward import model
from onward.transcripts import registry

ID = "b707ff5e-f7ad-43eb-a48a-8617584a5a57"
START: tuple[str, dict[str, Any]] = (
    "session.start",
    {
        "sessionId": ID,
        "copilotVersion": "1.0.102",
        "context": {"cwd": "/home/dev/demo", "branch": "main"},
    },
)


def said(text: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "user.message", {"content": text, "transformedContent": f"<x>{text}</x>", **more}


def call(n: int, name: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return (
        "tool.execution_start",
        {"toolCallId": f"c{n}", "toolName": name, "arguments": arguments},
    )


def result(n: int, content: str = "", **more: Any) -> tuple[str, dict[str, Any]]:
    told = {"toolCallId": f"c{n}", "success": True, "result": {"content": content}}
    return "tool.execution_complete", {**told, **more}


def write(home: Path, *events: tuple[str, dict[str, Any]], helper: str = "") -> Path:
    path = home / ".copilot/session-state" / ID / "events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for n, (kind, data) in enumerate((START, *events)):
        line: dict[str, Any] = {"type": kind, "data": data, "id": f"e{n}"}
        line |= {"timestamp": f"2026-11-23T05:08:{n:02}.000Z", "parentId": None}
        if helper and data.get("by") == "helper":
            line["agentId"] = helper
        lines.append(json.dumps(line, separators=(",", ":")))
    path.write_text("\n".join(lines) + "\n")
    return path


def read(path: Path, kind: type[model.Event] = model.Event) -> list[Any]:
    return [event for event in registry.open_transcript(path) if isinstance(event, kind)]


def test_a_session_is_found_by_its_folder_with_what_the_user_typed(tmp_path: Path) -> None:
    write(tmp_path, said("Fix the parser"))
    (info,) = registry.find_sessions(tmp_path, {}, cwd="/home/dev/demo")
    told = (info.agent, info.session, info.branch, info.title, info.prompts)
    assert told == ("copilot", ID, "main", "Fix the parser", 1)
    assert registry.start("copilot", ID) == ["copilot", f"--resume={ID}"]
    assert registry.current({"COPILOT_AGENT_SESSION_ID": ID}) == ID


def test_a_tool_that_ran_well_may_hold_a_command_that_failed(tmp_path: Path) -> None:
    shown = "1 failed\n<shellId: 0 completed with exit code 1>"
    path = write(
        tmp_path,
        said("Run it"),
        call(1, "bash", {"command": "pytest -q", "description": "tests"}),
        result(1, shown, shellExecution={"exitCode": 1}),
    )
    (ran,) = read(path, model.Ran)
    assert (ran.failed, ran.exit_code, ran.output) == (True, 1, "1 failed")
    assert ran.cwd == "/home/dev/demo"


def test_what_tools_did_becomes_the_same_events_as_of_every_agent(tmp_path: Path) -> None:
    diff = "\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
    made = "\ndiff --git a/y b/y\ncreate file mode 100644\n@@ -1,0 +1,1 @@\n+x\n"
    path = write(
        tmp_path,
        said("Do it"),
        call(1, "edit", {"path": "/p/x", "old_str": "b", "new_str": "B"}),
        result(1, result={"content": "ok", "detailedContent": diff}),
        call(2, "create", {"path": "/p/y", "file_text": "x\n"}),
        result(2, result={"content": "ok", "detailedContent": made}),
        call(3, "view", {"path": "/p/x", "view_range": [3, 6]}),
        result(3, "text"),
        call(4, "grep", {"pattern": "def", "path": "/p"}),
        result(4, "/p/x"),
        call(5, "edit", {"path": "/p/x", "old_str": "?", "new_str": "B"}),
        ("tool.execution_complete", {"toolCallId": "c5", "success": False,
                                     "error": {"message": "No match found", "code": "failure"}}),
    )  # fmt: skip
    edits = [(each.path, each.change, each.spans) for each in read(path, model.Edited)]
    assert edits == [("/p/x", "edited", ((2, 2),)), ("/p/y", "created", ((1, 1),))]
    assert [each.span for each in read(path, model.Looked)] == [(3, 6)]
    assert [each.found for each in read(path, model.Searched)] == [("/p/x",)]
    assert [each.error for each in read(path, model.Used)] == ["No match found"]


def test_a_command_in_the_background_is_followed_to_its_end(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        said("Serve"),
        call(1, "bash", {"command": "make", "mode": "async"}),
        result(1, "<command started in background with shellId: 7>"),
        call(2, "read_bash", {"shellId": "7"}),
        result(2, "built\n<shellId: 7 completed with exit code 2>"),
        ("system.notification", {"kind": {"type": "shell_completed", "shellId": "7", "exitCode": 2}}),
    )  # fmt: skip
    (ran,) = read(path, model.Ran)
    assert (ran.background, ran.exit_code) == ("7", None)
    assert [(each.id, each.state, each.output) for each in read(path, model.Background)] == [
        ("7", "failed", "built")
    ]


def test_a_turn_ends_with_an_answer_that_asks_for_no_tool(tmp_path: Path) -> None:
    turn: tuple[str, dict[str, Any]] = ("assistant.turn_end", {})
    path = write(
        tmp_path,
        said("Go"),
        ("assistant.message", {"content": "I look", "toolRequests": [{"name": "view"}]}),
        turn,
        ("assistant.message", {"content": "Done", "toolRequests": []}),
        turn,
    )
    assert [(e.text, e.more) for e in read(path, model.Reply)] == [
        ("I look", True),
        ("Done", False),
    ]
    assert [each.line for each in read(path, model.TurnEnded)] == [6]


def test_a_sub_agent_stands_in_the_file_of_its_session(tmp_path: Path) -> None:
    by: dict[str, Any] = {"by": "helper"}
    path = write(
        tmp_path,
        said("Delegate"),
        call(1, "task", {"prompt": "Look at it"}),
        ("subagent.started", {"toolCallId": "c1", **by}),
        said("Look at it", source="agent-x", **by),
        ("assistant.message", {"content": "All well", "toolRequests": [], **by}),
        ("assistant.turn_end", by),
        ("subagent.completed", {"toolCallId": "c1", **by}),
        result(1, "All well"),
        helper="h1",
    )
    assert [each.text for each in read(path, model.Prompt)] == ["Delegate"]
    (done,) = read(path, model.Delegated)
    assert (done.thread, done.agent, done.task, done.report) == ("", "h1", "Look at it", "All well")
    (reply,) = read(path, model.Reply)
    reader = registry.agent_of(path).reader
    line = dict(reader.numbered(path, reply.line, reply.thread))[reply.line]
    assert (reply.thread, reader.render(line).text) == ("h1", "All well")


def test_how_a_session_stopped_is_known(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        said("Go"),
        call(1, "bash", {"command": "rm -r x"}),
        ("tool.execution_complete", {"toolCallId": "c1", "success": False,
                                     "error": {"message": "no", "code": "rejected"}}),
        call(2, "bash", {"command": "make"}),
        ("abort", {"reason": "user initiated"}),
        ("session.error", {"message": "quota exceeded"}),
        ("session.compaction_complete", {"success": True, "trigger": "auto", "summaryContent": "S"}),
        call(3, "bash", {"command": "sleep 9"}),
    )  # fmt: skip
    kinds = [type(each).__name__ for each in read(path)]
    assert kinds == ["Moved", "Prompt", "Refusal", "Ran", "Interrupt", "Halt", "Compacted", "Ran"]
    assert [each.state for each in read(path, model.Ran)] == ["interrupted", "open"]


def test_what_the_user_went_back_behind_was_not_said(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        said("Keep"),
        said("Never mind"),
        ("session.snapshot_rewind", {"upToEventId": "e2", "eventsRemoved": 1}),
        said("Instead"),
    )
    assert [each.text for each in read(path, model.Prompt)] == ["Keep", "Instead"]


@pytest.mark.parametrize("line", ["{torn", "[]", '{"type": 5, "data": []}', '{"type":"abort"}'])
def test_a_line_that_is_broken_costs_itself_alone(tmp_path: Path, line: str) -> None:
    path = write(tmp_path, said("Go"))
    path.write_text(path.read_text() + line + "\n" + json.dumps({
        "type": "user.message", "data": {"content": "On"}, "id": "z"}) + "\n")  # fmt: skip
    assert [each.text for each in read(path, model.Prompt)] == ["Go", "On"]


def test_of_a_request_that_stands_twice_the_users_words_alone_are_told(tmp_path: Path) -> None:
    told = "Fix it\n\n<reminder>x</reminder>\n<userRequest>\nFix it\n</userRequest>"
    twice = f"<userRequest>\nx\n</userRequest>\n{told}"
    for words in (told, twice):
        assert [p.text for p in read(write(tmp_path, said(words)), model.Prompt)] == ["Fix it"]
