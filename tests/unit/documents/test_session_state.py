from __future__ import annotations

import pytest

from onward.documents import session_state
from onward.model import Draft, Item, Request

THIN: Draft = Draft(task=Item(text=""))
FULL: Draft = Draft(
    task=Item(text="Fix the login", evidence="asked"),
    progress=(Item(text="Wrote a.py", evidence="observed"),),
    next_action=Item(text="Run make", evidence="observed"),
    decisions=(Item(text="Use JWT", evidence="asked"),),
)
STATE = """# Session State

## Current Task
Build the login page

## Recent Decisions
- use jwt.
- Keep the form
  - why: half of the users need it

## 偏好
- answers in English
"""
BUFFER = """# Working Buffer
**Status:** ACTIVE

## [2026-03-01 10:00] Human
Please add the fallback

## [2026-03-01 10:01] Agent (summary)
Wrote src/oauth.py

## Next steps
- Run pytest
"""


def test_the_states_task_and_decisions_lead() -> None:
    draft = session_state.fill(FULL, STATE)
    assert draft.task.text == "Build the login page"
    assert [item.text for item in draft.decisions] == ["use jwt.", "Keep the form"]
    assert draft.decisions[1].why == "half of the users need it"
    assert [item.text for item in draft.constraints] == ["answers in English"]


def test_the_states_next_action_leads_and_what_was_seen_to_happen_stays() -> None:
    draft = session_state.fill(FULL, STATE + "\n## Next Action\nAsk Ana\n")
    assert draft.next_action == Item(text="Ask Ana", author="user")
    assert draft.progress == FULL.progress


@pytest.mark.parametrize("state", ["", "   \n", "# Session State\n"])
def test_an_empty_state_is_no_obstacle(state: str) -> None:
    assert session_state.fill(FULL, state, BUFFER) == FULL


def test_the_buffer_fills_in_where_the_result_is_thin() -> None:
    draft = session_state.fill(THIN, STATE, BUFFER)
    assert draft.requests == (Request(text="Please add the fallback", evidence="asked"),)
    assert [item.text for item in draft.progress] == ["Wrote src/oauth.py"]
    assert draft.next_action == Item(text="Run pytest")


@pytest.mark.parametrize(
    "heading",
    [
        "Current Task",
        "TASK",
        "## 2. Active task:",
        "当前任务",
        "Aufgabe",
        "Tâche",
    ],
)
def test_headings_are_read_in_anyones_spelling(heading: str) -> None:
    draft = session_state.read(f"## {heading.removeprefix('## ')}\nBuild it\n")
    assert draft.task.text == "Build it"


def test_key_lines_under_a_task_heading_go_where_they_belong() -> None:
    draft = session_state.read("## Task\n- Task: Build it\n- Next: run make\n")
    assert (draft.task.text, draft.next_action) == ("Build it", Item(text="run make"))


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("", True),
        ("# Session State\n\n## Current Task\n[None]\n\n## Recent Decisions\n[None yet]\n", True),
        ("# Session State\n\n**Status:** ACTIVE\n", True),
        (STATE, False),
    ],
)
def test_a_template_says_nothing(text: str, empty: bool) -> None:
    assert (session_state.fill(FULL, text) == FULL) is empty


def test_the_usual_template_as_it_stands_says_nothing() -> None:
    template = (
        "# SESSION-STATE.md — Active Working Memory\n\nThis file survives compaction.\n\n"
        "## Current Task\n[None]\n\n## Key Context\n[None yet]\n\n## Pending Actions\n- [ ] None\n\n"
        "## Recent Decisions\n[None yet]\n\n---\n*Last updated: [timestamp]*\n"
    )
    assert session_state.fill(FULL, template) == FULL


def test_key_details_are_context_and_preferences_are_demands() -> None:
    found = session_state.read("### Key Details\n- port 8080\n\n### Preferences:\nVerbose errors\n")
    assert [item.text for item in found.context] == ["port 8080"]
    assert [item.text for item in found.constraints] == ["Verbose errors"]


def test_a_goal_of_an_earlier_version_is_the_first_request() -> None:
    draft = session_state.read("## Goal\nBuild it\n\n## Deferred\n- The logo\n")
    assert [request.text for request in draft.requests] == ["Build it"]
    assert [item.text for item in draft.context] == ["The logo"]
