"""What counts as open, and what as finished: from events, through the distiller."""

from __future__ import annotations

from typing import Any

import pytest

from onward.model import (
    Asked,
    Clean,
    Edited,
    Event,
    Halt,
    Interrupt,
    Item,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Reply,
    Snapshot,
    TodoItem,
    TodoList,
)
from onward.open_work.known import known
from onward.open_work.signs import Sign, changes, signs, wanted
from onward.record import record
from onward.redact import Redactor

ASK = (Prompt, {"text": "Round the totals of the ledger to whole cents"})
EDIT = (Edited, {"path": "/p/src/ledger.py", "added": 3, "text": "return round(total, 2)"})
PASS = (Ran, {"command": "pytest -q", "failed": False, "output": "7 passed in 0.1s"})
FAIL = (
    Ran,
    {
        "command": "pytest -q",
        "failed": True,
        "exit_code": 1,
        "output": "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed in 0.1s",
    },
)
COMMIT = (
    Ran,
    {
        "command": "git commit -qam 'Round totals'; git log -1 --oneline",
        "failed": False,
        "output": "[main abc1234] Round totals\n 1 file changed",
    },
)
DONE = (Reply, {"text": "Done: the totals are rounded and the tests pass."})
Told = tuple[type[Event], dict[str, Any]]


def checkpoint(*told: Told) -> Snapshot[Clean]:
    events = [kind(line=n, **fields) for n, (kind, fields) in enumerate(told, 1)]
    return Redactor(b"key").draft(record(events, "/p"))


def kinds(*told: Told) -> list[str]:
    return [sign.kind for sign in signs(checkpoint(*told))]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([ASK, EDIT, (Reply, {"text": "Done. Should I also round the taxes?"})], ["question"]),
        (
            [ASK, (Asked, {"questions": (Question(text="Which rounding?", options=("a", "b")),)})],
            ["question"],
        ),
        ([ASK, (Planned, {"text": "# Round all\n1. totals"})], ["question"]),
        (
            [ASK, EDIT, (Reply, {"text": "It is built. Let me know once you have deployed it."})],
            ["question"],
        ),
        ([ASK, EDIT, DONE, (Prompt, {"text": "Now do the same with the taxes"})], ["unanswered"]),
        ([ASK, EDIT, DONE, (Prompt, {"text": "Why did you round twice?"})], ["unanswered"]),
        (
            [ASK, (Reply, {"text": "Shall I begin?"}), (Prompt, {"text": "yes"})],
            ["unanswered"],
        ),
        ([ASK, EDIT, (Interrupt, {"act": "pytest -q"})], ["stopped"]),
        ([ASK, EDIT, (Refusal, {"act": "git push", "kind": "command"})], ["stopped"]),
        ([ASK, EDIT, (Halt, {"reason": "usage limit reached"})], ["broken-off"]),
        ([ASK, EDIT], ["broken-off"]),
        ([ASK, EDIT, FAIL, (Reply, {"text": "One test still fails."})], ["failing"]),
        (
            [
                ASK,
                (TodoList, {"items": (TodoItem(title="Round totals", status="in_progress"),)}),
                EDIT,
                (Reply, {"text": "The totals are begun."}),
            ],
            ["tasks"],
        ),
    ],
    ids=[
        "a question",
        "a form",
        "a plan",
        "waits for the person",
        "a prompt without an answer",
        "a question without an answer",
        "a yes without a deed",
        "interrupted",
        "refused",
        "the client stopped",
        "cut off",
        "a red test",
        "a task in progress",
    ],
)
def test_what_is_left_open_is_a_sign(told: list[Told], expected: list[str]) -> None:
    assert kinds(*told) == expected


