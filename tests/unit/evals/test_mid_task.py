from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals import midtask
from evals.midtask import held, in_hand, sessions


def long_work(w: Any) -> None:
    w.says("Move the whole reporting package to the new storage layer")
    for n in range(6):
        given = {"file_path": f"/w/app/src/r{n}.py", "old_string": "a", "new_string": "b"}
        w.calls("Edit", given)
    w.runs("git commit -am x", "[topic/retries 1a2b3c4] Move three reports\n 3 files changed")
    w.compacts("so far so good")
    w.says("Keep the old endpoint alive until the clients have moved")
    states = ("completed", "in_progress", "pending")
    titles = ("Move the readers", "Move the writers", "Delete the shim module")
    todos = [{"content": t, "status": s} for t, s in zip(titles, states, strict=True)]
    w.calls("TodoWrite", {"todos": todos})
    w.calls("Read", {"file_path": "/w/app/src/r0.py"})


@pytest.fixture
def corpus(tmp_path: Path, writer: Callable[..., Any]) -> Path:
    w = writer()
    long_work(w)
    w.says("thanks, all good now")
    done = [{"content": "Move the readers", "status": "completed"}]
    w.calls("TodoWrite", {"todos": done})
    w.calls("Read", {"file_path": "/w/app/src/late.py"})
    w.write(tmp_path / "acme--app--s1.jsonl")
    return tmp_path


def test_the_cut_is_the_last_moment_with_a_task_in_hand(corpus: Path) -> None:
    (case,) = sessions(corpus, lambda _: None)
    lines = case.path.read_text("utf-8").split("\n")
    assert "thanks, all good now" in lines[case.cut - 1]
    asked = in_hand(case)
    assert asked.order == "Keep the old endpoint alive until the clients have moved"
    assert (asked.current, asked.pending) == (("Move the writers",), ("Delete the shim module",))
    assert (asked.branch, asked.commit) == ("topic/retries", ("1a2b3c4", "Move three reports"))
    assert asked.edited == tuple(f"src/r{n}.py" for n in range(6))


def test_without_a_compaction_an_order_or_open_tasks_there_is_no_such_moment(
    tmp_path: Path, writer: Callable[..., Any]
) -> None:
    w = writer()
    long_work(w)
    whole = list(w.records)
    for n, without in enumerate(("compact", "Keep the old endpoint", "TodoWrite")):
        w.records = [r for r in whole if without.lower() not in str(r).lower()]
        w.write(tmp_path / f"s{n}.jsonl")
    assert list(sessions(tmp_path, lambda _: None)) == []


def test_an_order_from_before_the_last_compaction_is_none_of_after_it(
    tmp_path: Path, writer: Callable[..., Any]
) -> None:
    w = writer()
    long_work(w)
    todo = w.records.index(next(r for r in w.records if "TodoWrite" in str(r)))
    head, tail = w.records[:todo], w.records[todo:]
    w.records = head
    w.compacts("again")
    w.records += tail
    w.write(tmp_path / "s1.jsonl")
    assert list(sessions(tmp_path, lambda _: None)) == []


def test_an_empty_text_holds_nothing_and_a_full_one_all(corpus: Path) -> None:
    (case,) = sessions(corpus, lambda _: None)
    asked = in_hand(case)
    nothing = held(asked, "")
    assert {pair[0] for pair in nothing.values() if pair} == {0}
    text = "\n".join([asked.order, *asked.current, *asked.pending, "topic/retries 1a2b3c4"])
    full = held(asked, text + "\n" + ", ".join(asked.edited))
    assert all(pair is None or pair[0] == pair[1] for pair in full.values())
    assert full["plan title"] is None


def test_our_briefing_holds_it(corpus: Path) -> None:
    (case,) = sessions(corpus, lambda _: None)
    row = midtask.row(case, "onward", len)
    assert row.of == "2 of 3"
    assert row.ms > 0
    assert row.held["last order"] == (1, 1)
    assert row.held["edited files"] == (6, 6)
