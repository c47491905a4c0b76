"""What of an output is looked at: every line that may sum it up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onward.distill.checks import summary

# What a pattern looks ahead for is not made from it: pytest's line stands below.
MADE = [row for row in summary._ROWS if "(?=" not in row.pattern.pattern]


@pytest.mark.parametrize("row", MADE, ids=lambda row: row.pattern.pattern)
@settings(max_examples=5)
@given(data=st.data())
def test_no_row_matches_a_line_that_is_left_out(row: summary._Row, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(row.pattern))
    found = [match.group() for match in row.pattern.finditer(text) if "\n" not in match.group()]
    looked_at = summary._worth_reading(text)
    assert [each for each in found if each not in looked_at] == []
    counted = summary._worth_reading(text, summary._COUNTING)
    assert row.means or [each for each in found if each not in counted] == []


@pytest.mark.parametrize("word", ["passed", "failed", "error", "errors", "skipped", "deselected"])
def test_each_line_of_pytest_is_looked_at(word: str) -> None:
    line = f"== 3 {word} in 0.12s =="
    assert summary._worth_reading(f"a\n{line}\nb") == line
    assert summary._worth_reading(f"a\n{line}\nb", summary._COUNTING) == line


def test_lines_that_tell_nothing_of_a_check_are_left_out() -> None:
    output = "def add(a, b):\n    return a + b\n3 passed in 0.1s\nbye"
    assert summary._worth_reading(output) == "3 passed in 0.1s"
