from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.sampling import examples
from tests.unit.documents import strategies

from onward.documents import protocol_json
from onward.errors import InputError
from onward.model import Block, Checkpoint, Clean, Item, Origin, RepoState, Request, Status, Task

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


@settings(max_examples=examples(30), deadline=None)
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


@settings(max_examples=examples(30), deadline=None)
@given(strategies.snapshots)
def test_merging_the_same_state_again_changes_nothing(checkpoint: Checkpoint) -> None:
    once = protocol_json.merge(None, checkpoint, NOW, strategies.clean)
    loaded: Any = protocol_json.parse(once)
    again = protocol_json.merge(once, loaded, NOW, strategies.clean)
    assert json.loads(again)["tasks"] == json.loads(once)["tasks"]


def test_a_session_without_tasks_gets_its_request_as_the_one_task() -> None:
    value = merged(None, snapshot(requests=(Request(text=Clean("please fix it")),)))
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


def test_of_two_tasks_of_one_title_each_keeps_its_id() -> None:
    done = Task(title=Clean("Run the tests"), status="completed")
    first = protocol_json.merge(None, snapshot(tasks=(done,)), NOW, strategies.clean)
    value = merged(first, snapshot(tasks=(replace(done, status="pending"), done)), LATER)
    # The one that is done was asked for last: it must not lose its entry to the open one.
    assert [(t["id"], t["status"]) for t in value["tasks"]] == [
        ("TASK_002", "pending"),
        ("TASK_001", "completed"),
    ]


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


def of_session(session: str, *titles: str, **fields: Any) -> Checkpoint:
    return snapshot(*titles, origin=Origin(session=session), **fields)


def asked(session: str, words: str, **fields: Any) -> Checkpoint:
    return replace(of_session(session, **fields), task=Item(text=Clean(words)))


def saves(*checkpoints: Checkpoint, edit: Any = None) -> dict[str, Any]:
    """The file after one save after the other; `edit` changes it before the last one."""
    text: str | None = None
    for number, checkpoint in enumerate(checkpoints, 1):
        if edit and number == len(checkpoints):
            value = json.loads(text or "")
            edit(value)
            text = json.dumps(value, indent=2)
        text = protocol_json.merge(text, checkpoint, NOW, strategies.clean)
    value = json.loads(text or "")
    assert isinstance(value, dict)
    return value


def test_the_request_of_a_session_without_tasks_changes_in_its_place() -> None:
    value = saves(asked("s1", "Fix the login"), asked("s1", "Now the logout"))
    assert ids(value) == {"Now the logout": "TASK_001"}


def test_the_request_gives_way_to_the_sessions_own_list() -> None:
    assert set(ids(saves(asked("s1", "Fix the login"), of_session("s1", "a", "b")))) == {"a", "b"}


def test_what_a_sessions_list_no_longer_has_goes() -> None:
    assert set(ids(saves(of_session("s1", "a", "b"), of_session("s1", "b", "c")))) == {"b", "c"}


def test_the_id_of_a_task_that_went_is_never_given_again() -> None:
    lists = (("a", "b"), ("a",), ("a", "c"), ("a", "d"))
    value = saves(*(of_session("s1", *titles) for titles in lists))
    assert ids(value) == {"a": "TASK_001", "d": "TASK_004"}


def test_what_another_session_left_open_stays() -> None:
    value = saves(
        of_session("s1", "a", "b"),
        asked("s2", "Fix the login"),
        of_session("s1", "b", "c"),
        asked("s2", "Fix the logout"),
    )
    assert set(ids(value)) == {"b", "c", "Fix the logout"}


def test_only_todays_request_is_in_progress_and_five_earlier_ones_wait() -> None:
    sessions = [asked(f"s{n}", f"Build part {n}") for n in range(8)]
    tasks = saves(*sessions)["tasks"]
    assert [(t["title"], t["status"]) for t in tasks] == [
        ("Build part 7", "in_progress"),
        *((f"Build part {n}", "pending") for n in (6, 5, 4, 3, 2)),
    ]
    again = saves(*sessions, sessions[5])["tasks"]
    assert [t["status"] for t in again if t["title"] == "Build part 5"] == ["in_progress"]
    assert sum(t["status"] == "in_progress" for t in again) == 1


