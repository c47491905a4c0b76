"""Where the value of a match stands, in a rule of several groups."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onward.redaction import engine
from onward.redaction.engine import Rule

RULE = Rule(
    id="two-groups",
    pattern=r"(?:^|\b)k=(?:\"([^\"\n]{2,})\"|([a-z]{4})\b|([a-z]{3})[a-z]?)",
    keywords=("k=",),
    source="test",
)
TABLES = [engine.compile_rules([RULE], linear=linear) for linear in (True, False)]
PIECES = st.sampled_from(["k=", "abc", "abcd", "e", '"', " ", "\n", "k=abcd", 'k="ab"'])


def values(text: str, table: engine.Table = TABLES[0]) -> list[str]:
    data = text.encode()
    return [data[found.start : found.end].decode() for found in engine.find(data, table)]


def test_the_group_that_holds_something_is_the_value() -> None:
    assert values('k="two words" k=abcd k=abc') == ["two words", "abcd", "abc"]


def test_equal_matches_are_told_apart_by_what_stands_beside_them() -> None:
    assert values("k=abcd k=abcde k=abcd") == ["abcd", "abc", "abcd"]
    assert values("k=abcde k=abcd") == ["abc", "abcd"]


def test_a_match_longer_than_any_that_is_remembered_has_its_value() -> None:
    long = "x y " * 1000
    assert values(f'k="{long}" k="{long}"') == [long, long]


@given(st.lists(PIECES, max_size=40).map("".join))
def test_both_engines_find_the_same_values(text: str) -> None:
    assert values(text) == values(text, TABLES[1])
