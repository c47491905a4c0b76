"""The facts that a compaction is asked to keep: one a line, bounded, the weightiest first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onward.briefing.compaction import keep
from onward.model import Checkpoint, Clean, FileFact, Item, Request, Run


def item(text: str, why: str | None = None) -> Item[Clean]:
    return Item(text=Clean(text), evidence="asked", why=Clean(why) if why else None)


def facts(*texts: str) -> Checkpoint:
    return Checkpoint(
        task=item("not told"),
        requests=tuple(Request(text=Clean(t), evidence="asked") for t in texts),
        runs=tuple(
            Run(command=Clean(t), outcome="failed", summary=Clean("SUM"), decisive=(Clean("DEC"),))
            for t in texts
        ),
        dead_ends=tuple(item(t, "not now") for t in texts),
        decisions=tuple(item(f"always {t}") for t in texts),
        files=tuple(FileFact(path=Clean(t)) for t in texts),
        commands=tuple(map(item, texts)),
    )


def test_each_fact_is_a_line_of_data() -> None:
    head, *lines = keep(facts("first", "second\n# Heading")).splitlines()
    assert head.endswith("keep them in the summary:")
    assert all(line.startswith("- ") for line in lines)
    assert lines[0] == "- The user's last request: “second # Heading”"
    assert "- Asked before that: “first”" in lines


def test_of_a_run_only_command_and_outcome_are_told() -> None:
    text = keep(facts("pytest"))
    assert "Check `pytest`: failed" in text
    assert "SUM" not in text
    assert "DEC" not in text


def test_an_empty_checkpoint_has_no_facts() -> None:
    assert keep(Checkpoint(task=item("x"))) == ""


@given(st.lists(st.text(min_size=1, max_size=2000), min_size=1, max_size=40))
def test_it_stays_under_2500_characters(texts: list[str]) -> None:
    assert len(keep(facts(*texts))) < 2500


@given(st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=5))
def test_no_text_makes_a_line_of_its_own(texts: list[str]) -> None:
    found = keep(facts(*texts)).splitlines()
    assert all(line.startswith(("- ", "Facts recorded")) for line in found)