def test_a_request_that_a_person_touched_stays_however_old() -> None:
    sessions = [asked(f"s{n}", f"Build part {n}") for n in range(9)]
    value = saves(*sessions, edit=lambda file: file["tasks"][-1].update(priority="P1"))
    assert value["tasks"][-1]["title"] == "Build part 2"
    assert value["tasks"][-1]["priority"] == "P1"


@pytest.mark.parametrize(
    "change",
    [
        {"title": "a, by hand"},
        {"priority": "P1"},
        {"context": "mind the gap"},
        {"estimate": 3},
        {"files": ["a.py:4"]},
    ],
)
def test_a_task_that_a_person_touched_stays(change: dict[str, object]) -> None:
    value = saves(
        of_session("s1", "a", "b"),
        of_session("s1", "b"),
        edit=lambda file: file["tasks"][0].update(change),
    )
    assert [task["id"] for task in value["tasks"]] == ["TASK_002", "TASK_001"]
    assert change.items() <= value["tasks"][1].items()


def test_a_request_that_a_person_ticked_off_stays_done() -> None:
    value = saves(
        asked("s1", "Fix the login"),
        asked("s1", "Fix the login"),
        edit=lambda file: file["tasks"][0].update(status="done"),
    )
    assert [(task["id"], task["status"]) for task in value["tasks"]] == [("TASK_001", "completed")]


def test_what_the_agent_noted_with_a_task_stays() -> None:
    noted = Task(
        title=Clean("a"), context=Clean("PEM only"), category="DOCS", files=(Clean("a.py:4"),)
    )
    listed = Task(title=Clean("a"), status="in_progress")
    (task,) = saves(*(of_session("s1", tasks=(each,)) for each in (noted, listed, listed)))["tasks"]
    kept = {"status": "in_progress", "context": "PEM only", "category": "DOCS", "files": ["a.py:4"]}
    assert kept.items() <= task.items()


LISTED = (
    Task(title=Clean("a"), status="in_progress"),
    Task(title=Clean("b")),
    Task(title=Clean("c"), status="completed", completed="2026-03-01T08:00:00Z"),
)


def edited(place: int, **change: object) -> list[dict[str, Any]]:
    """The tasks after an edit by hand and two more saves of the same session."""
    state = of_session("s1", tasks=LISTED)
    text = protocol_json.merge(None, state, NOW, strategies.clean)
    value = json.loads(text)
    value["tasks"][place].update(change)
    text = protocol_json.merge(json.dumps(value), state, NOW, strategies.clean)
    tasks = json.loads(protocol_json.merge(text, state, LATER, strategies.clean))["tasks"]
    assert isinstance(tasks, list)
    return tasks


@pytest.mark.parametrize(
    ("place", "change"),
    [
        (0, {"status": "pending"}),
        (0, {"status": "completed"}),
        (1, {"status": "in_progress"}),
        (1, {"status": "completed"}),
        (2, {"status": "pending", "completed": None}),
        (0, {"title": "Something else entirely"}),
        (0, {"priority": "P1", "category": "BUGFIX"}),
        (1, {"context": "mind the gap", "files": ["b.py:7"]}),
        (2, {"estimate": 3}),
    ],
)
def test_a_task_edited_by_hand_stays_so_over_the_saves_of_its_session(
    place: int, change: dict[str, Any]
) -> None:
    tasks = edited(place, **change)
    (found,) = [task for task in tasks if task["id"] == f"TASK_00{place + 1}"]
    assert change.items() <= found.items()
    assert sorted(task["id"] for task in tasks) == ["TASK_001", "TASK_002", "TASK_003"]
    assert all(bool(t["completed"]) == (t["status"] == "completed") for t in tasks)


