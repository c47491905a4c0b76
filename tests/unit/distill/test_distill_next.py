"""The next action: which of several candidates is chosen, and that it can be carried out."""

from __future__ import annotations

import msgspec
import pytest

from onward.distill import distill
from onward.model import (
    Asked,
    Draft,
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
    TodoItem,
    TodoList,
)

LONG = "Write an importer for the bank's statements, with one test per column and a clear error"
EDIT = Edited(line=0, path="src/app.py", added=3)
FAIL = Ran(
    line=0,
    command="pytest -q",
    failed=True,
    exit_code=1,
    output="FAILED tests/test_a.py::test_one - assert 1 == 2\n1 failed, 3 passed in 0.10s\n",
)
PASS = Ran(line=0, command="pytest -q", failed=False, output="4 passed in 0.10s\n")


def said(text: str) -> Prompt:
    return Prompt(line=0, text=text)


def reply(text: str) -> Reply:
    return Reply(line=0, text=text)


def todo(*entries: tuple[str, str]) -> TodoList:
    items = [{"title": title, "status": status} for title, status in entries]
    return TodoList(line=0, items=msgspec.convert(items, tuple[TodoItem, ...]))


def session(*events: Event) -> Draft:
    return distill(msgspec.structs.replace(e, line=n) for n, e in enumerate(events, 1))


def following(*events: Event) -> Item[str]:
    found = session(*events).next_action
    assert found is not None
    return found


def test_a_question_left_open_comes_first() -> None:
    item = following(
        said(LONG), FAIL, EDIT, reply("Done so far.\n\nWhich bank comes first, A or B?")
    )
    assert item.text == "Answer the agent's question: “Which bank comes first, A or B?”"
    assert item.places == ("t:4",)


def test_an_offer_to_commit_says_that_nothing_is_committed() -> None:
    item = following(said(LONG), EDIT, reply("All done. Ready to commit these changes?"))
    assert "Ready to commit these changes?" in item.text
    assert "(no commit was seen for 1 changed file)" in item.text


def test_a_form_without_answers_is_the_open_question_with_its_options() -> None:
    form = Asked(line=0, questions=(Question(text="Which store?", options=("SQLite", "files")),))
    assert following(said(LONG), form).text == (
        "Answer the agent's question: “Which store? (SQLite / files)”"
    )


def test_a_plan_without_an_answer_waits_for_approval() -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite")
    assert following(said(LONG), plan).text.endswith("waits for an answer: Move to SQLite")


@pytest.mark.parametrize("end", ["Anything else?", "Let me know if you want changes?", "It works."])
def test_a_courtesy_is_no_open_question(end: str) -> None:
    assert "Answer" not in following(said(LONG), EDIT, reply(end)).text


def test_a_leave_taking_does_not_answer_the_question() -> None:
    bye = Prompt(line=0, text="/exit", source="command")
    item = following(said(LONG), reply("Which bank comes first?"), bye)
    assert item.text.startswith("Answer the agent's question")


def test_a_prompt_without_an_answer_is_to_be_begun() -> None:
    item = following(said("Add a login page"), EDIT, reply("Done."), said(LONG))
    assert item.text == f"Do what was asked last and not begun: “{LONG}”"
    assert item.evidence == "asked"


def test_an_unanswered_yes_is_worded_as_what_it_agrees_to() -> None:
    item = following(said(LONG), reply("Shall I delete `old.py`?"), said("yes"))
    assert item.text == "Do what was agreed to with “yes”: “Shall I delete `old.py`?”"


def test_an_interrupted_act_is_named_with_its_request() -> None:
    item = following(said(LONG), Interrupt(line=0, act="npm test"))
    assert item.text.startswith("Go on with the interrupted act: npm test")
    assert "stopped by the person" in item.text


def test_an_act_that_was_refused_is_not_to_be_repeated() -> None:
    no = Refusal(line=0, act="git commit -m x", kind="command")
    item = following(said(LONG), EDIT, no, Interrupt(line=0, act="git commit -m x"))
    assert item.text.startswith("Ask how to go on: the person refused git commit -m x")
    no = Refusal(line=0, act="edit a.py", words="use b.py", kind="edit")
    assert (
        following(said(LONG), no).text == "Do what the person said instead of edit a.py: “use b.py”"
    )


