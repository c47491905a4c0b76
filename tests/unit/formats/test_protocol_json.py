from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.unit.formats import strategies

from onward.errors import InputError
from onward.formats import protocol_json
from onward.model import Block, Checkpoint, Clean, Item, RepoState, Task

NOW = datetime(2026, 3, 1, 13, 40, tzinfo=UTC)
LATER = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
COMMIT = "9f5a3c7e2b1d4c6f8a9b0c1d2e3f4a5b6c7d8e9f"


def snapshot(*titles: str, **fields: Any) -> Checkpoint:
    tasks = tuple(Task(title=Clean(title)) for title in titles)
    return Checkpoint(task=Item(text=Clean("Fix the login")), **({"tasks": tasks} | fields))


def merged(old: str | None, checkpoint: Checkpoint, at: datetime = NOW) -> dict[str, Any]:
    text = protocol_json.merge(old, checkpoint, at, strategies.clean)
    value = json.loads(text)
    assert isinstance(value, dict)
    return value


def ids(value: dict[str, Any]) -> dict[str, str]:
    return {task["title"]: task["id"] for task in value["tasks"]}


def test_a_fresh_save_has_the_schemas_fields_in_the_schemas_order() -> None:
    repo = RepoState(root=Clean("~/shop"), branch=Clean("feature/auth"), commit=COMMIT)
    task = Task(
        title=Clean("Fix auth"),
        priority="P1",
        category="BUGFIX",
        context=Clean("See: src/a.py:4"),
        files=(Clean("src/a.py:4"),),
    )
    value = merged(None, snapshot(tasks=(task,), repo=repo))
    assert value["metadata"] == {
        "version": "2.0",
        "created": "2026-03-01T13:40:00Z",
        "updated": "2026-03-01T13:40:00Z",
        "git_branch": "feature/auth",
        "git_commit": COMMIT,
    }
    assert list(value) == ["metadata", "tasks", "context_blocks"]
    assert list(value["tasks"][0].items()) == [
        ("id", "TASK_001"),
        ("title", "Fix auth"),
        ("status", "pending"),
        ("priority", "P1"),
        ("category", "BUGFIX"),
        ("created", "2026-03-01T13:40:00Z"),
        ("completed", None),
        ("consolidated", False),
        ("consolidated_count", 0),
        ("context", "See: src/a.py:4"),
        ("files", ["src/a.py:4"]),
    ]
    assert list(value["context_blocks"][0]) == ["title", "content", "updated"]


@settings(max_examples=30, deadline=None)
@given(strategies.snapshots)
def test_the_file_is_one_line_with_unique_ids_and_at_least_one_task(checkpoint: Checkpoint) -> None:
    text = protocol_json.merge(None, checkpoint, NOW, strategies.clean)
    assert "\n" not in text
    value = json.loads(text)
    assert text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    names = [task["id"] for task in value["tasks"]]
    assert names
    assert len(set(names)) == len(names)
    assert all(name.startswith("TASK_") for name in names)


@settings(max_examples=30, deadline=None)
@given(strategies.snapshots)
def test_merging_the_same_state_again_changes_nothing(checkpoint: Checkpoint) -> None:
    once = protocol_json.merge(None, checkpoint, NOW, strategies.clean)
    loaded: Any = protocol_json.parse(once)
    again = protocol_json.merge(once, loaded, NOW, strategies.clean)
    assert json.loads(again)["tasks"] == json.loads(once)["tasks"]


def test_a_session_without_tasks_gets_its_request_as_the_one_task() -> None:
    value = merged(None, snapshot(requests=(Item(text=Clean("please fix it")),)))
    assert [(t["title"], t["status"], t["context"]) for t in value["tasks"]] == [
        ("Fix the login", "in_progress", "please fix it")
    ]


def test_saving_a_session_without_tasks_twice_adds_no_second_task() -> None:
    first = protocol_json.merge(None, snapshot(), NOW, strategies.clean)
    assert len(merged(first, snapshot(), LATER)["tasks"]) == 1


def test_ids_are_stable_over_merges_and_new_ones_follow_on() -> None:
    first = protocol_json.merge(None, snapshot("a", "b"), NOW, strategies.clean)
    value = merged(first, snapshot("c", "b"), LATER)
    assert ids(value) == {"a": "TASK_001", "b": "TASK_002", "c": "TASK_003"}
    assert value["metadata"]["created"] == "2026-03-01T13:40:00Z"
    assert value["metadata"]["updated"] == "2026-03-02T09:00:00Z"


def test_the_files_id_holds_where_a_checkpoint_brings_another() -> None:
    first = protocol_json.merge(None, snapshot("a", "b"), NOW, strategies.clean)
    moved = snapshot(tasks=(Task(title=Clean("b"), id="TASK_007"),))
    assert ids(merged(first, moved, LATER)) == {"b": "TASK_002", "a": "TASK_001"}