def test_a_session_that_goes_on_from_a_hand_set_status_is_believed() -> None:
    def start(file: dict[str, Any]) -> None:
        file["tasks"][1]["status"] = "in_progress"

    done = of_session("s1", tasks=(LISTED[0], replace(LISTED[1], status="completed")))
    value = saves(of_session("s1", tasks=LISTED[:2]), done, edit=start)
    assert [(t["title"], t["status"]) for t in value["tasks"]] == [
        ("a", "in_progress"),
        ("b", "completed"),
    ]


def test_a_task_that_was_moved_to_the_front_stays_there_until_it_is_done() -> None:
    state = of_session("s1", "a", "b", "c")
    text: str = protocol_json.merge(None, state, NOW, strategies.clean)
    value = json.loads(text)
    value["tasks"] = [value["tasks"][2], *value["tasks"][:2]]
    text = json.dumps(value)
    for each in (state, of_session("s2", "d"), state):
        text = protocol_json.merge(text, each, NOW, strategies.clean)
        assert json.loads(text)["tasks"][0]["title"] == "c"
    done = of_session("s1", tasks=(*state.tasks[:2], replace(state.tasks[2], status="completed")))
    assert [t["title"] for t in merged(text, done)["tasks"]] == ["a", "b", "d", "c"]


@pytest.mark.parametrize(
    ("title", "field"),
    [("Next Action", "next_action"), ("Blockers", "blockers"), ("Key Decisions", "decisions"),
     ("Task", "task"), ("Progress", "progress"), ("Last Words", "closing"), ("Status", "context")],
)  # fmt: skip
@pytest.mark.parametrize("tag", [" [observed t:9]", ""])
def test_a_line_written_into_a_block_of_ours_wins(title: str, field: str, tag: str) -> None:
    line = Item(text=Clean("Ours"), evidence="observed", places=("t:9",))
    status = Status(kind="finished", detail=Clean("Ours"), places=("t:9",))
    state = of_session(
        "s1", "a", next_action=line, blockers=(line,), decisions=(line,), progress=(line,),
        closing=line, status=status,
    )  # fmt: skip
    state = replace(state, task=line)
    mine = "- Mine" if title == "Status" else f"- Mine{tag}"  # tagged, it is the record's

    def write(file: dict[str, Any]) -> None:
        block = next(b for b in file["context_blocks"] if b["title"] == title)
        block["content"] = mine

    draft = protocol_json.parse(json.dumps(saves(state, state, edit=write)))
    found = getattr(draft, field)
    texts = [item.text for item in found] if isinstance(found, tuple) else [found.text]
    assert texts[0] == "Mine"
    assert (found[0] if isinstance(found, tuple) else found).author == "user"


def test_the_task_that_the_user_wrote_is_a_request_once_another_session_saves() -> None:
    def write(file: dict[str, Any]) -> None:
        block = next(b for b in file["context_blocks"] if b["title"] == "Task")
        block["content"] = "- Mine"

    draft = protocol_json.parse(
        json.dumps(saves(of_session("s1", "a"), asked("s2", "Fix the logout"), edit=write))
    )
    assert draft.task.text == "Fix the logout"
    assert [(request.text, request.author) for request in draft.requests] == [("Mine", "user")]


def test_with_every_task_done_and_something_to_do_the_request_is_the_next_task() -> None:
    done = (Task(title=Clean("a"), status="completed"),)
    value = merged(None, snapshot(tasks=done, next_action=Item(text=Clean("Push it"))))
    assert [(t["title"], t["status"], t.get("context")) for t in value["tasks"]] == [
        ("Fix the login", "in_progress", "Push it"),
        ("a", "completed", None),
    ]


def test_the_session_that_saved_last_is_known() -> None:
    value = saves(of_session("s1", "a"), of_session("s2", "b"))
    assert protocol_json.parse(json.dumps(value)).origin.session == "s2"
    block = value["context_blocks"][-1]
    assert (block["title"], block["related_tasks"]) == ("Saved Sessions", ["TASK_002", "TASK_001"])


