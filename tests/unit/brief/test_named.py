from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.brief.named import names, shortened, without

WHY = "defines parse_row, Row; also next_row; by command"


def test_all_names_are_found_and_no_word_that_leads_them_in() -> None:
    assert names(WHY) == ["parse_row", "Row", "next_row", "by command"]
    assert names("Overview, What is not tried") == ["Overview", "What is not tried"]


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (99, WHY),
        (40, "defines parse_row, Row; also next_row"),
        (30, "defines parse_row, Row"),
        (20, "defines parse_row"),
        (3, "defines parse_row"),
    ],
)
def test_as_many_names_are_told_as_there_is_room_for(limit: int, told: str) -> None:
    assert shortened(WHY, limit) == told


def test_names_can_be_left_out() -> None:
    assert without(WHY, {"parse_row"}.__contains__) == "defines Row; also next_row; by command"
    assert without(WHY, {"parse_row", "Row"}.__contains__) == "next_row; by command"
    assert without("a, b", {"a", "b"}.__contains__) == ""


@given(
    st.lists(st.sampled_from(["a_b", "cD", "E1", "also", "two words"]), min_size=1),
    st.integers(1, 90),
)
def test_what_is_told_is_the_beginning_of_the_names(found: list[str], limit: int) -> None:
    why = ", ".join(found)
    told = shortened(why, limit)
    assert names(told) == names(why)[: len(names(told))]
    assert len(told) <= limit or len(names(told)) == 1
