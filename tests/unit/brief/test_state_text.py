"""What a briefing says of what is not committed, and of files one by one."""

from __future__ import annotations

import pytest

from onward.brief import brief
from onward.model import Checkpoint, Clean, Drift, FileFact, Item, RepoState, Run

C = "9f5a3c7"


def changed(count: int, **more: object) -> tuple[FileFact[Clean], ...]:
    return tuple(FileFact(path=Clean(f"src/a{n}.py"), **more) for n in range(count))  # type: ignore[arg-type]


def told(
    files: tuple[FileFact[Clean], ...] = (),
    *,
    runs: tuple[Run[Clean], ...] = (),
    dirty: tuple[str, ...] = (),
    drift: Drift[Clean] | None = None,
    budget: int = 1500,
) -> str:
    repo = RepoState(root=Clean("~/x"), dirty=tuple(map(Clean, dirty))) if dirty else None
    task: Item[Clean] = Item(text=Clean("t"))
    return brief(Checkpoint(task=task, files=files, runs=runs, repo=repo), drift, budget=budget)


def test_where_nothing_was_committed_all_changed_files_are_not_committed() -> None:
    text = told((*changed(5), FileFact(path=Clean("b.py"), change="read")))
    assert "- Not committed, as far as seen: all 5 changed files\n" in text


def test_where_some_were_committed_the_others_go_by_their_names() -> None:
    done = FileFact(path=Clean("done.py"), commit=C)
    text = told((*changed(4), FileFact(path=Clean("lib/a0.py")), done))
    listed = "`src/a0.py`, `a1.py`, `a2.py`, `a3.py`, `lib/a0.py`"
    assert f"- Not committed, as far as seen: {listed}\n" in text
    assert f"- Committed: `done.py` [c:{C}]" in text


def test_where_some_were_committed_and_many_were_not_the_others_are_those_below() -> None:
    text = told((*changed(7), FileFact(path=Clean("done.py"), commit=C)))
    below = "7 of 8 changed files, below without [c:…]"
    assert f"- Not committed, as far as seen: {below}\n" in text


def test_files_outside_the_project_are_not_counted_among_the_changed_ones() -> None:
    text = told((*changed(5), FileFact(path=Clean("/tmp/try.py"), change="created")))
    assert "all 5 changed files" in text


def test_every_committed_file_stands_in_a_line_with_its_commit_and_no_other_does() -> None:
    names = Clean("load_rates, round_half_up, Rates")
    done = tuple(
        FileFact(path=Clean(f"done{n}.py"), commit=C, why=names if n % 3 else None)
        for n in range(9)
    )
    for line in told((*changed(9), *done)).splitlines():
        if line.startswith("- ") and ".py" in line:
            assert ("done" in line) == (f"[c:{C}]" in line)


def test_checks_beyond_the_first_four_passed_earlier() -> None:
    runs = tuple(Run(command=Clean(f"make part{n}"), outcome="passed") for n in range(5))
    text = brief(Checkpoint(task=Item(text=Clean("t")), runs=runs), None)
    assert "- Passed: `make part0`" in text
    assert "- Passed earlier: `make part4`" in text


def test_few_files_that_are_not_committed_are_named() -> None:
    text = told((*changed(2), FileFact(path=Clean("done.py"), commit=C)))
    assert "- Not committed, as far as seen: `src/a0.py`, `src/a1.py`\n" in text


def test_where_git_says_that_only_some_of_the_changed_files_are_they_are_named() -> None:
    dirty = tuple(f"src/a{n}.py" for n in range(4))
    text = told(changed(6), dirty=dirty)
    assert f"- Uncommitted when saved: {', '.join(f'`{path}`' for path in dirty)}\n" in text


def test_a_changed_file_says_what_was_done_to_it() -> None:
    names = Clean("load_rates, round_half_up, Rates")
    files = (*changed(6), FileFact(path=Clean("more.py"), why=names))
    assert "- `more.py` edited — load_rates" in told(files)


@pytest.mark.parametrize(
    ("added", "removed", "said"),
    [
        (436, 37, "created, 399 lines"),
        (1, 0, "created, 1 line"),
        (3, 9, "created"),
        (0, 0, "created"),
    ],
)
def test_of_a_new_file_its_length_is_told(added: int, removed: int, said: str) -> None:
    new = FileFact(path=Clean("new.py"), change="created", added=added, removed=removed)
    assert f"- `new.py` {said}\n" in told((new,)) + "\n"


def test_a_file_that_changed_after_the_last_passing_test_says_so_of_tests_too() -> None:
    text = told((FileFact(path=Clean("tests/test_a.py"), since_green=True),))
    assert "- `tests/test_a.py` edited, no full test run since" in text


def passed(command: str, edits: int = 0, summary: str | None = None) -> Run[Clean]:
    text = Clean(summary) if summary else None
    return Run(command=Clean(command), outcome="passed", edits_after=edits, summary=text)


def test_of_one_programs_passes_only_the_newest_is_told_with_all_its_files() -> None:
    newest = "python -m py_compile src/a.py src/b.py src/c.py"
    text = told(
        runs=(
            passed(newest),
            passed("python -m py_compile src/b.py src/c.py src/d.py", 8),
            passed("python -m py_compile src/d.py src/e.py", 9),
            passed("ruff check src/a.py src/b.py src/c.py", 9),
        )
    )
    assert f"- Passed: `{newest}`, `python -m py_compile src/b.py …` (8 edits since)" in text
    assert "`python -m py_compile src/d.py src/e.py` (9 edits since)" in text
    assert "`ruff check src/a.py src/b.py src/c.py`" in text


def test_a_pass_of_files_that_are_gone_says_so() -> None:
    text = told(runs=(passed("ruff check old/a.py", 4, "of files that were removed since"),))
    assert "`ruff check old/a.py` (of files that were removed since)" in text