def test_a_place_in_another_sessions_transcript_is_not_kept() -> None:
    choice = Item(text=Clean("Use JWT"), evidence="asked", places=("t:5", "c:9f5a3c7"))
    once = saves(of_session("s1", decisions=(choice,)), of_session("s1"))
    assert protocol_json.parse(json.dumps(once)).decisions == (choice,)
    other = saves(of_session("s1", decisions=(choice,)), of_session("s2"))
    assert protocol_json.parse(json.dumps(other)).decisions == (
        replace(choice, places=("c:9f5a3c7",)),
    )


def test_lasting_blocks_are_bounded_but_for_a_persons_lines() -> None:
    sessions = [
        of_session(f"s{n}", decisions=tuple(Item(text=Clean(f"Choice {n}.{k}")) for k in range(10)))
        for n in range(9)
    ]

    def write(file: dict[str, Any]) -> None:
        block = next(b for b in file["context_blocks"] if b["title"] == "Key Decisions")
        block["content"] += "\n- Mine"

    kept = [d.text for d in protocol_json.parse(json.dumps(saves(*sessions, edit=write))).decisions]
    assert len(kept) == 31
    assert kept[:2] == ["Mine", "Choice 8.0"]
    assert "Choice 0.0" not in kept


def test_a_line_that_stands_in_several_blocks_of_one_title_is_kept_once() -> None:
    choices = [f"Choice {n}" for n in range(20)]
    content = "\n".join(f"- {each} [claimed]" for each in choices)
    same = {"title": "Key Decisions", "content": content}
    more = same | {"content": f"{content}\n- Of its own [claimed]"}
    file = {"metadata": {}, "tasks": [], "context_blocks": [same, same, more]}
    kept = protocol_json.parse(json.dumps(merged(json.dumps(file), snapshot()))).decisions
    assert [item.text for item in kept] == [*choices, "Of its own"]


def test_a_short_title_within_a_groups_words_is_another_task() -> None:
    group = {"title": "Auth", "status": "completed", "consolidated": True,
             "context": "Summary: Test login; Write docs (two pages). See: a.md."}  # fmt: skip
    old = json.dumps({"metadata": {}, "tasks": [group]})
    done = [
        Task(title=Clean(t), status="completed")
        for t in ("Test", "Test login", "docs", "write docs")
    ]
    assert set(ids(merged(old, snapshot(tasks=tuple(done))))) == {"Auth", "Test", "docs"}


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


def test_invalid_json_is_told_with_line_column_and_field() -> None:
    text = '{"metadata": {},\n "tasks": [{"id": "TASK_001" "title": "a"}]}'
    with pytest.raises(InputError) as caught:
        protocol_json.parse(text)
    assert "line 2, column 30, in or after `id`" in caught.value.hint


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
    ["just words", {"title": 3}, {"id": None, "files": "a.py"}, {"consolidated_count": "x"}],
)
def test_entries_of_the_wrong_shape_are_read_as_far_as_they_go(task: object) -> None:
    text = json.dumps({"metadata": {}, "tasks": [task], "context_blocks": [task]})
    assert len(protocol_json.parse(text).tasks) == 1
    assert merged(text, snapshot("a"))["tasks"]


def hand(task: dict[str, Any]) -> dict[str, Any]:
    """A task of a file that a user wrote, as the next save leaves it."""
    old = json.dumps({"metadata": {}, "tasks": [task]}, indent=2)
    found = [t for t in merged(old, snapshot("other"))["tasks"] if t["title"] != "other"]
    (one,) = found
    assert isinstance(one, dict)
    return one