def test_a_task_that_was_reworded_is_found_by_its_id() -> None:
    first = protocol_json.merge(None, snapshot("a", "write b"), NOW, strategies.clean)
    renamed = snapshot(tasks=(Task(title=Clean("Write b and its tests"), id="TASK_002"),))
    assert ids(merged(first, renamed, LATER)) == {
        "Write b and its tests": "TASK_002",
        "a": "TASK_001",
    }


def test_an_id_from_another_file_takes_nobodys_place() -> None:
    first = protocol_json.merge(None, snapshot("a"), NOW, strategies.clean)
    other = snapshot(tasks=(Task(title=Clean("b"), id="TASK_001"),))
    assert ids(merged(first, other, LATER)) == {"a": "TASK_001", "b": "TASK_002"}


def test_a_task_that_was_consolidated_is_not_counted_again() -> None:
    done = tuple(
        Task(
            title=Clean(f"Redesign homepage part {n}"),
            status="completed",
            completed=f"2026-02-{n:02}T08:00:00Z",
        )
        for n in range(1, 13)
    )
    text: Any = None
    for _ in range(3):
        text = protocol_json.merge(text, snapshot(tasks=done), NOW, strategies.clean)
    tasks = json.loads(text)["tasks"]
    assert [task["consolidated_count"] for task in tasks if task["consolidated"]] == [7]
    assert len(tasks) == 6


def test_what_an_older_session_left_open_stays() -> None:
    first = protocol_json.merge(None, snapshot("a", "b"), NOW, strategies.clean)
    assert set(ids(merged(first, snapshot("c"), LATER))) == {"a", "b", "c"}


def test_a_task_done_since_keeps_its_id_and_is_dated() -> None:
    first = protocol_json.merge(None, snapshot("a"), NOW, strategies.clean)
    done = replace(snapshot(), tasks=(Task(title=Clean("A"), status="completed"),))
    (task,) = merged(first, done, LATER)["tasks"]
    assert (task["id"], task["status"]) == ("TASK_001", "completed")
    assert task["completed"] == "2026-03-02T09:00:00Z"


def test_open_tasks_stand_before_completed_ones() -> None:
    tasks = (
        Task(title=Clean("done"), status="completed"),
        Task(title=Clean("open")),
    )
    assert [t["title"] for t in merged(None, snapshot(tasks=tasks))["tasks"]] == ["open", "done"]


def test_doubled_and_foreign_ids_are_made_unique() -> None:
    old = json.dumps(
        {
            "metadata": {"created": "2026-01-01T00:00:00Z"},
            "tasks": [{"id": "TASK_004", "title": "a"}, {"id": "TASK_004", "title": "b"},
                      {"id": "seven", "title": "c"}, {"title": "d"}],
        }
    )  # fmt: skip
    names = ids(merged(old, snapshot("a")))
    assert names == {"a": "TASK_004", "b": "TASK_005", "c": "TASK_006", "d": "TASK_007"}


def test_unknown_fields_survive_at_every_level() -> None:
    old = json.dumps(
        {
            "metadata": {"created": "2026-01-01T00:00:00Z", "owner": "ana"},
            "tasks": [{"id": "TASK_001", "title": "a", "estimate": {"days": 2}}],
            "context_blocks": [{"title": "Mine", "content": "x", "colour": "red"}],
            "extras": [1, {"deep": True}],
        }
    )
    value = merged(old, snapshot("a", "b"))
    assert value["metadata"]["owner"] == "ana"
    assert value["tasks"][0]["estimate"] == {"days": 2}
    mine = next(block for block in value["context_blocks"] if block["title"] == "Mine")
    assert mine["colour"] == "red"
    assert value["extras"] == [1, {"deep": True}]


def test_a_status_of_another_tools_own_survives_until_the_task_moves() -> None:
    old = json.dumps(
        {"metadata": {}, "tasks": [{"id": "TASK_001", "title": "a", "status": "held"}]}
    )
    assert merged(old, snapshot("a"))["tasks"][0]["status"] == "held"
    done = snapshot(tasks=(Task(title=Clean("a"), status="completed"),))
    assert merged(old, done)["tasks"][0]["status"] == "completed"


def test_state_blocks_are_replaced_and_decisions_add_up() -> None:
    old = protocol_json.merge(
        None,
        snapshot(
            progress=(Item(text=Clean("Wrote a.py")),), decisions=(Item(text=Clean("Use JWT")),)
        ),
        NOW,
        strategies.clean,
    )
    new = snapshot(
        progress=(Item(text=Clean("Wrote b.py")),), decisions=(Item(text=Clean("Use RS256")),)
    )
    draft = protocol_json.parse(protocol_json.merge(old, new, LATER, strategies.clean))
    assert [item.text for item in draft.progress] == ["Wrote b.py"]
    assert [item.text for item in draft.decisions] == ["Use RS256", "Use JWT"]