@pytest.mark.parametrize(
    "told",
    [
        [ASK, EDIT, PASS, COMMIT, DONE],
        [ASK, EDIT, FAIL, EDIT, PASS, COMMIT, DONE],
        [ASK, (Reply, {"text": "Shall I begin?"}), (Prompt, {"text": "yes"}), EDIT, PASS, DONE],
        [ASK, EDIT, (Interrupt, {"act": "x"}), (Prompt, {"text": "go on"}), EDIT, PASS, DONE],
        [ASK, EDIT, COMMIT, (Reply, {"text": "Done. Next steps: watch the logs for a day."})],
        [
            ASK,
            (TodoList, {"items": (TodoItem(title="Round totals", status="completed"),)}),
            EDIT,
            DONE,
        ],
        [(Prompt, {"text": "What does the ledger round with?"}), (Reply, {"text": "With round."})],
    ],
    ids=[
        "committed",
        "red, then green",
        "a question that was answered",
        "interrupted and taken up",
        "advice of the agent",
        "all tasks done",
        "a question of the person that was answered",
    ],
)
def test_what_was_finished_leaves_no_sign(told: list[Told]) -> None:
    assert kinds(*told) == []


def test_a_failing_check_says_which_kind_it_was() -> None:
    (found,) = signs(checkpoint(ASK, EDIT, FAIL, (Reply, {"text": "One test still fails."})))
    assert found.of == "test"
    assert found.places == ("t:3",)


def test_open_tasks_are_counted() -> None:
    items = tuple(TodoItem(title=f"Step {n} of the rounding") for n in range(3))
    (found,) = signs(checkpoint(ASK, EDIT, (TodoList, {"items": items}), DONE))
    assert found == Sign(
        kind="tasks",
        text=Clean("Step 0 of the rounding and 2 more"),
        evidence="claimed",
        places=found.places,
        count=3,
    )


def test_changes_are_told_without_what_a_commit_took_in_or_lies_elsewhere() -> None:
    other = (Edited, {"path": "/p/notes.md", "change": "created", "added": 1})
    away = (Edited, {"path": "/tmp/scratch.py", "change": "created", "added": 1})
    commit = (
        Ran,
        {
            "command": "git commit -qam Round",
            "failed": False,
            "output": "[main abc1234] Round\n 1 file changed",
        },
    )
    found = changes(checkpoint(ASK, EDIT, commit, other, away, DONE))
    assert found.loose == ("notes.md",)
    assert set(found.changed) == {"src/ledger.py", "notes.md"}


@pytest.mark.parametrize(
    ("goal", "requests", "expected"),
    [
        ("Add a cache for prices", ["Write the tests for it too"], "Write the tests for it too"),
        ("Add a cache for prices", ["yes", "git add ."], "Add a cache for prices"),
        (None, ["给价格加缓存并写测试"], "给价格加缓存并写测试"),
        (None, ["Write the tests for it too", "继续"], "Write the tests for it too"),
        (None, [], "the task"),
    ],
)
def test_what_was_wanted_is_the_last_request_that_says_something(
    goal: str | None, requests: list[str], expected: str
) -> None:
    place: Snapshot[Clean] = Snapshot(
        task=Item(text=Clean("the task")),
        goal=Item(text=Clean(goal)) if goal else None,
        requests=tuple(Item(text=Clean(each)) for each in requests),
    )
    assert wanted(place) == expected


def test_a_long_request_is_kept_in_one_short_line() -> None:
    text = Clean("Round all of the totals\n" * 100)
    place: Snapshot[Clean] = Snapshot(task=Item(text=text))
    kept = known(place, Clean("~/p")).wanted
    assert "\n" not in kept
    assert len(kept) <= 400
    assert kept.endswith("…")


@pytest.mark.parametrize(
    ("after", "expected"), [([], ["question", "failing"]), ([EDIT], ["question"])]
)
def test_a_red_test_beside_a_question_counts_unless_something_was_changed_since(
    after: list[Told], expected: list[str]
) -> None:
    asks = (Reply, {"text": "The test is red. Should I mend the rounding or the test?"})
    assert kinds(ASK, EDIT, FAIL, *after, asks) == expected
