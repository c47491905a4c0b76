"""`protocol done` and `protocol next`, and the trash that keeps every former protocol file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch


@pytest.fixture
def filed(onward: Onward, scratch: Scratch) -> Onward:
    """The session saved as a protocol with two more tasks."""
    draft = scratch.root / "draft.json"
    tasks = [{"title": title, "status": "pending"} for title in ("Sign", "Verify", "Rotate")]
    draft.write_text(json.dumps({"tasks": tasks}))
    answer = onward("protocol", "save", "--from", "draft.json")
    assert answer.code == 0, answer.err
    return onward


def tasks(scratch: Scratch) -> list[tuple[str, str]]:
    kept = json.loads((scratch.root / "session-protocol.json").read_text())
    return [(task["title"], task["status"]) for task in kept["tasks"]]


def test_a_task_is_done_and_stays_so(filed: Onward, scratch: Scratch) -> None:
    answer = filed("protocol", "done", "TASK_002")
    assert (answer.code, answer.out.splitlines()) == (
        0,
        ["TASK_002 completed: Verify", "Next: TASK_001 - Sign"],
    )
    assert tasks(scratch) == [("Sign", "pending"), ("Rotate", "pending"), ("Verify", "completed")]
    assert filed("protocol", "save").code == 0
    assert ("Verify", "completed") in tasks(scratch)
    assert filed("protocol", "done", "TASK_002").code == 0


def test_a_task_that_comes_next_stays_first_until_it_is_done(
    filed: Onward, scratch: Scratch
) -> None:
    answer = filed("protocol", "next", "3")
    assert answer.out.splitlines() == ["TASK_003 comes first: Rotate", "Next: TASK_003 - Rotate"]
    for _ in range(2):
        assert filed("protocol", "save").out.splitlines()[-1] == "Next: TASK_003 - Rotate"
    filed("protocol", "done", "task_3")
    assert filed("protocol", "save").out.splitlines()[-1].startswith("Next: TASK_001")


def test_with_the_last_task_done_none_is_open(filed: Onward) -> None:
    for number in "123":
        answer = filed("protocol", "done", number)
    assert answer.out.splitlines()[-1] == "No task is open"


def test_json_has_the_task_and_the_counts(filed: Onward) -> None:
    data: Any = filed("protocol", "done", "TASK_001", "--json").data
    assert (data["task"]["id"], data["task"]["status"]) == ("TASK_001", "completed")
    assert (data["counts"]["pending"], data["counts"]["individual"]) == (2, 1)
    assert data["path"] == "session-protocol.json"


@pytest.mark.parametrize("verb", ["done", "next"])
def test_an_id_that_no_task_has_names_the_nearest(
    filed: Onward, scratch: Scratch, verb: str
) -> None:
    before = (scratch.root / "session-protocol.json").read_bytes()
    answer = filed("protocol", verb, "TASK_013")
    assert answer.code == 3
    assert "did you mean TASK_00" in answer.err
    assert "onward protocol load" in answer.err
    assert (scratch.root / "session-protocol.json").read_bytes() == before


def test_a_completed_task_cannot_come_next(filed: Onward) -> None:
    filed("protocol", "done", "TASK_002")
    assert filed("protocol", "next", "TASK_002").code == 5


@pytest.mark.parametrize("verb", ["done", "next"])
def test_without_a_file_the_save_is_named(onward: Onward, verb: str) -> None:
    answer = onward("protocol", verb, "TASK_001")
    assert answer.code == 3
    assert "onward protocol save" in answer.err


@pytest.mark.parametrize("verb", ["done", "next"])
def test_a_broken_file_stays_as_it_is(onward: Onward, scratch: Scratch, verb: str) -> None:
    path = scratch.root / "session-protocol.json"
    path.write_text("{broken")
    assert onward("protocol", verb, "TASK_001").code == 4
    assert path.read_text() == "{broken"


def test_what_a_save_replaces_comes_back_from_the_trash(filed: Onward, scratch: Scratch) -> None:
    path = scratch.root / "session-protocol.json"
    value = json.loads(path.read_text())
    value["tasks"][0]["title"] = "Sign, by hand"
    path.write_text(json.dumps(value, indent=1))
    by_hand = path.read_bytes()
    filed("protocol", "done", "TASK_002")
    answer = filed("restore", "session-protocol", "--force")
    assert answer.code == 0, answer.err
    assert path.read_bytes() == by_hand


def test_fields_of_other_tools_survive(filed: Onward, scratch: Scratch) -> None:
    path = scratch.root / "session-protocol.json"
    value = json.loads(path.read_text())
    value["mine"], value["tasks"][1]["estimate"] = {"kept": True}, 3
    path.write_text(json.dumps(value))
    filed("protocol", "next", "TASK_002")
    again = json.loads(path.read_text())
    assert again["mine"] == {"kept": True}
    assert (again["tasks"][0]["title"], again["tasks"][0]["estimate"]) == ("Verify", 3)
