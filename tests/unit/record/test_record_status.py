"""How a session stood at its last event, known from turn ends and open calls."""

from __future__ import annotations

import pytest
from tests.unit.record.session import Session

from onward.evidence import order_of
from onward.model import Draft, TodoItem, TodoList
from onward.record.status import FINISHED


def asked() -> Session:
    return Session().user("Lisää kirjautumissivu kauppaan ja testaa se")


ENDS = {
    "finished": asked().edited("a.py").done("Valmis."),
    "interrupted": asked().edited("a.py").interrupted("npm test"),
    "cut-off": asked().edited("a.py").ran("npm test", state="open", failed=None),
    "waiting": asked().asked("Kumpi?", options=("A", "B")),
    "background": asked().ran("npm run dev", background="b1").done(),
    "unknown": Session(),
}


@pytest.mark.parametrize("kind", ENDS)
def test_the_last_event_and_the_turns_end_tell_the_status(kind: str) -> None:
    assert ENDS[kind].record().status.kind == kind


@pytest.mark.parametrize(
    "session",
    [
        asked(),
        asked().edited("a.py"),
        asked().agent("Katson testit.", more=True),
        asked().halted("You've hit your limit"),
        asked().used("Edit", detail="a.py", open=True),
        asked().agent("Aloitan.").helper("etsi", state="running"),
        asked().done().user("ja vielä toinen"),
    ],
)
def test_a_prompt_or_a_call_without_an_answer_is_cut_off(session: Session) -> None:
    assert session.record().status.kind == "cut-off"


@pytest.mark.parametrize("call", [("used", "Write", "a.py"), ("ran", "npm test", "")])
def test_a_call_whose_result_was_lost_is_open_no_more_once_the_session_went_on(
    call: tuple[str, str, str],
) -> None:
    kind, what, detail = call
    session = asked().edited("a.py")
    session = (
        session.used(what, detail=detail, open=True)
        if kind == "used"
        else session.ran(what, state="open", failed=None)
    )
    session.done("Valmis.")
    # Readers give such a call when the file ends, with the line that it stands on.
    session.events.append(session.events.pop(-3))
    draft = session.record()
    assert draft.status.kind == "finished"
    assert [item.places for item in draft.trail] == sorted(
        (item.places for item in draft.trail), key=lambda places: order_of(places[-1])
    )


def test_the_status_quotes_what_it_rests_on() -> None:
    assert ENDS["cut-off"].record().status.detail == "npm test"
    assert ENDS["interrupted"].record().status.detail == "npm test"
    assert asked().halted("You've hit your limit").record().status.detail == "You've hit your limit"
    assert ENDS["waiting"].record().status.detail == "Kumpi?"
    assert ENDS["background"].record().status.places == ("t:3",)


@pytest.mark.parametrize(
    ("session", "what"),
    [
        (asked().asked("Kumpi?"), "question"),
        (asked().planned("# Suunnitelma\n1. a"), "plan"),
    ],
)
def test_an_open_question_or_plan_waits_for_the_user(session: Session, what: str) -> None:
    status = session.record().status
    assert (status.kind, status.waits_for) == ("waiting", what)
    following = session.record().next_action
    assert following is not None
    assert following.text.startswith("Waiting for the user's answer: “")


@pytest.mark.parametrize(
    "session",
    [
        asked().asked("Kumpi?", "A").done(),
        asked().asked("Kumpi?").user("ota A").done(),
        asked().planned("# S", approved=True).done(),
        asked().planned("# S").user("hyvä").done(),
    ],
)
def test_what_was_answered_is_not_open(session: Session) -> None:
    assert session.record().status.kind == "finished"


def test_what_runs_since_an_earlier_turn_does_not_hold_up_this_one() -> None:
    session = asked().ran("npm run dev", background="b1").done().user("Korjaa otsikko sivulla")
    draft = session.edited("a.html").done().record()
    assert draft.status.kind == "finished"
    assert [item.text for item in draft.background] == ["npm run dev"]


