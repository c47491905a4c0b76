"""Places of one session in the order of time, whichever file they stand in."""

from __future__ import annotations

from itertools import pairwise

import pytest

from onward.evidence import EARLIER, order_of


def test_lines_of_an_earlier_file_come_before_all_of_a_later_one() -> None:
    told = [2 * EARLIER + 9, EARLIER + 1, EARLIER + 2, EARLIER + 900_000, 1, 2, 541]
    order = [order_of(f"t:{line}") for line in told]
    assert all(before < after for before, after in pairwise(order))
    assert order[0] > 0


def test_a_line_of_the_transcript_is_its_number() -> None:
    assert order_of("t:541") == 541


@pytest.mark.parametrize("place", ["", "c:9f5a3c7", "t:helper:12", "t:"])
def test_any_other_place_has_no_order(place: str) -> None:
    assert order_of(place) == 0
