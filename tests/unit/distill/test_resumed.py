"""Of two sessions on one thread: what of either stays, and what comes next."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from tests.unit.formats.strategies import snapshots

from onward.distill import distill, resumed
from onward.formats import session_state
from onward.model import (
    Draft,
    Edited,
    Event,
    FileFact,
    Item,
    Origin,
    Prompt,
    Ran,
    Reply,
    Run,
    Task,
    TodoItem,
    TodoList,
)

OFFER = Reply(line=0, text="Next action: Mend the seam. Ready to continue? (yes/no)")
EDIT = Edited(line=0, path="src/hull.py", added=3)
PASS = Ran(line=0, command="pytest tests/test_hull.py", failed=False, output="4 passed in 0.10s\n")
FAIL = Ran(
    line=0,
    command="pytest -q",
    failed=True,
    exit_code=1,
    output="FAILED tests/test_a.py::test_one - assert 1 == 2\n1 failed, 3 passed in 0.10s\n",
)
COMMIT = Ran(
    line=0,
    command="git commit -qam 'Caulk plank four'",
    failed=False,
    output="[main 9f5a3c7] Caulk plank four\n 1 file changed\n",
)
DONE = Reply(line=0, text="That is done.")
OWN = "Write a page about the rigging for the manual"
MEND = "Mend the failing run: `pytest tests/test_hull.py`: 1 failed"
BEFORE = Draft(
    task=Item(text="Build the hull of the boat", evidence="asked", places=("t:1",)),
    saved="2026-03-01T13:40:00Z",
    origin=Origin(session="a"),
    requests=(Item(text="Build the hull of the boat from oak", evidence="asked"),),
    next_action=Item(text=MEND, evidence="observed", places=("t:9",)),
    runs=(Run(command="pytest tests/test_hull.py", outcome="failed", places=("t:9",)),),
)


def said(text: str) -> Prompt:
    return Prompt(line=0, text=text)


def since(*events: Event, before: Draft = BEFORE) -> Draft:
    """A session that took `before` up, with what is carried on."""
    told = distill(msgspec.structs.replace(e, line=n) for n, e in enumerate((OFFER, *events), 1))
    return session_state.carry(*resumed.part(told, before))


def following(draft: Draft) -> str:
    return draft.next_action.text if draft.next_action else ""


@pytest.mark.parametrize("word", ["yes", "Yes, go on", "ok", "继续", "2", "thanks"])
def test_bare_words_leave_task_and_requests_as_they_were(word: str) -> None:
    draft = since(said(word), DONE)
    assert draft.task.text == BEFORE.task.text
    assert [item.text for item in draft.requests] == [BEFORE.requests[0].text]


@pytest.mark.parametrize("word", [OWN, f"Yes. {OWN}"])
def test_work_of_its_own_leads_and_the_goal_is_that_of_the_thread(word: str) -> None:
    draft = since(said(word), EDIT, DONE)
    assert draft.task.text == OWN
    assert draft.goal
    assert draft.goal.text == BEFORE.requests[0].text
    assert [item.text for item in draft.requests] == [word]


@pytest.mark.parametrize(
    ("events", "before", "text"),
    [
        pytest.param((), MEND, MEND, id="looked"),
        pytest.param((said("yes"),), MEND, MEND, id="unanswered"),
        pytest.param((said("yes"), DONE), MEND, MEND, id="talked"),
        pytest.param((said("yes"), EDIT, DONE), MEND, MEND, id="not tested"),
        pytest.param((said(OWN), EDIT, DONE), MEND, MEND, id="other work"),
        pytest.param((said("yes"), EDIT, PASS, DONE), MEND, "Ask the person", id="tested"),
        pytest.param((said("yes"), EDIT, FAIL, DONE), "Caulk on", "Mend the failing", id="own"),
        pytest.param((said("yes"), EDIT, DONE), "Caulk on", "Ask the person", id="agreed"),
        pytest.param((said("yes"), COMMIT, DONE), "Caulk plank four", "Ask the", id="committed"),
        pytest.param((said("yes"), COMMIT, DONE), "", "Ask the person", id="none before"),
    ],
)
def test_the_next_action(events: tuple[Event, ...], before: str, text: str) -> None:
    given = Item(text=before) if before else None
    draft = since(*events, before=msgspec.structs.replace(BEFORE, next_action=given))
    assert following(draft).startswith(text)
    assert "Ready to continue" not in following(draft)


def test_after_agreed_work_the_question_says_what_was_agreed_to() -> None:
    before = msgspec.structs.replace(BEFORE, next_action=Item(text="Caulk on"))
    found = since(said("yes"), EDIT, DONE, before=before).next_action
    assert found
    assert found.why == "agreed to when the work was resumed: Caulk on"


def test_a_next_action_that_other_work_stands_before_is_put_off_until_it_is_done() -> None:
    draft = since(said(OWN), EDIT, FAIL, DONE, before=BEFORE)
    before = msgspec.structs.replace(BEFORE, next_action=Item(text="Caulk plank four"))
    draft = since(said(OWN), EDIT, FAIL, DONE, before=before)
    assert following(draft).startswith("Mend the failing run: `pytest -q`")
    assert [item.text for item in draft.deferred] == ["Next before the resume: Caulk plank four"]
    assert since(said("yes"), DONE, before=draft).deferred == draft.deferred
    assert since(said("yes"), COMMIT, DONE, before=draft).deferred == ()


def test_open_tasks_come_next_where_nothing_else_is_left() -> None:
    tasks = (Task(title="Caulk the seams"), Task(title="Fit the keel", status="in_progress"))
    before = msgspec.structs.replace(BEFORE, tasks=tasks)
    draft = since(said("yes"), PASS, DONE, before=before)
    assert following(draft) == (
        "Check whether it is done, else go on with the task: Fit the keel; then: Caulk the seams"
    )


@pytest.mark.parametrize(
    ("event", "left"),
    [
        (EDIT, ["Caulk plank four", "Fit the keel"]),
        (COMMIT, ["Fit the keel"]),
        (TodoList(line=0, items=(TodoItem(title="fit the keel"),)), ["Caulk plank four"]),
    ],
)
def test_tasks_that_were_done_or_listed_anew_do_not_come_along(
    event: Event, left: list[str]
) -> None:
    tasks = (
        Task(title="Caulk plank four"),
        Task(title="Fit the keel"),
        Task(title="Fell the oak", status="completed"),
    )
    draft = since(said("yes"), event, before=msgspec.structs.replace(BEFORE, tasks=tasks))
    assert [task.title for task in draft.tasks if task.title[0].isupper()] == left


@pytest.mark.parametrize(
    ("command", "passed", "carried"),
    [
        ("pytest tests/test_hull.py", True, False),
        ("pytest tests", True, False),
        ("make test", True, False),
        ("pytest tests/test_keel.py", True, True),
        ("npm run lint", True, True),
    ],
)
def test_a_run_comes_along_unless_it_was_run_again(
    command: str, passed: bool, carried: bool
) -> None:
    again = Ran(line=0, command=command, failed=not passed, output="4 passed in 0.10s\n")
    draft = since(said("yes"), again)
    assert ("failed" in [run.outcome for run in draft.runs]) is carried


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("`pytest tests/test_hull.py` fails (1 failed)", False),
        ("`cargo build` fails: no oak", True),
        ("Waits for the person's answer: “Oak or elm?”", False),
        ("The client stopped the work: limit reached", False),
        ("A sub-agent had not reported yet; it was told: Fell the oak", False),
        ("Merge conflict in src/hull.py", False),
        ("Merge conflict in src/keel.py", True),
        ("No oak is left in the yard", True),
    ],
)
def test_blockers_that_still_hold_come_along(text: str, carried: bool) -> None:
    before = msgspec.structs.replace(BEFORE, blockers=(Item(text=text),))
    draft = since(said("yes"), EDIT, PASS, before=before)
    assert (text in [item.text for item in draft.blockers]) is carried


def test_a_question_still_waits_where_nothing_went_on() -> None:
    waits = Item(text="Waits for the person's answer: “Oak or elm?”")
    draft = since(before=msgspec.structs.replace(BEFORE, blockers=(waits,)))
    assert draft.blockers == (waits,)


def test_a_file_that_was_only_looked_at_since_is_still_a_changed_one() -> None:
    files = (FileFact(path="src/hull.py", added=9), FileFact(path="docs/a.md", change="read"))
    looked = Draft(task=Item(text=""), files=(FileFact(path="src/hull.py", change="read"),))
    before = msgspec.structs.replace(BEFORE, files=files)
    told = session_state.carry(*resumed.part(looked, before))
    assert [(f.path, f.change) for f in told.files] == [
        ("src/hull.py", "edited"),
        ("docs/a.md", "read"),
    ]


def test_what_came_since_is_parted_from_what_was_before() -> None:
    done = tuple(Item(text=f"Sawed plank {n}") for n in range(9))
    before = msgspec.structs.replace(BEFORE, progress=done)
    *old, mark, new = since(said("yes"), EDIT, before=before).progress
    assert [item.text for item in old] == [f"Sawed plank {n}" for n in range(5, 9)]
    assert mark.text.startswith(
        "Resumed “Build the hull of the boat from oak” (left on 2026-03-01)"
    )
    assert "src/hull.py" in new.text


def all_places(draft: Draft) -> set[str]:
    singles = (draft.task, draft.goal, draft.plan, draft.next_action, draft.closing)
    lists = (
        *draft.requests, *draft.progress, *draft.blockers, *draft.decisions, *draft.dead_ends,
        *draft.deferred, *draft.commands, *draft.context, *(s for s in singles if s),
    )  # fmt: skip
    found = {place for item in lists for place in item.places}
    found |= {place for run in draft.runs for place in run.places}
    found |= {place for task in draft.tasks for place in task.places}
    return found | {place for fact in draft.files for place in fact.places}


@given(snapshots, snapshots)
def test_no_place_of_another_transcript_is_told(new: Draft, before: Draft) -> None:
    told = session_state.carry(*resumed.part(new, before))
    lines = {place for place in all_places(told) if place.startswith("t:")}
    assert lines <= all_places(new)


@given(snapshots, snapshots)
def test_all_that_the_session_did_itself_stays(new: Draft, before: Draft) -> None:
    told = session_state.carry(*resumed.part(new, before))
    assert told.runs[: len(new.runs)] == new.runs
    assert told.tasks[: len(new.tasks)] == new.tasks
    assert {item.text for item in new.progress} <= {item.text for item in told.progress}
    changed = [fact for fact in new.files if fact.change not in {"read", "named"}]
    assert all(fact in told.files for fact in changed)
    assert (told.origin, told.repo, told.saved) == (new.origin, new.repo, new.saved)
