"""What is told in short where the budget is tight, and at length where room is left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from onward.brief import brief
from onward.brief.select import Line, Part, choose
from onward.brief.text import fitted
from onward.brief.tokens import estimate
from onward.model import Checkpoint, Clean, FileFact, Item

LONG = ((5.0, "the whole story of it, told in very many more words than before"),)
RESULTS = [
    f"**{n}. Feature {n}**\n- it does what point {n} asked for, in `part{n}.py`" for n in range(9)
]


def closing(text: str) -> Checkpoint:
    words = Item(text=Clean(text), evidence="claimed", places=("t:9",))
    return Checkpoint(task=Item(text=Clean("Add nine features")), closing=words)


def chosen(tokens: int, *lines: Line) -> dict[int, str]:
    return choose([Part(heading="## Head", lines=lines)], tokens, 10_000)[0]


def test_a_longer_form_takes_the_place_of_the_short_one_where_there_is_room() -> None:
    line = Line(text="the story", rank=1, longer=LONG)
    assert chosen(200, line) == {0: LONG[0][1]}
    assert chosen(16, line) == {0: "the story"}


def test_a_line_of_a_lower_rank_goes_before_a_longer_form() -> None:
    other = Line(text="another thing that is wanted sooner than more words", rank=2)
    line = Line(text="the story", rank=1, longer=LONG)
    assert chosen(23, line, other) == {0: "the story", 1: other.text}


def test_no_longer_form_is_told_of_a_line_that_had_no_room() -> None:
    line = Line(text="word " * 200, rank=1, longer=((2.0, "short"),))
    assert chosen(60, line) == {}


@given(st.integers(10, 120), st.lists(st.text(max_size=60), max_size=6))
def test_longer_forms_never_cost_more_than_the_purse(tokens: int, texts: list[str]) -> None:
    lines = [
        Line(text=text, rank=n, longer=((n + 2.5, text * 2), (n + 4.5, text * 3)))
        for n, text in enumerate(texts)
    ]
    taken = chosen(tokens, *lines)
    assert not taken or estimate("## Head\n\n" + "\n".join(taken.values())) <= tokens


def test_the_agents_last_words_are_told_whole_and_line_by_line_where_there_is_room() -> None:
    text = brief(closing("All nine are in.\n" + "\n".join(RESULTS)), None, budget=1500)
    assert "  > All nine are in.\n  > 0. Feature 0\n  > - it does what point 0" in text
    assert "  > - it does what point 8 asked for, in `part8.py`" in text
    assert "[…]" not in text


def test_of_long_last_words_the_first_and_the_last_stay_under_a_tight_budget() -> None:
    crowd = tuple(FileFact(path=Clean(f"src/part{n}.py"), added=n) for n in range(400))
    held = closing("All nine are in.\n" + "\n".join(RESULTS))
    text = brief(replace(held, files=crowd), None, budget=500)
    assert all(f"> {n}. Feature {n}" in text for n in (0, 1, 8))
    assert "[…]" in text


def test_a_long_request_is_told_whole_where_there_is_room() -> None:
    points = "\n".join(
        f"{n}. the point {n} with all that is to be done about it" for n in range(40)
    )
    asked = Item(text=Clean(f"Do these:\n{points}\nin this order"), evidence="asked")
    later = Item(text=Clean("go on"), evidence="asked")
    draft = Checkpoint(task=Item(text=Clean("Do these")), requests=(asked, later))
    assert "> 20. the point 20 with all" in brief(draft, None, budget=3000)
    assert "> 39. the point 39 with all" not in brief(draft, None, budget=300)


def test_what_an_answer_leans_on_is_told_as_the_list_it_was() -> None:
    why = Clean(
        "Findings:\n1. the lobby shows no blinds\n2. seats have no limit\nShall I mend them?"
    )
    asked = Item(text=Clean("fix them"), evidence="asked", why=why)
    text = brief(Checkpoint(task=Item(text=Clean("Fix")), requests=(asked,)), None)
    assert "> 1. the lobby shows no blinds\n> 2. seats have no limit\n> Shall I mend them?" in text


@pytest.mark.parametrize("limit", [700, 900, 1200])
def test_of_many_lines_the_head_words_of_each_are_kept(limit: int) -> None:
    lines = [f"point {n}: " + "many words on it " * 12 for n in range(6)]
    kept = fitted(lines, limit)
    assert [line[:7] for line in kept] == [f"point {n}" for n in range(6)]
    assert sum(map(len, kept)) <= limit


SAYS = "many words on what there is to be told of it, and then some more of them"


def test_a_heading_is_told_only_with_a_line_under_it() -> None:
    lines = [SAYS, *(line for n in range(9) for line in (f"**PART {n}**", f"{n} {SAYS}")), SAYS]
    kept = [line.removesuffix(" […]") for line in fitted(lines, 600)]
    heads = [n for n, line in enumerate(kept) if line.startswith("**PART")]
    assert heads
    assert all(kept[n + 1].startswith(f"{kept[n][7]} many") for n in heads)


def test_a_line_that_leads_to_others_is_told_only_with_the_first_of_them() -> None:
    lines = [SAYS, *(line for n in range(9) for line in (f"Part {n}:", f"- {n} {SAYS}")), SAYS]
    kept = [line.removesuffix(" […]") for line in fitted(lines, 600)]
    leads = [n for n, line in enumerate(kept) if line.startswith("Part")]
    assert leads
    assert all(kept[n + 1].startswith(f"- {kept[n][5]}") for n in leads)


def test_no_slight_line_fills_a_gap() -> None:
    lines = [SAYS, *(SAYS[n:] for n in range(9)), "- `dnd-kit`", SAYS]
    assert not any(line.startswith("- `dnd") for line in fitted(lines, 400))


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=300),
        max_size=30,
    )
)
def test_lines_that_fit_are_left_alone_and_others_stay_near_the_limit(lines: list[str]) -> None:
    assert fitted(lines, 40_000) == lines
    assert sum(map(len, fitted(lines, 400))) <= 400 + 5 * len(lines) + 4


def test_an_answer_that_stands_at_the_top_with_its_question_is_not_told_again() -> None:
    asked = Item(
        text=Clean("yes, in cents"), places=("t:7",), why=Clean("Shall I store it in cents?")
    )
    decided = Item(text=Clean("Shall I store it in cents? → yes, in cents"), places=("t:7",))
    other = Item(text=Clean("use decimals"), places=("t:3",))
    draft = Checkpoint(
        task=Item(text=Clean("Store")), requests=(asked,), decisions=(decided, other)
    )
    text = brief(draft, None)
    assert "- use decimals" in text
    assert text.count("yes, in cents") == 1
    assert brief(replace(draft, requests=(replace(asked, why=None),)), None).count("→ yes") == 1


def test_a_plan_is_told_whole_where_there_is_room() -> None:
    steps = "\n".join(f"- step {n} of the long way to the new store" for n in range(30))
    plan = Item(text=Clean(f"Move to SQLite\n{steps}"), places=("t:3",))
    draft = Checkpoint(task=Item(text=Clean("Move")), plan=plan)
    assert "- step 29 of the long way" in brief(draft, None, budget=1500)
    assert "lines of the plan" in brief(draft, None, budget=400)
