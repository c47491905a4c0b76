"""Sessions of opencode, which keeps all of them in one database."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.unit.transcripts.opencode_rows import (
    FIRST,
    NOW,
    SECOND,
    database,
    dialogue,
    fill,
    message,
    part,
    session,
    tool,
)

from onward import model
from onward.transcripts import registry


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"ONWARD_DATA": str(tmp_path / "data")}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return database(tmp_path, FIRST)


def events(home: Path, env: dict[str, str], kind: type[model.Event] = model.Event) -> list[Any]:
    (info,) = registry.find_sessions(home, env)
    opened = registry.open_transcript(info.path)
    return [event for event in opened if isinstance(event, kind)]


def test_a_session_is_found_by_its_folder_with_what_the_user_said(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    dialogue(base, prompt="Fix the parser")
    (info,) = registry.find_sessions(tmp_path, env, cwd="/home/dev")
    told = (info.agent, info.session, info.title, info.last_prompt, info.prompts)
    assert told == ("opencode", "ses_a", "Fix the parser", "Fix the parser", 1)
    assert info.mtime == (NOW + 2000) / 1000
    assert registry.start("opencode", "ses_a") == ["opencode", "--session", "ses_a"]
    assert stat.S_IMODE(info.path.stat().st_mode) == 0o600


def test_what_tools_did_becomes_the_same_events_as_of_every_agent(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    patch = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
    todos = [{"content": "one", "status": "completed"}, {"content": "two", "status": "cancelled"}]
    dialogue(
        base,
        tool("bash", {"command": "pytest -q"}, output="1 failed", metadata={"exit": 1}),
        tool("edit", {"filePath": "/p/a.py", "oldString": "b", "newString": "B"},
             metadata={"diff": patch}),
        tool("write", {"filePath": "/p/n.py", "content": "x\n"}, metadata={"exists": False}),
        tool("read", {"filePath": "/p/a.py", "offset": 3, "limit": 4}),
        tool("grep", {"pattern": "def", "path": "/p"}, output="/p/a.py"),
        tool("todowrite", {"todos": todos}),
        tool("webfetch", {"url": "https://example.org"}, "error", error="no network"),
        {"type": "text", "text": "Done."},
        {"type": "step-finish", "reason": "stop"},
    )  # fmt: skip
    found = events(tmp_path, env)
    ran = next(each for each in found if isinstance(each, model.Ran))
    assert (ran.command, ran.failed, ran.exit_code, ran.output) == (
        "pytest -q",
        True,
        1,
        "1 failed",
    )
    edits = [each for each in found if isinstance(each, model.Edited)]
    assert [(e.path, e.change, e.spans) for e in edits] == [
        ("/p/a.py", "edited", ((2, 2),)),
        ("/p/n.py", "created", ((1, 1),)),
    ]
    assert next(e.span for e in found if isinstance(e, model.Looked)) == (3, 6)
    assert next(e.found for e in found if isinstance(e, model.Searched)) == ("/p/a.py",)
    items = next(e.items for e in found if isinstance(e, model.TodoList))
    assert [(item.title, item.status) for item in items] == [("one", "completed")]
    assert next(e.error for e in found if isinstance(e, model.Used)) == "no network"
    assert isinstance(found[-1], model.TurnEnded)


def test_a_patch_of_several_files_tells_of_each_with_its_lines(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    text = "*** Begin Patch\n*** Update File: a.py\n@@\n-b\n+B\n*** End Patch"
    changed = {"filePath": "/p/a.py", "type": "update", "diff": "@@ -4,1 +4,1 @@\n-b\n+B\n"}
    moved = {"filePath": "/p/c", "type": "move", "movePath": "/p/d", "diff": ""}
    dialogue(
        base,
        tool("apply_patch", {"patchText": text}, metadata={"files": [changed, moved]}),
        tool("apply_patch", {"patchText": text}),
    )
    edits = [(e.path, e.change, e.to, e.spans) for e in events(tmp_path, env, model.Edited)]
    assert edits == [
        ("/p/a.py", "edited", "", ((4, 4),)),
        ("/p/c", "renamed", "/p/d", ()),
        ("a.py", "edited", "", ()),
    ]


def test_a_call_that_was_refused_or_never_ended_says_so(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    no = "The user rejected permission to use this specific tool call with the following feedback: use uv"
    late = "shell tool terminated command after exceeding timeout 1000 ms."
    dialogue(
        base,
        tool("bash", {"command": "pip install x"}, "error", error=no),
        tool("bash", {"command": "sleep 9"}, output=late, metadata={}),
        tool("bash", {"command": "sleep 8"}, "error", error="Tool execution aborted"),
        tool("bash", {"command": "make"}, "running"),
    )
    refused = events(tmp_path, env, model.Refusal)
    assert [(each.act, each.words) for each in refused] == [("pip install x", "use uv")]
    states = [each.state for each in events(tmp_path, env, model.Ran)]
    assert states == ["timeout", "interrupted", "open"]


def test_a_compaction_gives_its_summary(tmp_path: Path, env: dict[str, str], base: Path) -> None:
    dialogue(base)
    fill(
        base,
        "message",
        message(5, "user"),
        message(6, "assistant", summary=True, mode="compaction"),
    )
    fill(base, "part", part(5, 5, type="compaction", auto=True),
         part(6, 6, type="text", text="All of it in short"))  # fmt: skip
    (event,) = events(tmp_path, env, model.Compacted)
    assert (event.summary, event.automatic) == ("All of it in short", True)


def test_a_sub_agent_is_told_with_its_own_lines_and_listed_for_nobody(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    dialogue(base, tool("task", {"prompt": "Look"}, metadata={"sessionId": "ses_b"},
                        output="<task_result>\nAll well\n</task_result>"))  # fmt: skip
    fill(base, "session", session("ses_b", parent_id="ses_a"))
    fill(base, "message", {**message(8, "assistant", session_id="ses_b"), "id": "msg_b"})
    fill(base, "part", {**part(8, 8, "ses_b", type="text", text="I look"), "message_id": "msg_b"})
    found = events(tmp_path, env)
    said = next(each for each in found if isinstance(each, model.Reply))
    assert (said.thread, said.text) == ("ses_b", "I look")
    done = next(each for each in found if isinstance(each, model.Delegated))
    assert (done.agent, done.task, done.report) == ("ses_b", "Look", "All well")
    (info,) = registry.find_sessions(tmp_path, env)
    reader = registry.agent_of(info.path).reader
    shown = dict(reader.numbered(info.path, said.line, "ses_b"))[said.line]
    assert "I look" in reader.render(shown).text


def test_what_a_plugin_put_in_and_what_was_taken_back_is_nobodys_words(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    dialogue(base, revert=json.dumps({"messageID": "msg_005"}))
    fill(base, "message", message(5, "user"))
    fill(base, "part", part(4, 1, type="text", text="a briefing", synthetic=True),
         part(5, 5, type="text", text="Never mind"))  # fmt: skip
    assert [each.text for each in events(tmp_path, env, model.Prompt)] == ["Do it"]


def test_both_generations_are_read_as_one(tmp_path: Path, env: dict[str, str]) -> None:
    base = database(tmp_path, FIRST, SECOND)
    dialogue(base, prompt="Old")
    new = {k: v for k, v in session("ses_n").items() if k != "project_id"}
    fill(base, "session_v2", {**new, "time_updated": NOW + 99_000})
    rows = [
        ("user", {"text": "New"}),
        ("assistant", {"content": [
            {"type": "text", "text": "I run it"},
            {"type": "tool", "name": "bash", "state": {
                "status": "completed", "input": {"command": "make"},
                "content": [{"type": "text", "text": "ok"}], "metadata": {"exit": 0}}}]}),
        ("shell", {"command": "ls", "output": "a", "exit": 2}),
        ("compaction", {"status": "completed", "reason": "auto", "summary": "Short"}),
        ("idle", {"outcome": "completed"}),
    ]  # fmt: skip
    for n, (kind, data) in enumerate(rows):
        fill(base, "session_message", {"id": f"m{n}", "session_id": "ses_n", "type": kind, "seq": n,
             "time_created": NOW, "time_updated": NOW, "data": data})  # fmt: skip
    infos = registry.find_sessions(tmp_path, env)
    assert [info.last_prompt for info in infos] == ["Old", "New"]
    path = next(info.path for info in infos if info.session == "ses_n")
    found = [type(each).__name__ for each in registry.open_transcript(path)]
    assert found == ["Moved", "Prompt", "Reply", "Ran", "Ran", "Compacted", "TurnEnded"]


@pytest.mark.parametrize(
    "lacking",
    [
        SECOND.replace("seq integer NOT NULL, ", ""),
        SECOND.replace(", time_updated integer NOT NULL);\nCREATE", ");\nCREATE"),
    ],
)
def test_a_table_that_lacks_a_column_is_left_out(
    tmp_path: Path, env: dict[str, str], lacking: str
) -> None:
    dialogue(database(tmp_path, FIRST, lacking), {"type": "text", "text": "Well"})
    assert lacking != SECOND
    assert [*registry.unreadable(tmp_path, env)] == []
    assert [each.text for each in events(tmp_path, env, model.Reply)] == ["Well"]


def test_a_row_that_changes_in_place_keeps_its_line(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    dialogue(base, tool("bash", {"command": "make"}, "running"), {"type": "text", "text": "Next"})
    (before,) = events(tmp_path, env, model.Ran)
    done = tool("bash", {"command": "make"}, metadata={"exit": 0}, output="built")
    with closing(sqlite3.connect(base)) as held:
        held.execute("UPDATE part SET data = ?, time_updated = ? WHERE id = 'prt_003'",
                     (json.dumps(done), NOW + 900_000))  # fmt: skip
        held.commit()
    (after,) = events(tmp_path, env, model.Ran)
    assert (before.state, after.state, after.exit_code) == ("open", "done", 0)
    assert before.line == after.line


def test_rows_that_are_broken_cost_themselves_alone(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    dialogue(base, {"type": "text", "text": "Well"})
    broken = part(7, 2)
    for n, data in enumerate(("{torn", "[1]", b"\xff\xfe", '{"type": 5, "state": [], "text": {}}')):
        fill(base, "part", {**broken, "id": f"prt_x{n}", "data": data})
    fill(base, "session", session("../../../evil"))
    (info,) = registry.find_sessions(tmp_path, env)
    opened = registry.open_transcript(info.path)
    assert [each.text for each in opened if isinstance(each, model.Reply)] == ["Well"]
    assert opened.problems["not-object"] == 3
    assert not (tmp_path / "evil.jsonl").exists()


@pytest.mark.parametrize("odd", [None, b"\xff", "soon", -5, 1 << 62, 1.5])
def test_columns_of_other_types_stop_nobody(
    tmp_path: Path, env: dict[str, str], odd: object
) -> None:
    base = database(tmp_path, FIRST.replace(" NOT NULL", "").replace(" PRIMARY KEY", ""))
    dialogue(base, {"type": "text", "text": "Well"})
    fill(base, "session", session("ses_odd", directory=odd, title=odd, time_updated=odd))
    for column in ("id", "time_created", "time_updated", "data", "message_id"):
        fill(base, "part", {**part(9, 2), column: odd})
    fill(base, "part", {**part(9, 2), "data": "[" * 100_000})
    path = next(i.path for i in registry.find_sessions(tmp_path, env) if i.session == "ses_a")
    replies = [e for e in registry.open_transcript(path) if isinstance(e, model.Reply)]
    assert [each.text for each in replies] == ["Well"]


def test_a_session_that_was_deleted_leaves_no_copy(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    dialogue(base)
    (info,) = registry.find_sessions(tmp_path, env)
    with closing(sqlite3.connect(base)) as held:
        held.execute("DELETE FROM session")
        held.commit()
    assert registry.find_sessions(tmp_path, env) == []
    assert not info.path.exists()


def test_reading_leaves_the_clients_folder_as_it_was(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    dialogue(base)
    before = {path.name: path.read_bytes() for path in base.parent.iterdir()}
    registry.find_sessions(tmp_path, env)
    assert {path.name: path.read_bytes() for path in base.parent.iterdir()} == before


@pytest.mark.parametrize(
    ("tables", "reason", "way"),
    [
        ("CREATE TABLE other (id text)", "of a generation that onward does not know", "upgrade"),
        (
            FIRST.replace("CREATE TABLE part", "CREATE TABLE part_new"),
            "migrated by half",
            "opencode",
        ),
    ],
)
def test_a_database_that_cannot_be_read_is_told_with_the_reason(
    tmp_path: Path, env: dict[str, str], tables: str, reason: str, way: str
) -> None:
    database(tmp_path, tables)
    ((path, told, hint),) = registry.unreadable(tmp_path, env)
    assert path.name == "opencode.db"
    assert reason in told
    assert way in hint


def test_a_file_that_is_no_database_is_told_with_the_reason(
    tmp_path: Path, env: dict[str, str], base: Path
) -> None:
    base.write_bytes(b"no database at all" * 100)
    ((_, told, _),) = registry.unreadable(tmp_path, env)
    assert "cannot be read" in told


def test_a_locked_database_is_told_and_what_was_copied_before_stays(
    tmp_path: Path, env: dict[str, str], base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onward.agents.opencode.copies._SECONDS", 0.01)
    dialogue(base)
    assert len(registry.find_sessions(tmp_path, env)) == 1
    with closing(sqlite3.connect(base)) as held:
        held.execute("PRAGMA journal_mode=DELETE")
        held.execute("BEGIN EXCLUSIVE")
        held.execute("UPDATE session SET title = 'x'")
        (base.parent / "opencode.db-wal").touch()
        assert len(registry.find_sessions(tmp_path, env)) == 1
        ((_, told, hint),) = registry.unreadable(tmp_path, env)
        held.rollback()
    assert "locked" in told
    assert hint == f"lsof {base}"


def test_the_agent_is_found_from_within_by_the_variable_that_our_plugin_sets() -> None:
    assert registry.current({"ONWARD_OPENCODE_SESSION": "ses_a"}) == "ses_a"
    assert os.sep not in registry.current({"ONWARD_OPENCODE_SESSION": "../x"})
