from __future__ import annotations

import json

import pytest

from onward.documents import protocol_json as report
from onward.model import Drift

COMMIT = "abc123f5d2e8a1b4c6e9f3a7abc123f5d2e8a1b4"


def task(number: int, status: str, **fields: object) -> dict[str, object]:
    return {"id": f"TASK_{number:03}", "title": "Fix JWT validation", "status": status, **fields}


FULL = json.dumps(
    {
        "metadata": {"created": "x", "git_branch": "feature/auth", "git_commit": COMMIT},
        "tasks": [
            task(1, "pending", priority="P1"),
            task(2, "pending", priority="P2"),
            task(3, "pending", priority="P1"),
            task(4, "completed"),
            task(5, "completed", consolidated=True, consolidated_count=12),
        ],
    }
)
BARE = json.dumps({"metadata": {}, "tasks": [task(1, "completed")]})


def test_the_block_after_a_save() -> None:
    assert report.saved(report.tally(FULL), "sp.json") == (
        "Saved → sp.json\n"
        "- 3 pend (2 P1, 1 P2)\n"
        "- 13 done (1 individual, 1 consolidated from 12)\n"
        "- Git: feature/auth @ abc123f\n"
        "Next: TASK_001 - Fix JWT validation"
    )


def test_the_line_after_a_save() -> None:
    line = "Saved 3 pend, 1 done (12 consolidated). Next: TASK_001 - Fix JWT validation"
    assert report.saved(report.tally(FULL), "sp.json", short=True) == line


def test_the_block_after_a_load_with_drift() -> None:
    drift: Drift[str] = Drift(
        branch_was="feature/auth", branch_now="main", commit_was="a", commit_now="b", ahead=2
    )
    assert report.loaded(report.tally(FULL), "sp.json", "2d", drift) == (
        "Loaded sp.json (2d old)\n"
        "- 3 pend, 0 prog, 13 done (1 consolidated from 12)\n"
        "- Git: feature/auth @ abc123f (2 commits ahead)\n"
        "- Git state changed\n"
        "- Branch: feature/auth → main\n"
        "Next: TASK_001 - Fix JWT validation"
    )


def test_the_line_after_a_load() -> None:
    drift: Drift[str] = Drift(commit_was="a", commit_now="b", ahead=2)
    assert report.loaded(report.tally(FULL), "sp.json", "2d", drift, short=True) == (
        "Loaded (2d old): 3 pend, 1 done (12 consolidated into 1). "
        "Next: TASK_001 - Fix JWT validation. Git: state changed (2 commits ahead)"
    )


def test_what_is_not_there_is_not_reported() -> None:
    assert report.saved(report.tally(BARE), "sp.json") == "Saved → sp.json\n- 0 pend\n- 1 done"
    assert report.loaded(report.tally(BARE), "sp.json", "0m", Drift()) == (
        "Loaded sp.json (0m old)\n- 0 pend, 0 prog, 1 done"
    )


@pytest.mark.parametrize(
    ("drift", "words"),
    [
        (Drift(commit_was="a", commit_now="b", ahead=1), "(1 commit ahead)"),
        (Drift(commit_was="a", commit_now="b", ahead=1, behind=3), "(1 commit ahead, 3 behind)"),
        (Drift(commit_was="a", commit_now="b", commit_gone=True), "(saved commit gone)"),
    ],
)
def test_how_the_history_moved_is_said_beside_the_commit(drift: Drift[str], words: str) -> None:
    assert words in report.loaded(report.tally(FULL), "sp.json", "2d", drift)
