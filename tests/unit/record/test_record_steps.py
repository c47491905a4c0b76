"""The last steps, oldest first, each with how it ended; what the agent said in between."""

from __future__ import annotations

import pytest
from tests.unit.record.session import ROOT, Session

from onward.model import Looked


def steps(session: Session) -> list[str]:
    return [item.text for item in session.record().trail]


def asked() -> Session:
    return Session().user("Add the login page to the shop")


@pytest.mark.parametrize(
    ("command", "output", "failed", "told"),
    [
        (
            "uv run pytest -q",
            "3 passed in 1s",
            False,
            "Ran `uv run pytest -q`: passed (3 passed in 1s)",
        ),
        ("pytest", "1 failed in 1s", True, "Ran `pytest`: failed (1 failed in 1s)"),
        ("pytest | tail -3", "collecting", False, "Ran `pytest`: result unknown"),
        (
            "npm install",
            "npm error code EPERM",
            True,
            "Ran `npm install`: failed: npm error code EPERM",
        ),
        ("cd /home/ann/shop && make db", "ready", False, "Ran `make db`: ready"),
        ("git commit -am x", "[main 9f5a3c7] Add it", False, "Committed 9f5a3c7 Add it"),
        ("cat > a.txt <<EOF\nx\nEOF", "", False, "Wrote `a.txt`"),
        ("cat src/a.py", "x = 1", False, "Inspected `src/a.py`"),
    ],
)
def test_a_command_is_told_with_how_it_ended(
    command: str, output: str, failed: bool, told: str
) -> None:
    assert steps(asked().ran(command, output, failed=failed))[-1] == told


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("open", "Ran `make db`: result unknown"),
        ("interrupted", "Ran `make db`: interrupted by the user"),
        ("timeout", "Ran `make db`: timed out"),
        ("denied", "Ran `make db`: not permitted"),
    ],
)
def test_a_command_without_a_result_says_why(state: str, told: str) -> None:
    assert steps(asked().ran("make db", state=state, failed=None))[-1] == told


def test_edits_in_a_row_are_one_step() -> None:
    session = asked().edited("a.py", spans=((3, 5),), text="def load():")
    session.edited("b.py").edited("c.py", change="created").edited("d.py", change="created")
    told = ["Edited `a.py` lines 3-5: `def load():`; `b.py`", "Wrote `c.py`, `d.py`"]
    assert steps(session)[-2:] == told


def test_messages_stand_between_the_steps_and_the_last_one_is_the_closing() -> None:
    long = "Now the second file.\n\n" + "It needs the same change as the first one. " * 9
    session = asked().edited("a.py").agent(long).edited("b.py").done("Both are changed.")
    draft = session.record()
    assert [item.evidence for item in draft.trail] == ["asked", "observed", "claimed", "observed"]
    assert (draft.trail[2].why or "").startswith("Now the second file.\n\nIt needs")
    assert draft.closing is not None
    assert draft.closing.text == "Both are changed."


def test_looks_count_only_where_nothing_was_done_after_them() -> None:
    session = asked().add(Looked(line=0, path=f"{ROOT}/a.py", span=(1, 40)))
    assert steps(session)[-1] == "Inspected `a.py` lines 1-40"
    assert "a.py" not in "".join(steps(session.edited("b.py")))


def test_a_command_keeps_its_own_place_where_the_next_one_is_told_only_later() -> None:
    session = asked().ran("make db", "ready").ran("npm run lint", "1 issue")
    session.user("Fix that, please").ran("npm run lint", "ok")
    first = next(item for item in session.record().trail if "make db" in item.text)
    alone = asked().ran("make db", "ready").record().trail[-1]
    assert first.places == alone.places


def test_of_a_command_that_is_run_again_the_last_time_is_told() -> None:
    session = asked().ran("pytest", "1 failed in 1s", failed=True).edited("a.py")
    assert "failed" not in "".join(steps(session.ran("pytest", "1 passed in 1s")))


def test_what_the_user_did_with_a_call_is_a_step() -> None:
    session = asked().refused("edit src/a.py", "not there", kind="edit")
    assert steps(session)[-1] == "The user refused the edit of `src/a.py`: “not there”"
    assert (
        steps(asked().interrupted("npm test"))[-1]
        == "The user interrupted the agent during `npm test`"
    )
    assert steps(asked().halted("API Error: 529"))[-1] == "The session was cut off: API Error: 529"


def test_what_the_agent_said_before_an_edit_stands_with_the_file() -> None:
    session = asked().agent("Reading first.").edited("z.py")
    session.agent("I move the check of the password into the form.").edited("a.py")
    facts = {fact.path: fact.said for fact in session.done().record().files}
    assert facts == {"a.py": ("I move the check of the password into the form.",), "z.py": ()}


def test_what_a_sub_agent_changed_and_ran_is_a_step_of_its_own() -> None:
    session = asked()
    for path in ("src/a.py", "src/b.py"):
        session.edited(path, change="created", thread="x1")
    session.add(Looked(line=0, path=f"{ROOT}/src/c.py", thread="x1"))
    session.ran("git log", "abc1234 Begin", thread="x1")
    session.ran("cd web && pytest -q", "2 passed in 1s", thread="x1").agent("Now.", thread="x1")
    session.helper("write the form", "Written.").helper("look", "Nothing.")
    told, first, second = steps(session)[-3:]
    assert told == (
        "Sub-agent: wrote `src/a.py`; wrote `src/b.py`; "
        "ran in `web`: `pytest -q`: passed (2 passed in 1s)"
    )
    assert "Sub-agent “write the form” reported" in first
    assert "Sub-agent “look” reported" in second


def test_reports_of_sub_agents_are_context_while_they_are_new() -> None:
    session = asked().helper("find the form", "The form is in src/form.py, line 3.")
    (report,) = session.done().record().context
    assert report.text == "The form is in src/form.py, line 3."
    for n in range(3):
        session.user(f"Now do the other thing number {n}").done()
    assert session.record().context == ()


def test_a_script_is_named_by_what_it_does_first() -> None:
    script = "# Look at the ports\nnode listen.js | head -4\necho --\nnode call.js"
    draft = Session().user("Deploy it").ran(script, "ok").record()
    assert draft.trail[-1].text.startswith("Ran `node listen.js | head -4` and 2 more lines")


def test_a_look_at_a_file_does_not_hide_that_it_was_written() -> None:
    session = asked().ran("cat > a.txt <<EOF\nx\nEOF").ran("cat a.txt", "x")
    assert steps(session)[-2:] == ["Wrote `a.txt`", "Inspected `a.txt`"]


def test_an_edit_that_failed_is_told_where_none_of_the_file_worked_since() -> None:
    path, error = f"{ROOT}/src/a.py", "String to replace not found in file."
    session = asked().used("Edit", detail=path, path=path, error="an earlier one")
    told = f"Edit of `src/a.py` failed: {error}"
    session.used("Edit", detail=path, path=path, error=error).edited("src/b.py")
    assert steps(session)[1:] == [told, "Edited `src/b.py`"]
    assert told not in steps(session.ran("sed -i s/a/b/ src/a.py"))
    session = asked().used("Edit", detail=path, path=path, error=error)
    assert told not in steps(session.edited("src/a.py"))
