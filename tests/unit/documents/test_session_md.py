from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.sampling import examples
from tests.unit.documents import strategies

from onward.documents import session_md
from onward.model import Checkpoint, Clean, Item, RepoState, Section, Task

HEADINGS = [
    "Summary", "Completed", "In Progress", "Tasks", "Next Steps", "Decisions", "Blockers",
    "Failed Approaches", "Files", "Commands", "Context", "Resume",
]  # fmt: skip
SMALL: Checkpoint = Checkpoint(
    task=Item(text=Clean("Build login page")),
    saved="2026-03-01T13:40:00Z",
    tasks=(Task(title=Clean("Test it")), Task(title=Clean("Write it"), status="in_progress")),
    repo=RepoState(root=Clean("~/shop"), branch=Clean("feature/auth"), commit="9f5a3c7" * 5),
)


@settings(max_examples=examples(60), deadline=None)
@given(strategies.snapshots)
def test_a_document_is_parsed_back_whole(snapshot: Checkpoint) -> None:
    # In Progress stands before Tasks, so the tasks under way come first.
    ordered = sorted(snapshot.tasks, key=lambda task: task.status != "in_progress")
    expected = replace(snapshot, tasks=tuple(ordered))
    assert session_md.parse(session_md.render(snapshot)) == expected


def test_the_headings_are_the_documents_own() -> None:
    text = session_md.render(SMALL)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == HEADINGS


def test_the_front_matter_names_the_documents_fields() -> None:
    given = {"project": "shop: the second", "previous_session": "old.md", "tags": ["auth"]}
    text = session_md.render(SMALL, matter=given)
    assert session_md.front_matter(text) == {
        "date": "2026-03-01 13:40 GMT",
        "project": "shop: the second",
        "status": "in-progress",
        "tags": ["auth"],
        "previous_session": "old.md",
        "branch": "feature/auth",
    }


def test_a_task_under_way_stands_under_in_progress_alone() -> None:
    text = session_md.render(SMALL)
    below = text[text.index("## In Progress") :]
    assert below.index("[~] Write it") < below.index("## Tasks") < below.index("[ ] Test it")
    assert text.count("Write it") == 1


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"tasks": ()}, "completed"),
        ({"tasks": (), "next_action": Item(text=Clean("Run make"))}, "in-progress"),
        ({}, "in-progress"),
        ({"blockers": (Item(text=Clean("No key")),)}, "blocked"),
    ],
)
def test_the_status_follows_from_what_is_open(fields: dict[str, object], status: str) -> None:
    assert session_md.status(replace(SMALL, **fields)) == status


def test_front_matter_of_a_persons_own_survives() -> None:
    text = session_md.render(SMALL).replace("tags: []", "tags: [a, b]\nmood: sunny\nteam:\n- x")
    draft = session_md.parse(text)
    again = session_md.render(draft)  # type: ignore[arg-type]
    assert "mood: sunny" in again
    assert session_md.front_matter(again)["tags"] == ["a", "b"]
    assert session_md.parse(again) == draft


@pytest.mark.parametrize("source", ["[broken", "a: b: c", "date: 2026-02-31", "- list"])
def test_broken_front_matter_is_kept_and_no_obstacle(source: str) -> None:
    draft = session_md.parse(f"---\n{source}\n---\n\n# Session: a\n\n## Summary\nFix it\n")
    assert draft.task.text == "Fix it"
    assert draft.extra == (Section(heading=session_md.KEPT, body=source),)
    assert source in session_md.render(draft)  # type: ignore[arg-type]


def test_a_foreign_document_is_read() -> None:
    draft = session_md.parse(
        "---\ndate: 2026-03-01\nbranch: dev\nstatus: done\n---\n"
        "# Session Notes\n\n## Summary\nBuilt the form.\nIt works in two browsers.\n\n"
        "## Completed\n- [x] Wrote a.py\n\n## In Progress\n- Tests\n\n"
        "## Todo\n- [ ] Docs\n\n## Next Steps\n1. Run make\n2. Push\n"
    )
    assert draft.task.text == "Built the form."
    assert [item.text for item in draft.context] == ["It works in two browsers."]
    assert [item.text for item in draft.progress] == ["Wrote a.py"]
    assert [(t.title, t.status) for t in draft.tasks] == [
        ("Tests", "in_progress"),
        ("Docs", "pending"),
    ]
    assert draft.next_action == Item(text="Run make\nPush")
    assert draft.saved == "2026-03-01T00:00:00Z"
    assert draft.repo == RepoState(root="", branch="dev")


@pytest.mark.parametrize("branch", ["main", "my branch (wip)"])
@pytest.mark.parametrize("below", ["", "### Git\n\n- no remote yet\n"])
def test_the_branch_of_the_front_matter_counts_where_the_text_names_none(
    branch: str, below: str
) -> None:
    text = f"---\nbranch: '{branch}'\n---\n# Notes\n\n## Summary\n\nBuilt it.\n\n{below}"
    assert session_md.parse(text).repo == RepoState(root="", branch=branch)


def test_the_resume_lines_are_not_read_back() -> None:
    draft = session_md.parse(session_md.render(SMALL, path="docs/session.md"))
    assert draft.extra == ()
    assert "/resume-from docs/session.md" in session_md.render(SMALL, path="docs/session.md")