def test_what_a_person_wrote_into_a_block_of_ours_stays() -> None:
    old = json.dumps(
        {
            "metadata": {},
            "tasks": [],
            "context_blocks": [{"title": "Blockers", "content": "No VPN"}],
        }
    )
    draft = protocol_json.parse(protocol_json.merge(old, snapshot(), NOW, strategies.clean))
    assert [item.text for item in draft.blockers] == ["No VPN"]


def test_blocks_are_merged_by_title_and_keep_their_time_while_unchanged() -> None:
    block = Block(title=Clean("JWT setup"), content=Clean("RS256"), related_tasks=("TASK_001",))
    old = protocol_json.merge(None, snapshot("a", blocks=(block,)), NOW, strategies.clean)
    same = merged(old, snapshot("a", blocks=(block,)), LATER)["context_blocks"][-1]
    assert same["updated"] == "2026-03-01T13:40:00Z"
    changed = replace(block, title=Clean("jwt  SETUP"), content=Clean("ES256"))
    value = merged(old, snapshot("a", blocks=(changed,)), LATER)["context_blocks"][-1]
    assert (value["content"], value["updated"]) == ("ES256", "2026-03-02T09:00:00Z")
    assert value["related_tasks"] == ["TASK_001"]


def test_everything_in_the_old_file_goes_through_the_redactor() -> None:
    secret = "hunter" + "2"
    old = json.dumps(
        {
            "metadata": {"note": f"pw {secret}"},
            "tasks": [{"title": f"use {secret}", "mine": {"password": secret}}],
            "context_blocks": [{"title": "x", "content": secret, "list": [secret]}],
        }
    )
    text = protocol_json.merge(
        old, snapshot("a"), NOW, lambda raw: Clean(raw.replace(secret, "[REDACTED]"))
    )
    assert secret not in text


def test_a_value_is_redacted_together_with_its_key() -> None:
    old = json.dumps({"metadata": {}, "tasks": [], "passphrase": "blue horse"})
    text = protocol_json.merge(
        old,
        snapshot("a"),
        NOW,
        lambda raw: Clean("passphrase: [REDACTED]" if raw.startswith("passphrase: ") else raw),
    )
    assert json.loads(text)["passphrase"] == "[REDACTED]"


@pytest.mark.parametrize("text", ["", "{", "not json", '{"metadata":{}'])
def test_invalid_json_is_refused_in_the_documents_words(text: str) -> None:
    with pytest.raises(InputError) as caught:
        protocol_json.parse(text)
    assert caught.value.message == "Cannot load: invalid JSON"
    assert caught.value.hint


@pytest.mark.parametrize("text", ["{}", "[]", "3", '{"tasks":[]}', '{"metadata":null}'])
def test_missing_metadata_is_refused_in_the_documents_words(text: str) -> None:
    with pytest.raises(InputError) as caught:
        protocol_json.parse(text)
    assert caught.value.message == "Cannot load: missing metadata"


def test_an_unreadable_file_is_not_overwritten() -> None:
    with pytest.raises(InputError):
        protocol_json.merge("{broken", snapshot("a"), NOW, strategies.clean)


@pytest.mark.parametrize("old", [None, "", " \n"])
def test_no_file_and_an_empty_one_are_a_fresh_start(old: str | None) -> None:
    assert ids(merged(old, snapshot("a"))) == {"a": "TASK_001"}


@pytest.mark.parametrize(
    "task",
    ["just words", {"title": 3}, {"id": None, "files": "a.py"}, {"consolidated_count": "x"}, None],
)
def test_entries_of_the_wrong_shape_are_read_as_far_as_they_go(task: object) -> None:
    text = json.dumps({"metadata": {}, "tasks": [task], "context_blocks": [task]})
    assert len(protocol_json.parse(text).tasks) == 1
    assert merged(text, snapshot("a"))["tasks"]


def test_a_file_of_another_tool_gives_task_next_action_and_files() -> None:
    text = json.dumps(
        {
            "metadata": {"version": "2.0", "created": "2026-01-01T00:00:00Z", "git_branch": "HEAD"},
            "tasks": [
                {"id": "TASK_001", "title": "Old", "status": "completed"},
                {"id": "TASK_002", "title": "Fix JWT", "context": "PEM", "files": ["src/a.ts:45"]},
            ],
            "context_blocks": [{"title": "Summary", "content": "prose"}],
        }
    )
    draft = protocol_json.parse(text)
    assert draft.task.text == "Fix JWT"
    assert draft.next_action == Item(text="Fix JWT", why="PEM")
    assert [fact.path for fact in draft.files] == ["src/a.ts"]
    assert [block.title for block in draft.blocks] == ["Summary"]
    assert draft.repo is None
