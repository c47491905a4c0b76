from __future__ import annotations

import pytest

from evals.entries import Entry, Prompt, Reply
from evals.truth import orders
from evals.words import content

LONG = "Move the fetcher of the reports behind a queue with bounded retries, log each attempt once, keep metrics"


def said(*lines: str) -> list[Entry]:
    """Prompts, and replies where a line begins with `>`."""
    return [
        Reply(line=n, text=line[1:]) if line.startswith(">") else Prompt(line=n, text=line)
        for n, line in enumerate(lines, 1)
    ]


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        ([LONG], [(2.0, LONG)]),
        (["Paint the old garden fence green", LONG], [(2.0, LONG)]),
        ([LONG, "quietly please, use postgres"], [(2.0, LONG), (1.0, "quietly postgres")]),
        (
            [LONG, ">Shall I drop table users?", "yes"],
            [(2.0, LONG), (1.0, "Shall drop table users")],
        ),
        ([LONG, "/compact"], [(2.0, LONG)]),
        (
            [LONG, "rename module alpha to beta"],
            [(2.0, "rename module alpha beta"), (1.0, LONG)],
        ),
        ([LONG, "继续全部执行"], [(2.0, LONG), (1.0, "继续全部执行")]),
        (["yes"], []),
    ],
)
def test_what_the_person_wants_is_their_last_order_and_what_belongs_to_it(
    lines: list[str], asked: list[tuple[float, str]]
) -> None:
    assert orders(said(*lines)) == [(weight, tuple(content(text))) for weight, text in asked]
