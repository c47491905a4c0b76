"""What a summary leaves out is told; what it says, in whatever words, is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.brief.loss import BUDGET, loss
from onward.brief.tokens import estimate
from onward.model import Checkpoint, Clean, FileFact, Item, Run, Task

SUMMARY = """This session is being continued from a previous conversation.
1. Primary Request: the user wants the report to convert amounts between currencies.
2. Files: src/tally/report.py and tests/test_report.py were edited.
3. Errors: test_rounding_of_halves fails because 1.10 != 1.1.
4. The user said "2" and "drop" when asked which rates to use.
5. Pending: write the documentation of the option.
6. To check the work, run pytest -q tests/test_report.py
"""


def asked(text: str, *, place: str = "t:40", why: str | None = None) -> Item[Clean]:
    return Item(
        text=Clean(text), evidence="asked", places=(place,), why=Clean(why) if why else None
    )


def of(**found: object) -> Checkpoint:
    return Checkpoint(task=asked("x"), **found)  # type: ignore[arg-type]


def told(checkpoint: Checkpoint, summary: str = SUMMARY, **more: int) -> str:
    return loss(checkpoint, Clean(summary), **more)  # type: ignore[arg-type]


def request(text: str, why: str | None = None) -> Checkpoint:
    return of(requests=(asked(text, why=why),))


@pytest.mark.parametrize(
    ("checkpoint", "shown"),
    [
        (
            request("Never touch the ledger while the nightly import runs"),
            "“Never touch the ledger",
        ),
        (
            request("do both", "Shall I add the ledger, and migrate the importer?"),
            "“do both”, which",
        ),
        (of(tasks=(Task(title=Clean("Migrate the nightly importer")),)), "Open task: Migrate"),
        (
            of(
                blockers=(
                    Item(text=Clean("Waits for the person's answer: “Drop the old ledger table?”")),
                )
            ),
            "Drop the old ledger table?",
        ),
        (
            of(
                runs=(
                    Run(
                        command=Clean("make lint"),
                        outcome="failed",
                        decisive=(Clean("ledger.py:4: E501"),),
                    ),
                )
            ),
            "Failing: `make lint`: ledger.py:4",
        ),
        (
            of(dead_ends=(asked("The person refused: npm publish", why="not before the audit"),)),
            "npm publish — not before the audit",
        ),
        (of(decisions=(asked("Always use the staging database"),)), "Always use the staging"),
        (of(files=(FileFact(path=Clean("src/ledger.py")),)), "`src/ledger.py`"),
        (
            of(
                files=(FileFact(path=Clean("src/tally/report.py")),),
                commands=(Item(text=Clean("tox -e py311"), why=Clean("test")),),
            ),
            "Command for test: `tox -e py311`",
        ),
    ],
)
def test_what_is_missing_is_told(checkpoint: Checkpoint, shown: str) -> None:
    assert shown in told(checkpoint)


@pytest.mark.parametrize(
    "checkpoint",
    [
        request("Let the report convert amounts between the currencies"),
        request("2: Use the rates of the ledger's central bank", "1: fixed; 2: central bank"),
        request("yes"),
        request("(a picture)", "Look at the screen of the ledger importer and tell me more"),
        of(tasks=(Task(title=Clean("Write documentation for the option")),)),
        of(tasks=(Task(title=Clean("Migrate the nightly importer"), status="completed"),)),
        of(
            runs=(
                Run(
                    command=Clean("make test"),
                    outcome="failed",
                    decisive=(Clean("test_rounding_of_halves: 1.10 != 1.1"),),
                ),
            )
        ),
        of(runs=(Run(command=Clean("make lint"), outcome="passed"),)),
        of(files=(FileFact(path=Clean("src/tally/report.py")),)),
        of(files=(FileFact(path=Clean("src/ledger.py"), commit="9f5a3c7"),)),
        of(files=(FileFact(path=Clean("src/ledger.py"), change="read"),)),
        of(files=(FileFact(path=Clean("~/notes/ledger.md")),)),
        of(
            files=(FileFact(path=Clean("src/tally/report.py")),),
            commands=(
                Item(text=Clean("cd x && pytest -q tests/test_report.py"), why=Clean("test")),
            ),
        ),
        of(),
    ],
)
def test_what_the_summary_says_is_not_told_again(checkpoint: Checkpoint) -> None:
    assert told(checkpoint) == ""


@pytest.mark.parametrize("other", ["tests/test_ledger.py", "old-ledger.py", "ledger.pyi"])
def test_a_name_that_only_ends_another_one_does_not_name_the_file(other: str) -> None:
    files = of(files=(FileFact(path=Clean("src/ledger.py")),))
    assert "`src/ledger.py`" in told(files, f"{SUMMARY}Edited: {other}.")
    for said in ("src/ledger.py.", "`ledger.py`", "SRC\\LEDGER.PY:4", "修改了ledger.py文件"):
        assert told(files, f"{SUMMARY}Edited: {other}, {said}") == ""


def test_of_long_words_only_the_sentences_that_are_missing_are_told() -> None:
    text = "Let the report convert amounts between currencies. Leave the nightly importer alone."
    text += (
        " Ask Priya before anything goes to the staging cluster, she knows the quotas there, and "
    )
    text += "mind that the accountants close their books on the last Friday of every single month."
    shown = told(request(text))
    assert "nightly importer" in shown
    assert "convert amounts" not in shown


def test_agents_words_in_a_script_that_the_summary_does_not_use_are_left_out() -> None:
    assert told(of(tasks=(Task(title=Clean("运行数据库迁移并验证结果")),))) == ""


def test_what_was_lost_before_the_replacement_before_is_not_told_again() -> None:
    old = of(files=(FileFact(path=Clean("src/ledger.py"), places=("t:10",)),))
    assert told(old, since=20) == ""
    assert "ledger.py" in told(old, since=5)


def test_places_can_be_left_out() -> None:
    shown = request("Never touch the ledger while the nightly import runs")
    assert "[t:40]" in told(shown)
    assert "[t:40]" not in told(shown, places=False)


PARTS: list[Callable[[str], dict[str, object]]] = [
    lambda t: {"requests": (asked(t),)},
    lambda t: {"tasks": (Task(title=Clean(t)),)},
    lambda t: {"decisions": (asked(t),)},
]


@given(st.sampled_from(PARTS), st.text(min_size=1, max_size=300))
def test_a_summary_that_holds_the_words_as_they_are_lacks_nothing(
    part: Callable[[str], dict[str, object]], text: str
) -> None:
    assert told(of(**part(text)), f'The user: "{text}"') == ""


@given(st.lists(st.text(min_size=1, max_size=600), min_size=1, max_size=30))
def test_it_stays_within_its_budget(texts: list[str]) -> None:
    shown = told(
        of(
            requests=tuple(map(asked, texts)),
            tasks=tuple(Task(title=Clean(t)) for t in texts),
            decisions=tuple(map(asked, texts)),
            runs=tuple(Run(command=Clean(t), outcome="failed") for t in texts),
            files=tuple(FileFact(path=Clean(t)) for t in texts),
        )
    )
    assert estimate(shown) <= BUDGET
