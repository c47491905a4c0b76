"""Which words ask for nothing by themselves; and that farewells leave no trace in a draft."""

from __future__ import annotations

import pytest

from onward.distill import distill
from onward.distill.said.bare import is_bare
from onward.distill.said.farewell import is_only_farewell
from onward.model import Event, Prompt, Ran, Reply


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes, please",
        "no",
        "No, thanks!",
        "nope",
        "nothing else",
        "that's all",
        "hi there",
        "thanks a lot",
        "goodnight",
        "ok, see you tomorrow",
        "Thanks, that's all for today. Goodnight, Sam",
        "exit",
        "晚安",
        "不用",
        "继续",
        "nein danke",
    ],
)
def test_it_is_bare(text: str) -> None:
    assert is_bare(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fix the login",
        "Rename the button, then goodnight",
        "Commit all of it. See you tomorrow",
        "no, use tox",
        "no tests please",
        "exit code 1?",
        "What does exit do?",
        "nothing works",
        "add a logout button",
        "notes",
    ],
)
def test_it_is_not(text: str) -> None:
    assert not is_bare(text)
    assert not is_only_farewell(text)


def spoken(*turns: str) -> list[Event]:
    """Prompts and replies in turn."""
    kinds = (Prompt, Reply)
    return [kinds[n % 2](line=n + 1, text=text) for n, text in enumerate(turns)]


@pytest.mark.parametrize("farewell", ["goodnight", "thanks, see you tomorrow", "exit"])
@pytest.mark.parametrize(
    "turns",
    [
        ("Fix the login in src/auth.py", "Shall I also rename the route?"),
        ("Fix the login in src/auth.py", "Done. The tests pass."),
        ("hi there", "Hello! What shall we do?"),
    ],
)
def test_with_a_farewell_at_the_end_the_draft_is_the_same(
    turns: tuple[str, ...], farewell: str
) -> None:
    before = distill(spoken(*turns))
    assert distill(spoken(*turns, farewell)) == before
    assert distill(spoken(*turns, farewell, "Goodnight! Anything else?")) == before


def test_what_is_done_after_it_counts() -> None:
    events = [
        *spoken("Fix the login", "Done.", "goodnight", "Sleep well."),
        Ran(line=5, command="pytest -q", output="1 failed in 0.1s", failed=True, exit_code=1),
    ]
    assert distill(events).runs


@pytest.mark.parametrize("word", ["yes", "no", "hi there", "goodnight", "ok"])
def test_alone_it_is_neither_task_nor_request(word: str) -> None:
    draft = distill(spoken(word))
    assert draft.task.text == ""
    assert draft.requests == ()
    assert draft.goal is None


def test_a_yes_to_a_question_still_means_what_it_answers() -> None:
    draft = distill(spoken("Fix the login", "Shall I rename the route to /signin?", "yes"))
    assert draft.requests[-1].why == "Shall I rename the route to /signin?"
    assert draft.task.text == "Fix the login"
