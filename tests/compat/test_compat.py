"""Files that a release wrote, and files of other hands, load for ever.

Nothing in `v1/`, `goal/` and `foreign/` is ever edited; a new format version gets a folder of its
own. `goal/` was written by the last state that had the headings Goal and Deferred and told with a
request, in words, how it ended.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from onward.documents import active_context, checkpoint_md, protocol_json, session_md
from onward.model import Draft

HERE = Path(__file__).parent
TASK = "Build login page with OAuth fallback"
NEXT = "Run pytest tests/auth_test.py to verify login"
WROTE = "Wrote src/auth.py lines 45-120"


def load(name: str) -> str:
    return (HERE / name).read_bytes().decode()


@pytest.mark.parametrize(
    ("name", "parse"),
    [
        ("v1/checkpoint.md", checkpoint_md.parse),
        ("v1/session-document.md", session_md.parse),
        ("v1/session-protocol.json", protocol_json.parse),
        ("v1/active-context.md", active_context.parse),
    ],
)
def test_each_form_of_the_first_version_loads(name: str, parse: Callable[[str], Draft]) -> None:
    draft = parse(load(name))
    assert draft.task.text == TASK
    assert draft.next_action is not None
    assert draft.next_action.text == NEXT
    assert [item.text for item in draft.progress] == [f"{WROTE}, login flow complete"]
    assert draft.progress[0].places == ("t:541", "c:9f5a3c7")
    assert draft.decisions[0].why == "half of the users have no account elsewhere"
    assert [fact.path for fact in draft.files] == ["src/auth.py", "src/oauth.py"]
    assert draft.repo is not None
    assert draft.repo.branch == "feature/auth"
    assert draft.repo.commit.startswith("9f5a3c7e2b")
    assert draft.saved == "2026-03-01T13:40:00Z"


@pytest.mark.parametrize("name", ["v1/checkpoint.md", "v1/session-document.md"])
def test_the_first_versions_full_forms_load_whole(name: str) -> None:
    parse = checkpoint_md.parse if "checkpoint" in name else session_md.parse
    draft = parse(load(name))
    assert draft.origin.lines == 612
    assert draft.files[0].hash == "0123456789abcdef"
    assert draft.files[0].anchors[0].line == 45
    assert draft.runs[0].decisive == ("tests/auth_test.py::test_state FAILED",)
    assert draft.blocks[0].content == "RS256 algo.\nTTL: 1h access, 7d refresh."
    assert "Ideas of mine" in [section.heading for section in draft.extra]


@pytest.mark.parametrize("name", ["template", "crlf", "bom", "loose"])
def test_a_checkpoint_of_other_hands_loads(name: str) -> None:
    draft = checkpoint_md.parse(load(f"foreign/{name}.md"))
    assert draft.task.text == "Build login page"
    assert draft.progress[0].text == WROTE
    assert draft.next_action is not None
    assert draft.next_action.text.startswith(NEXT)
    assert draft.saved == "2026-03-01T13:40:00Z"
    assert "\r" not in checkpoint_md.render(draft)  # type: ignore[arg-type]


def test_the_loose_file_keeps_its_own_heading_and_table() -> None:
    draft = checkpoint_md.parse(load("foreign/loose.md"))
    assert [(fact.path, fact.why) for fact in draft.files] == [("src/auth.py", "the login")]
    assert [(section.heading, section.body) for section in draft.extra] == [
        ("My own heading", "Ask Ana.")
    ]


def test_the_documents_empty_template_loads_as_nothing_but_its_task() -> None:
    draft = checkpoint_md.parse(load("foreign/empty-sections.md"))
    assert draft.task.text == "Build login page"
    assert (draft.progress, draft.next_action, draft.context, draft.extra) == ((), None, (), ())


def test_a_protocol_of_other_hands_loads() -> None:
    draft = protocol_json.parse(load("foreign/session-protocol.json"))
    assert [(task.id, task.status) for task in draft.tasks] == [
        ("TASK_001", "in_progress"),
        ("TASK_002", "completed"),
    ]
    assert draft.tasks[1].consolidated_count == 4
    assert draft.task.text == "Build login page"


def test_a_session_document_of_other_hands_loads() -> None:
    draft = session_md.parse(load("foreign/session-document.md"))
    assert draft.task.text == "Build login page"
    assert draft.progress[0].text == WROTE
    assert [item.text for item in draft.dead_ends] == ["Middleware redirect: loops"]
    assert "reviewer: Ana" in draft.extra[0].body


ASKED = ("I want tally --monthly", "Now the option. And print")


@pytest.mark.parametrize(
    ("name", "parse"),
    [
        ("checkpoint.md", checkpoint_md.parse),
        ("session-document.md", session_md.parse),
        ("session-protocol.json", protocol_json.parse),
    ],
)
def test_a_goal_is_the_first_request_and_what_was_deferred_is_context(
    name: str, parse: Callable[[str], Draft]
) -> None:
    draft = parse(load(f"goal/{name}"))
    assert [
        request.text[: len(asked)] for request, asked in zip(draft.requests, ASKED, strict=True)
    ] == [*ASKED]
    assert [request.places for request in draft.requests] == [("t:6",), ("t:87",)]
    assert [item.text for item in draft.context] == ["Currency signs: after the release"]
    assert (len(draft.trail), len(draft.files), draft.extra) == (12, 3, ())
    assert draft.runs[0].summary == "4 passed in 0.01s"
    assert draft.origin.session == "85568a8f-f251-4a19-ab58-eba31c5fdb35"
    assert draft.status.kind == "unknown"


def test_the_active_context_of_that_version_loads() -> None:
    draft = active_context.parse(load("goal/active-context.md"))
    assert draft.task.text == "Tally --monthly expenses.csv: one block of totals per month"
    assert draft.next_action is not None


def test_how_a_request_ended_is_read_from_the_words_of_that_version() -> None:
    first, last = checkpoint_md.parse(load("goal/two-requests.md")).requests
    assert (first.ended, first.why) == ("Fixed and committed: `parse('1H 5M')` is 3900.", None)
    assert (last.ended, last.why) == (None, None)


def test_words_that_refused_a_call_are_read_as_a_refusal() -> None:
    typed, refusal = checkpoint_md.parse(load("goal/refusal.md")).requests
    assert (typed.source, typed.about) == ("typed", None)
    assert (refusal.source, refusal.about) == ("refusal", "edit `src/tally/cli.py`")


@pytest.mark.parametrize("name", ["checkpoint", "two-requests", "refusal"])
def test_a_file_of_that_version_says_the_same_once_it_is_written_again(name: str) -> None:
    draft = checkpoint_md.parse(load(f"goal/{name}.md"))
    assert checkpoint_md.parse(checkpoint_md.render(draft)) == draft  # type: ignore[arg-type]
