"""Edits: merged, widened, composed, made."""

from __future__ import annotations

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from onward.redaction import engine
from onward.redaction.engine import Edit, Found, Rule

KEY = b"k" * 32
MARK = b"[REDACTED:a:0123ab]"
SPANS = st.lists(st.integers(0, 30), max_size=8).map(sorted)


def rule(name: str, shown: str = "") -> Rule:
    return Rule(id=name, pattern="", keywords=(), source="test", shown=shown)


def edited(text: bytes, *spans: tuple[int, int, str]) -> list[tuple[int, int, str]]:
    found = [Found(start=start, end=end, rule=rule(name)) for start, end, name in spans]
    return [(each.start, each.end, each.rule) for each in engine.edits(text, found, KEY)]


def test_values_that_overlap_become_one_named_after_the_longest() -> None:
    text = bytes(range(65, 96))
    assert edited(text, (4, 9, "b"), (0, 5, "a"), (8, 20, "c"), (25, 27, "d")) == [
        (0, 20, "c"),
        (25, 27, "d"),
    ]
    assert edited(text, (0, 5, "first"), (0, 5, "second")) == [(0, 5, "first")]
    assert edited(text, (0, 5, "a"), (5, 9, "b")) == [(0, 5, "a"), (5, 9, "b")]


def test_an_edit_at_a_mark_takes_the_run_that_it_stands_in() -> None:
    text = b"x=" + MARK + b"abcdef-ghi, jklm"
    at = 2 + len(MARK)
    inside = [Edit(start=at + 2, end=at + 4, rule="x", shown="[mark]")]
    assert [(e.start, e.end) for e in engine.widened(text, inside, KEY)] == [(at, at + 10)]
    home = [Edit(start=at + 2, end=at + 4, rule="x", shown="~")]
    assert engine.widened(text, home, KEY) == home
    far = [Edit(start=at + 13, end=at + 14, rule="x", shown="[mark]")]
    assert engine.widened(text, far, KEY) == far


@given(
    st.lists(st.sampled_from([b"ab", MARK, b" ", b"."]), max_size=12).map(b"".join),
    st.lists(st.integers(0, 90), max_size=10, unique=True).map(sorted),
)
def test_widened_edits_stand_apart_and_hold_those_that_they_were(
    text: bytes, places: list[int]
) -> None:
    inside = [place for place in places if place <= len(text)]
    changes = [
        Edit(start=start, end=end, rule="x", shown="[mark]")
        for start, end in zip(inside[::2], inside[1::2], strict=False)
    ]
    wide = engine.widened(text, changes, KEY)
    assert all(one.end <= two.start for one, two in pairwise(wide))
    for each in changes:
        covered = [place for one in wide for place in range(one.start, one.end)]
        assert set(range(each.start, each.end)) <= set(covered)


def test_many_edits_in_one_run_are_widened_in_time_that_grows_with_the_text() -> None:
    def took(size: int) -> float:
        text = b"a" * size
        changes = [Edit(start=at, end=at + 1, rule="x", shown="[mark]") for at in range(0, size, 2)]
        rounds = []
        for _ in range(3):
            start = time.process_time()
            engine.widened(text, changes, KEY)
            rounds.append(time.process_time() - start)
        return min(rounds)

    assert took(40_000) < 8 * took(10_000)


@given(SPANS, SPANS)
def test_edits_that_are_composed_do_what_both_do(one: list[int], two: list[int]) -> None:
    text = bytes(range(65, 96))

    def made(places: list[int], length: int, name: str) -> list[Edit]:
        pairs = zip(places[::2], places[1::2], strict=False)
        return [
            Edit(start=a, end=b, rule="x", shown=name * (a % 4))
            for a, b in pairs
            if a < b <= length
        ]

    first = made(one, len(text), "<")
    between = engine.rebuild(text, first)
    marks = []
    grown = 0
    for each in first:
        marks.append((each.start + grown, each.start + grown + len(each.shown)))
        grown += each.grows
    # As the engine makes them: what reaches into a mark takes all of it.
    then = [
        e
        for e in made(two, len(between), ">")
        if all(e.end <= a or b <= e.start or (e.start <= a and b <= e.end) for a, b in marks)
        and all(b > a for a, b in marks)
    ]
    both = engine.compose(first, then)
    assert engine.rebuild(text, both) == engine.rebuild(between, then)