@pytest.mark.parametrize(
    ("written", "meant"),
    [("done", "completed"), ("Complete", "completed"), ("In Progress", "in_progress"),
     ("in-progress", "in_progress"), ("TODO", "pending"), ("doing", "in_progress")],
)  # fmt: skip
def test_a_persons_words_for_a_status_are_understood(written: str, meant: str) -> None:
    assert hand({"title": "a", "status": written})["status"] == meant


def test_a_persons_values_are_put_into_the_schemas_form() -> None:
    task = hand(
        {
            "title": 42,
            "priority": "p1",
            "category": "bugfix",
            "files": "src/a.py",
            "created": "2026-02-28 10:00 GMT+8",
            "consolidated_count": "3",
        }
    )
    assert (task["title"], task["priority"], task["category"]) == ("42", "P1", "BUGFIX")
    assert task["files"] == ["src/a.py"]
    assert task["created"] == "2026-02-28T02:00:00Z"
    assert task["consolidated_count"] == 3


def test_a_task_without_times_gets_them() -> None:
    task = hand({"title": "a", "status": "completed"})
    assert task["created"] == task["completed"] == "2026-03-01T13:40:00Z"
    assert hand({"title": "a"})["completed"] is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("priority", "high"), ("category", "SPIKE"), ("context", ["a", "b"]), ("files", {"a": 1}),
     ("created", "yesterday"), ("consolidated", "yes"), ("status", "held")],
)  # fmt: skip
def test_a_value_that_the_schema_does_not_have_survives(field: str, value: object) -> None:
    assert hand({"id": "TASK_001", "title": "a", field: value})[field] == value


def test_an_object_in_a_lists_place_is_a_list_of_its_values() -> None:
    old = json.dumps(
        {
            "metadata": {},
            "tasks": {"TASK_004": {"title": "a"}, "TASK_005": "b"},
            "context_blocks": {"JWT": "RS256", "TTL": {"content": "1h"}},
        }
    )
    value = merged(old, snapshot("a", "b"))
    assert ids(value) == {"a": "TASK_004", "b": "TASK_005"}
    blocks = {block["title"]: block["content"] for block in value["context_blocks"]}
    assert (blocks["JWT"], blocks["TTL"]) == ("RS256", "1h")


def test_blocks_without_title_and_blocks_of_one_title_lose_nothing() -> None:
    found = [
        {"title": "JWT", "content": "RS256"},
        {"title": "jwt", "content": "TTL 1h", "colour": "red"},
        {"content": "one"},
        "two",
        {"title": "Odd", "content": {"a": 1}, "related_tasks": "TASK_001"},
    ]
    old = json.dumps({"metadata": {}, "tasks": [], "context_blocks": found})
    blocks = merged(old, snapshot())["context_blocks"]
    jwt, one, two, odd = blocks[-4:]
    assert (jwt["title"], jwt["content"], jwt["colour"]) == ("JWT", "RS256\nTTL 1h", "red")
    assert (one["content"], two["content"]) == ("one", "two")
    assert odd["content"] == {"a": 1}
    assert odd["related_tasks"] == ["TASK_001"]
    assert all(block["updated"] for block in blocks)


def test_the_name_of_a_field_goes_through_the_redactor() -> None:
    old = json.dumps({"metadata": {"/home/ana/x": 1}, "tasks": [], "/home/ana/y": {"z": 1}})
    text = protocol_json.merge(
        old, snapshot(), NOW, lambda raw: Clean(raw.replace("/home/ana", "~"))
    )
    assert json.loads(text)["metadata"]["~/x"] == 1
    assert json.loads(text)["~/y"] == {"z": 1}


@pytest.mark.parametrize("depth", [100, 400, 900, 5000])
def test_a_file_of_any_depth_is_read_or_refused(depth: int) -> None:
    text = '{"metadata":{},"tasks":[],"deep":' + "[" * depth + "]" * depth + "}"
    try:
        again = protocol_json.merge(text, snapshot(), NOW, strategies.clean)
    except InputError as error:
        assert error.message == "Cannot load: invalid JSON"  # noqa: PT017 (either is right)
    else:
        assert "[" * depth in again


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
