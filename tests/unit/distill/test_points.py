"""Which list of the agent's message short words of the person lean on."""

from __future__ import annotations

import pytest

from onward.distill import distill
from onward.distill.said.points import points_of
from onward.model import Edited, Prompt, Reply

REVIEW = """The checklist passes.

M4 review findings (blocking):
- `lobby.tsx` shows no blinds
  - nor who is seated
- `tables.ts` takes a big blind below twice the small one

What I changed while reviewing:
- the contracts
- the task list

Do you want me to fix the M4 issues now?"""


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("Do you want me to fix the M4 issues now?", "M4 review findings (blocking):"),
        ("fix the problems that you found", "M4 review findings (blocking):"),
        ("undo what you changed", "What I changed while reviewing:"),
        ("which of these first?", "What I changed while reviewing:"),
        ("yes please do those 3", "Still to do:"),
        ("do the three of them", "Still to do:"),
    ],
)
def test_the_list_is_the_one_that_the_words_name(words: str, heading: str) -> None:
    left = "\n\nStill to do:\n- a\n- b\n- c\n\nIn that order?"
    found = points_of(f"{REVIEW}{left}" if heading.startswith("Still") else REVIEW, words)
    assert found.splitlines()[0] == heading


def test_words_that_name_no_list_get_none() -> None:
    assert points_of(REVIEW, "yes, go ahead") == ""
    assert points_of("Two things:\n- only one point", "do these") == ""


def test_each_point_keeps_its_head_words_and_none_below_it_is_told() -> None:
    told = points_of(REVIEW, "the findings").splitlines()
    assert [line[:12] for line in told[1:]] == ["- `lobby.tsx", "- `tables.ts"]
    long = "Findings:\n" + "\n".join(f"{n}. point {n} " + "and more " * 60 for n in range(9))
    told = points_of(long, "fix the findings").splitlines()
    assert [line[:10] for line in told[1:]] == [f"{n}. point {n}" for n in range(9)]
    assert sum(map(len, told)) <= 700


def test_an_answer_has_the_list_beside_it_that_the_question_is_about() -> None:
    draft = distill(
        [
            Prompt(line=1, text="Review the work on milestone four, then go on with five"),
            Edited(line=2, path="spec.yaml", added=2),
            Reply(line=3, text=REVIEW),
            Prompt(line=4, text="Please fix issues with M4"),
        ]
    )
    why = draft.requests[-1].why or ""
    assert why.startswith("M4 review findings")
    assert why.endswith("Do you want me to fix the M4 issues now?")


def test_a_yes_with_a_condition_has_the_question_beside_it_however_long_it_is() -> None:
    draft = distill(
        [
            Prompt(line=1, text="Compare the screens with the research and tell what is missing"),
            Reply(line=2, text="Gaps:\n\n1. capture\n2. badges\n\nShall I start on any of these?"),
            Prompt(
                line=3,
                text="yes but see to it that we stay below twelve functions on the free plan",
            ),
        ]
    )
    assert draft.requests[-1].why == "1. capture\n2. badges\nShall I start on any of these?"
