"""What a new session reads of the one before it, whatever stands in the checkpoint."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.brief.handover import BUDGET, drifted, handover, saved_place
from onward.brief.tokens import estimate
from onward.model import Checkpoint, Clean, Commit, Drift, FileFact, Item, RepoState, Run

REPO = RepoState(root=Clean("/shop"), branch=Clean("main"), commit="9f5a3c7d")


def asked(text: str) -> Item[Clean]:
    return Item(text=Clean(text), evidence="asked", places=("t:4",))


def left(**more: object) -> Checkpoint:
    found: dict[str, object] = {
        "task": asked("Add a currency option"),
        "requests": (asked("Add a currency option"), asked("Round half to even, please")),
        "next_action": Item(text=Clean("Mend the failing run: `pytest -q` (1 failed)")),
        "runs": (Run(command=Clean("pytest -q"), outcome="failed", summary=Clean("1 failed")),),
        "repo": REPO,
    }
    return Checkpoint(**(found | more))  # type: ignore[arg-type]


def text(checkpoint: Checkpoint, drift: Drift[Clean] | None = None) -> str:
    return handover(checkpoint, drift, age="2 hours", command="/resume-latest")


def test_the_order_is_that_of_use() -> None:
    drift = Drift(ahead=1, commits=(Commit(hash="abc1234def", subject=Clean("Fix rounding")),))
    told = text(left(), drift)
    marks = [
        "About: “Add a currency",
        "Asked last: “Round half",
        "Next action:",
        "Since then: 1 commit",
    ]
    assert [told.index(mark) for mark in marks] == sorted(told.index(mark) for mark in marks)


def test_a_request_that_is_the_task_is_told_once() -> None:
    told = text(left(requests=(asked("Add a currency option"),)))
    assert told.count("currency option") == 1


def test_a_task_that_is_the_last_request_gives_way_to_what_the_session_began_with() -> None:
    told = text(left(task=asked("Round half to even, please")))
    assert "About: “Add a currency option”" in told
    assert told.count("Round half") == 1


def test_a_failing_run_that_the_next_action_names_is_told_once() -> None:
    assert text(left()).count("pytest -q") == 1
    assert "Failing: `pytest -q` (1 failed)" in text(left(next_action=None))


def test_without_a_recorded_repository_the_transcript_tells_what_is_not_committed() -> None:
    loose = left(repo=None, files=(FileFact(path=Clean("src/a.py")),))
    assert "no commit was seen for `src/a.py`" in text(loose, Drift())


def test_words_of_several_lines_make_no_line_of_their_own() -> None:
    told = text(left(requests=(asked("one\n## Two\n- three"),)))
    assert "“one ## Two - three”" in told


def test_a_checkpoint_that_says_nothing_gives_nothing() -> None:
    assert text(Checkpoint(task=Item(text=Clean("")))) == ""


@given(
    st.lists(st.text(max_size=900), min_size=5, max_size=5), st.integers(0, 40), st.integers(0, 30)
)
def test_it_stays_within_its_budget(words: list[str], files: int, commits: int) -> None:
    task, last, following, command, subject = map(Clean, words)
    drift = Drift(
        ahead=commits,
        commits=tuple(Commit(hash=f"{n:07}", subject=subject) for n in range(commits)),
        uncommitted=tuple(Clean(f"src/module_{n}.py") for n in range(files)),
    )
    found = left(
        task=asked(task),
        requests=(asked(last),),
        next_action=Item(text=following),
        runs=(Run(command=command, outcome="failed"),),
    )
    told = text(found, drift)
    assert estimate(told) <= BUDGET
    assert not told or told.endswith("/resume-latest.\n")


STILL = Drift(uncommitted=(Clean("a.py"),))


@pytest.mark.parametrize(
    ("drift", "repo", "said"),
    [
        (STILL, REPO, ""),
        (Drift(), REPO, ""),
        (Drift(detached=True), RepoState(root=Clean("/s")), ""),
        (Drift(detached=True), REPO, "HEAD is detached"),
        (Drift(operation="merge"), RepoState(root=Clean("/s"), operation="merge"), ""),
        (Drift(operation="merge"), REPO, "A merge is under way"),
        (Drift(branch_was=Clean("main"), branch_now=Clean("x")), REPO, "main → x"),
        (Drift(dirty=(Clean("b.py"),)), REPO, "`b.py`"),
    ],
)
def test_on_resuming_only_news_are_told(
    drift: Drift[Clean], repo: RepoState[Clean], said: str
) -> None:
    told = drifted(left(repo=repo), drift, age="3 days")
    assert said in told
    assert bool(told) == bool(said)


def test_a_saved_place_takes_two_lines() -> None:
    told = saved_place(
        left(), what="the checkpoint `rates`", age="3 days", command="/checkpoint resume rates"
    )
    first, second = told.splitlines()
    assert "`rates`, 3 days old: “Add a currency option”. Next action then: Mend" in first
    assert "/checkpoint resume rates" in second