def test_a_halt_is_no_end_of_the_work() -> None:
    item = following(said(LONG), EDIT, Halt(line=0, reason="usage limit reached"))
    assert "usage limit reached" in item.text
    assert LONG in item.text


def test_a_failing_run_is_to_be_mended_with_its_decisive_lines() -> None:
    item = following(said(LONG), EDIT, FAIL, reply("I will look into it."))
    assert item.text.startswith("Mend the failing run: `pytest -q`")
    assert "test_one" in item.text
    assert item.evidence == "observed"


def test_what_failed_and_later_passed_is_not_open() -> None:
    draft = session(said(LONG), FAIL, EDIT, PASS, reply("Green."))
    assert draft.next_action is not None
    assert "Mend" not in draft.next_action.text
    assert not draft.blockers


def test_the_task_in_progress_comes_before_the_pending_one() -> None:
    tasks = todo(("Schema", "completed"), ("Docs", "pending"), ("Queries", "in_progress"))
    assert (
        following(said(LONG), tasks, reply("On it."), EDIT).text
        == "Go on with the task: Queries; then: Docs"
    )
    assert (
        following(said(LONG), todo(("Docs", "pending")), reply("ok")).text == "Begin the task: Docs"
    )


def test_a_task_that_the_agent_may_have_finished_is_to_be_checked_first() -> None:
    item = following(said(LONG), todo(("Queries", "in_progress")), EDIT, reply("All is done."))
    assert item.text == "Check whether it is done, else go on with the task: Queries"
    assert item.why == "1 edit came after the list's last update"


def test_a_list_of_an_earlier_request_is_not_what_comes_next() -> None:
    old = todo(("Queries", "in_progress"))
    item = following(said("Move to SQLite please"), old, EDIT, said(LONG), EDIT)
    assert "Queries" not in item.text


def test_work_broken_off_goes_on_with_the_request_and_the_last_act() -> None:
    item = following(said(LONG), reply("I begin."), EDIT)
    assert item.text.startswith("Go on with what was asked, begun and not finished")
    assert "edit src/app.py" in item.text


@pytest.mark.parametrize(
    "words", ["Now I add the banner. Let me find the render section:", "现在修改："]
)
def test_words_that_announce_the_next_act_are_no_closing_words(words: str) -> None:
    item = following(said(LONG), EDIT, reply(words))
    assert item.text.startswith("Go on with what was asked, begun and not finished")


def test_next_steps_in_the_closing_words_are_the_agents_claim() -> None:
    item = following(
        said(LONG), EDIT, reply("Done.\n\n## Next steps\n- Run the migration\n- Tell Ann")
    )
    assert "Run the migration" in item.text
    assert item.evidence == "claimed"


def test_a_check_that_edits_made_stale_is_to_be_run_again() -> None:
    item = following(said(LONG), PASS, EDIT, reply("All is done and green."))
    assert item.text == "Run `pytest -q` again: 1 edit came after it last passed"


def test_an_older_build_need_not_be_run_again_where_the_tests_passed_since() -> None:
    build = Ran(line=0, command="cargo build", failed=False, output="Finished in 2s")
    item = following(said(LONG), build, EDIT, PASS, reply("All is done and green."))
    assert "cargo build" not in item.text


def test_changes_without_a_commit_are_to_be_looked_over() -> None:
    item = following(said(LONG), EDIT, PASS, reply("All is done and green."))
    assert "src/app.py" in item.text
    assert "commit" in item.text


@pytest.mark.parametrize(
    "events",
    [
        [said("hi")],
        [said("继续")],
        [said(LONG), reply("Finished.")],
        [Interrupt(line=0)],
        [reply("I looked around.")],
        [EDIT],
        [todo(("Docs", "pending"))],
    ],
)
def test_it_is_never_empty_where_there_is_anything(events: list[Event]) -> None:
    assert following(*events).text
