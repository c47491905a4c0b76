from __future__ import annotations

import time

import pytest

from onward.model import Ran
from onward.paths import mentions
from onward.record.checks import checks, decisive
from onward.record.commands import consulted
from onward.record.commits import Commits
from onward.record.edits import defined
from onward.record.runners import counted, read

SIZE = 6_000
"""Characters of an output, which the agents' room cuts to about as many."""


@pytest.mark.parametrize(
    "piece",
    [
        "\n",
        " ",
        "\n ",
        "=",
        "-",
        "a",
        "1",
        "1 ",
        "a:",
        ".",
        "x/",
        "exit",
        "| ",
        "a.b",
        "\t",
        "{a => ",
    ],
)
@pytest.mark.parametrize("front", ["", "FAILED ", " a | "])
def test_no_output_takes_long_to_read(piece: str, front: str) -> None:
    text = (front + piece * SIZE)[:SIZE] + "!"
    began = time.process_time()
    for program in ("npm", "pytest", "cargo", "own"):
        read(text, program)
        read(text, program, "build")
    counted(text)
    decisive(text)
    mentions(text)
    defined(text, "a.py")
    run = Ran(line=1, command="pytest | tail; grep -rn x .", cwd="/w", output=text, failed=False)
    checks(run)
    list(consulted(run))
    Commits().see(Ran(line=1, command="git commit -m x; jj commit", output=text, failed=False), 0)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "piece", ["pytest -q tests/a{}.py; ", "pytest -q a{} && ", "echo a{}; pytest -q a{}; ", "a{}; "]
)
def test_no_command_takes_long_to_judge(piece: str) -> None:
    """100 KB of checks, each judged beside all others, took 5 s."""
    command = "".join(piece.replace("{}", str(number)) for number in range(100_000 // len(piece)))
    began = time.process_time()
    checks(Ran(line=1, command=command, cwd="/w", output="1 passed in 0.1s", failed=False))
    assert time.process_time() - began < 2


@pytest.mark.parametrize(("number", "outcome"), [(100, "passed"), (101, "unseen")])
def test_of_very_many_checks_in_one_command_none_is_told(number: int, outcome: str) -> None:
    command = " && ".join(f"pytest -q tests/a{each}.py" for each in range(number))
    found = checks(Ran(line=1, command=command, cwd="/w", output="", failed=False))
    assert [each.outcome for each in found] == [outcome] * number