@pytest.mark.parametrize("state", ["done", "failed", "killed"])
def test_what_ended_no_longer_runs(state: str) -> None:
    draft = asked().ran("npm run dev", background="b1").news("b1", state, "boom").done().record()
    assert draft.background == ()
    assert [item.text for item in draft.dead_ends] == (
        ["Failed in the background: `npm run dev`"] if state == "failed" else []
    )


def test_a_sub_agent_that_has_not_reported_is_still_running() -> None:
    draft = asked().done().add(ENDS["cut-off"].events[-1]).record()
    assert draft.status.kind == "cut-off"
    helper = asked().helper("etsi virheet", state="running").record()
    assert (helper.status.kind, helper.status.detail) == ("cut-off", "sub-agent “etsi virheet”")
    assert not helper.background  # it is told once
    helper = asked().helper("etsi virheet", state="running").done().record()
    assert [item.text for item in helper.background] == ["sub-agent: etsi virheet"]


# ------------------------------------------------------------------- the next action


def following(draft: Draft) -> str:
    return draft.next_action.text if draft.next_action else ""


def test_nothing_is_pending_after_a_finished_turn() -> None:
    assert following(ENDS["finished"].record()) == FINISHED


def test_a_task_is_told_with_what_the_list_shows_of_it_where_the_agent_changed_that() -> None:
    session = asked()
    for shown in ("Deploying it", "Blocked: waiting for the key"):
        item = TodoItem(title="Deploy", status="in_progress", doing=shown)
        session.add(TodoList(line=0, items=(item,)))
        told = following(session.record())
        changed = f" (the task list shows it as “{shown}”)" if shown != "Deploying it" else ""
        assert told == f"Continue the task: Deploy{changed}"
    done = TodoItem(title="Deploy", status="completed", doing="Deployed")
    assert session.add(TodoList(line=0, items=(done,))).record().tasks[0].doing is None


def test_a_failing_check_of_the_last_request_comes_next() -> None:
    session = asked().ran("uv run pytest -q", "1 failed, 2 passed in 1s", failed=True).done()
    assert following(session.record()) == "Fix the failing test run: `uv run pytest -q`"
    later = session.user("Päivitä otsikot kaikkialle").edited("a.html").done()
    assert following(later.record()) == FINISHED


def test_an_open_task_comes_next() -> None:
    draft = asked().todos(kirjaudu="completed", testaa="pending", korjaa="in_progress").done()
    assert following(draft.record()) == "Continue the task: korjaa"


def test_an_unfinished_request_is_quoted() -> None:
    text = "Continue the unfinished request: “Lisää kirjautumissivu kauppaan ja testaa se”"
    assert following(ENDS["interrupted"].record()) == text


def test_where_the_record_decides_nothing_there_is_no_next_action() -> None:
    assert ENDS["unknown"].record().next_action is None
    assert ENDS["background"].record().next_action is None


def test_a_task_list_from_before_another_request_says_no_next_step() -> None:
    session = Session().user("Add the login page with tests and docs").todos(Write_tests="pending")
    assert_next(session, "Continue the task: Write tests")
    session.user("Look into the crash of the importer first, please").interrupted()
    assert_next(session, "Continue the unfinished request: “Look into the crash of the importer")


def assert_next(session: Session, text: str) -> None:
    following = session.record().next_action
    assert following is not None
    assert following.text.startswith(text)


def test_a_refused_plan_is_told_as_a_plan() -> None:
    session = Session().user("Plan the move").refused("Move it all", "no, half", kind="plan")
    assert session.record().requests[-1].about == "the plan “Move it all”"


def test_a_call_without_a_result_is_looked_at_before_the_next_task() -> None:
    session = Session().user("Fix the staff page and the landing page, please")
    session.todos(**{"Fix the staff page": "in_progress"})
    session.ran("git commit -am 'Fix it'", state="open")
    found = session.record().next_action
    assert found is not None
    assert found.text.startswith("Find out whether the last call did its work: it has no result")
    assert found.text.endswith("Then: Continue the task: Fix the staff page")
    looked = Session().user("Fix the staff page, please").ran("cat a.py", state="open").record()
    assert looked.next_action is None or "last call" not in looked.next_action.text
    halted = Session().user("Fix the staff page, please").halted("You've hit your limit").record()
    assert halted.next_action is None or "last call" not in halted.next_action.text
