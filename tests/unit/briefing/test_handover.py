"""What a new session reads of the one before it, whatever stands in the checkpoint."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.briefing.handover import BUDGET, drifted, handover, saved_place
from onward.briefing.tokens import estimate
from onward.model import (
    Checkpoint,
    Clean,
    Commit,
    Drift,
    FileFact,
    Item,
    Origin,
    RepoState,
    Request,
    Run,
    Status,
)

REPO = RepoState(root=Clean("/shop"), branch=Clean("main"), commit="9f5a3c7d")


def asked(text: str, place: str = "t:4") -> Request[Clean]:
    return Request(text=Clean(text), evidence="asked", places=(place,))


def left(**more: object) -> Checkpoint:
    found: dict[str, object] = {
        "task": asked("Add a currency option"),
        "status": Status(kind="finished"),
        "requests": (asked("Add a currency option"), asked("Round half to even, please", "t:9")),
        "runs": (Run(command=Clean("pytest -q"), outcome="failed", summary=Clean("1 failed")),),
        "repo": REPO,
    }
    return Checkpoint(**(found | more))  # type: ignore[arg-type]


def text(checkpoint: Checkpoint, drift: Drift[Clean] | None = None) -> str:
    return handover(checkpoint, drift, age="2 hours", command="/resume-latest")


def test_the_order_is_that_of_use() -> None:
    drift = Drift(ahead=1, commits=(Commit(hash="abc1234def", subject=Clean("Fix rounding")),))
    told = text(left(), drift)
    marks = ["Title: Add a currency", "turn finished", "1 failing check", "“Round half", "1 commit"]
    assert [told.index(mark) for mark in marks] == sorted(told.index(mark) for mark in marks)


def test_a_title_that_is_the_request_is_told_once() -> None:
    told = text(left(task=asked("Round half to even, please", "t:9")))
    assert told.count("Round half") == 1


def test_without_a_recorded_repository_files_are_possibly_uncommitted() -> None:
    changed = (FileFact(path=Clean("src/a.py")),)
    loose = left(repo=None, files=changed, origin=Origin(branch=Clean("main")))
    assert "1 file possibly uncommitted (`src/a.py`)" in text(loose, Drift(no_git=True))


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
    assert "`rates`, 3 days old: “Add a currency option”" in first
    assert "/checkpoint resume rates" in second


def test_a_next_step_that_does_not_agree_with_the_record_is_told_so() -> None:
    step = Item(text=Clean("Run `make it`"), author="agent", unverified=Clean("no such target"))
    found = left(next_action=step)
    saved = saved_place(found, what="it", age="3 days", command="/x")
    for told in (text(found), saved):
        assert "Next: Run `make it` (unverified)" in told
