"""What of a saved place still holds when a session went on from it."""

from __future__ import annotations

from msgspec.structs import replace
from tests.unit.record.session import Session

from onward.model import Draft, Item
from onward.record.carry import carry
from onward.record.consistency import contradictions

BEFORE = (
    Session()
    .user("Add the login page to the shop")
    .todos(write_form="completed", test_form="in_progress", write_docs="pending")
    .edited("form.py")
    .edited("old.py")
    .ran("pytest -q", "1 failed in 1s", failed=True)
    .ran("ruff check .", "All checks passed!")
    .ran("git commit -m x old.py", "[main 9f5a3c7] Start the login")
    .done("The form is there, its test fails.")
    .record()
)


def went_on() -> Session:
    return Session().user("yes")


def test_a_session_that_did_nothing_leaves_the_place_as_it_was() -> None:
    draft = carry(went_on().done("Where shall I begin?").record(), BEFORE)
    assert draft.task.text == BEFORE.task.text
    assert [request.text for request in draft.requests] == ["Add the login page to the shop", "yes"]
    assert [task.title for task in draft.tasks] == ["test form", "write docs"]
    assert {run.command: run.outcome for run in draft.runs} == {
        "pytest -q": "failed",
        "ruff check .": "passed",
    }
    assert [fact.path for fact in draft.files] == [fact.path for fact in BEFORE.files]
    assert draft.next_action is not None
    assert draft.next_action.text == "Fix the failing test run: `pytest -q`"


def test_what_was_run_and_listed_anew_replaces_what_was_before() -> None:
    session = went_on().todos(test_form="completed").edited("form.py")
    draft = carry(session.ran("pytest", "3 passed in 1s").done().record(), BEFORE)
    assert {run.command: run.outcome for run in draft.runs} == {
        "pytest": "passed",
        "ruff check .": "passed",
    }
    titles = [(task.title, task.status) for task in draft.tasks]
    assert titles == [("test form", "completed"), ("write docs", "pending")]
    assert contradictions(draft) == []
    assert draft.next_action is not None
    assert draft.next_action.text == "Continue the task: write docs"


def test_places_in_the_other_transcript_are_left_out() -> None:
    draft = carry(went_on().done().record(), BEFORE)
    assert [item.places for item in draft.progress] == [("c:9f5a3c7",)]
    assert draft.requests[0].places == ()


def test_what_the_user_and_the_agent_noted_stays() -> None:
    noted = replace(
        BEFORE,
        task=Item(text="Login", author="user"),
        next_action=Item(text="Write the test of the form", author="agent"),
        blockers=(Item(text="The key is missing", author="user"), Item(text="Merge conflict")),
        context=(Item(text="The shop closes at six", author="agent"), Item(text="a report")),
    )
    draft = carry(went_on().done().record(), noted)
    assert (draft.task.text, draft.task.author) == ("Login", "user")
    assert draft.next_action == noted.next_action
    assert [item.text for item in draft.blockers] == ["The key is missing"]
    assert [item.text for item in draft.context] == ["The shop closes at six"]
    later = carry(went_on().edited("form.py").done().record(), noted)
    assert later.next_action is not None
    assert later.next_action.author == ""


def test_a_session_with_a_request_of_its_own_has_its_own_title() -> None:
    session = Session().user("Now translate all pages of the shop into Finnish").edited("fi.po")
    draft = carry(session.done().record(), BEFORE)
    assert draft.task.text == "Now translate all pages of the shop into Finnish"
    assert draft.closing is not None
    assert draft.closing.text == "Done."


def test_nothing_before_changes_nothing() -> None:
    draft = went_on().edited("a.py").done().record()
    assert carry(draft, Draft(task=Item(text=""))) == draft


def test_the_answer_to_the_question_of_a_resume_is_no_answer_of_the_record() -> None:
    asked = (
        Session().user("Fix the header").asked("Resuming: x. Ready to continue? (yes/no)", "yes")
    )
    draft = asked.asked("Which colour?", "green").done("I go on.").record()
    assert [request.text for request in draft.requests] == ["Fix the header", "green"]
    assert [item.text for item in draft.decisions] == ["Which colour? → green"]


def test_the_answer_to_the_question_of_a_resume_is_no_request() -> None:
    resumed = Session().agent("Here it is.\n\nReady to continue? (yes/no)")
    draft = carry(resumed.user("yes").done("I go on.").record(), BEFORE)
    assert [request.text for request in draft.requests] == ["Add the login page to the shop"]
    assert not [step.text for step in draft.trail if "“yes”" in step.text]
    more = carry(resumed.user("fix the header of the page first").record(), BEFORE)
    assert more.requests[-1].text == "fix the header of the page first"
