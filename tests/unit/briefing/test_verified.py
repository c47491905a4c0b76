"""The state after a compaction: always something, first what the summary has wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.unit.briefing.conftest import clean, full, item, request, run

from onward.briefing.compaction import BUDGET, names, verified
from onward.briefing.tokens import estimate
from onward.model import Checkpoint, Item, Task


def test_there_is_always_something() -> None:
    assert "Nothing is recorded" in verified(Checkpoint(task=item("")))
    text = verified(full())
    for mark in ("please convert amounts exactly", "`pytest -q`: failed", "Open task: task 1"):
        assert mark in text
    for mark in (
        "uncommitted: `src/tally/module_",
        "In the background, end not seen: `npm run dev`",
    ):
        assert mark in text


@pytest.mark.parametrize(
    ("summary", "is_wrong"),
    [
        ("- `pytest -q` runs clean, 9 passed", True),
        ("- `pytest -q`: 1 failed, 8 passed", False),
        ("- `pytest -q tests`: 9 passed", False),
        ("- all tests pass", False),
        ("- [x] task 1 of the list", True),
        ("1. [ ] task 0 of the list", True),
        ("- [x] task 0 of the list", False),
    ],
)
def test_a_summary_is_contradicted_by_counts_and_marks_alone(summary: str, is_wrong: bool) -> None:
    first = verified(full(), clean(f"Summary\n{summary}\n")).splitlines()[1]
    assert first.startswith("- CONTRADICTION:") == is_wrong


def test_names_that_only_the_summary_has_are_told_first() -> None:
    found = names("Fixed `src/a.py` in `9f5a3c7` by `do it`; see `v1.2` and b.py")
    assert found == ["src/a.py", "9f5a3c7"]
    text = verified(full(), clean("x"), [clean("9f5a3c7")])
    assert "only in the summary: `9f5a3c7`" in text.splitlines()[1]


def test_places_can_be_left_out() -> None:
    assert "[t:" in verified(full())
    assert "[t:" not in verified(full(), places=False)


def test_where_there_is_room_it_ends_with_the_last_steps() -> None:
    steps = [
        Item(text=clean(f"Edited `src/{n}.py`"), evidence="observed", places=(f"t:{n}",))
        for n in range(1, 60)
    ]
    run_of_it = run("pytest -q", "passed", places=("t:59",))
    text = verified(Checkpoint(task=item(""), trail=tuple(steps), runs=(run_of_it,)))
    assert text.splitlines()[-1] == "- Step: Edited `src/58.py` [t:58]"
    assert "src/1.py" not in text


@given(st.text(max_size=3000), st.integers(0, 30))
def test_it_stays_within_its_budget(words: str, n: int) -> None:
    c = replace(
        full(n),
        requests=(request(words, "t:1"),),
        tasks=tuple(Task(title=clean(words[:200])) for _ in range(n)),
        runs=tuple(run(f"check {k} {words[:50]}", "failed") for k in range(n)),
    )
    text = verified(c, clean(words), [clean(words[:40])])
    assert estimate(text) <= BUDGET
    assert len(text.splitlines()) > 1


def test_what_the_user_wants_for_good_stands_below_their_last_message() -> None:
    c = replace(
        full(),
        constraints=(item("never push to main"),),
        dead_ends=(item("Refused by the user: `rm -rf data`", why="keep it"),),
    )
    lines = verified(c).splitlines()
    at = next(n for n, line in enumerate(lines) if "never push to main" in line)
    assert "please convert amounts exactly" in "\n".join(lines[:at])
    assert "`rm -rf data`, saying “keep it”" in lines[at + 1]
    assert "`pytest -q`: failed" in "\n".join(lines[at:])
