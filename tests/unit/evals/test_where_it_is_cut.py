from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from evals import cases as cutting
from evals.cases import cases, steps_of, summary_of

Make = Callable[..., Any]


def quiet(_: str) -> None:
    """Nobody looks at the progress."""


def work(w: Any, calls: int, prefix: str = "part") -> None:
    for n in range(calls):
        w.calls("Read", {"file_path": f"/w/app/src/{prefix}_{n}.py"})


@pytest.mark.parametrize(("silence", "expected"), [(29, []), (31, ["break"])])
def test_half_an_hour_of_silence_is_a_break(
    tmp_path: Path, writer: Make, silence: int, expected: list[str]
) -> None:
    w = writer()
    work(w, 25)
    last = len(w.records)
    w.says("Now write the page about retries please", minutes=silence)
    work(w, 10)
    w.write(tmp_path / "3f0c1a52-0000-4000-8000-000000000000.jsonl")
    found, transcripts = cases(tmp_path, quiet)
    assert transcripts == 1
    assert {case.repository for case in found} <= {"/w/app"}
    assert [case.kind for case in found] == expected
    assert all(case.cut == last for case in found)


def test_a_boundary_and_its_summary_are_one_compaction(folder: Path) -> None:
    (case,), _ = cases(folder, quiet)
    lines = case.path.read_text("utf-8").split("\n")
    assert "compact_boundary" in lines[case.cut]
    assert "SUMMARY-CANARY" in summary_of(case)


@pytest.mark.parametrize(("before", "after"), [(19, 10), (25, 7)])
def test_too_little_work_before_or_after_is_no_case(
    tmp_path: Path, writer: Make, before: int, after: int
) -> None:
    w = writer()
    work(w, before)
    w.compacts("x")
    work(w, after)
    w.write(tmp_path / "s1.jsonl")
    assert cases(tmp_path, quiet) == ([], 1)


def test_the_next_session_of_the_same_folder_is_the_future_of_the_last(
    tmp_path: Path, writer: Make
) -> None:
    first = writer("s1")
    work(first, 25)
    first.write(tmp_path / "acme--app--s1.jsonl")
    later = writer("s2", first.now + timedelta(days=2))
    work(later, 10, "later")
    later.write(tmp_path / "acme--app--s2.jsonl")
    (case,), _ = cases(tmp_path, quiet)
    assert (case.kind, case.cut, case.future.name) == ("next", 50, "acme--app--s2.jsonl")
    assert all("later" in step.text for step in steps_of(case))


def test_what_a_resumed_session_copied_is_no_future(tmp_path: Path, writer: Make) -> None:
    first = writer("s1")
    work(first, 25)
    first.write(tmp_path / "acme--app--s1.jsonl")
    later = writer("s2", first.now + timedelta(days=2))
    later.records = list(first.records)
    work(later, 10, "later")
    later.records[0] = {**later.records[0], "timestamp": later.records[-1]["timestamp"]}
    for record in later.records[:50]:
        record["timestamp"] = later.records[-1]["timestamp"]
    later.write(tmp_path / "acme--app--s2.jsonl")
    (case,), _ = cases(tmp_path, quiet)
    assert len(steps_of(case)) == 10
    assert all("later" in step.text for step in steps_of(case))


def test_a_fork_that_holds_the_same_cut_gives_no_second_case(tmp_path: Path, writer: Make) -> None:
    w = writer()
    work(w, 25)
    w.compacts("x")
    work(w, 10)
    w.write(tmp_path / "acme--app--s1.jsonl")
    w.write(tmp_path / "acme--app--s2.jsonl")
    found, _ = cases(tmp_path, quiet)
    assert len(found) == 1


def test_a_sub_agents_own_file_and_another_programs_are_no_transcripts(
    tmp_path: Path, writer: Make
) -> None:
    w = writer()
    work(w, 40)
    for record in w.records:
        record["isSidechain"] = True
    w.write(tmp_path / "agent-1.jsonl")
    (tmp_path / "other.jsonl").write_text(
        '{"role": "user", "text": "hi"}\n[1]\nnot json\n', "utf-8"
    )
    assert cases(tmp_path, quiet) == ([], 0)


def test_one_repository_gives_no_more_than_its_share(tmp_path: Path, writer: Make) -> None:
    for session in range(9):
        w = writer(f"s{session}")
        work(w, 25, f"p{session}")
        w.compacts("x")
        work(w, 10)
        w.write(tmp_path / f"acme--app--s{session}.jsonl")
    found, _ = cases(tmp_path, quiet)
    compact = [case for case in found if case.kind == "compact"]
    assert len(compact) == cutting.PER_REPOSITORY
    assert found == cases(tmp_path, quiet)[0]
