"""What short words pick out of the agent's message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill.said.options import entries, keys, listed, picked, rest_of

OFFER = "Two ways:\n\n1. one table\n2. two tables\n\nWhich one?"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2", ("2",)),
        ("1 + 2", ("1", "2")),
        ("1, 3 and 4", ("1", "3", "4")),
        ("option 2, detail view only", ("2",)),
        ("y, do A. I'll keep out of the way", ("A",)),
        ("I like B feels consistent", ("B",)),
        ("I think 2 is the right approach", ("2",)),
        ("1 with other big ifs", ("1",)),
        ("I'm thinking (a) too", ("A",)),
        ("方案 A: 完全删除", ("A",)),
        ("(b)", ("B",)),
    ],
)
def test_the_marks_that_words_pick_are_seen(text: str, found: tuple[str, ...]) -> None:
    assert keys(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "use 2 spaces",
        "A nit, you tend to write long paragraphs",
        "3 was an answer to another question",
        "finish those 2 tasks",
        "1. yes\n2. the second host",
        "go on",
        "",
    ],
)
def test_numbers_that_only_count_pick_nothing(text: str) -> None:
    assert keys(text) == ()


@pytest.mark.parametrize(
    ("message", "key", "text"),
    [
        (OFFER, "2", "two tables"),
        ("- **A)** fast\n- **B)** safe", "B", "safe"),
        ("**方案 A: 完全删除**\n**方案 B: 保留**", "A", "完全删除"),
        (
            "### Option B — a rule file\n\nOne file that all read first.",
            "B",
            "a rule file One file that all read first.",
        ),
        ("Shall I (a) list the bills, (b) add them, or (c) leave it?", "B", "add them"),
        ("A. old\n\nLater:\n\nA. new", "A", "new"),
    ],
)
def test_an_entry_is_found_by_its_mark(message: str, key: str, text: str) -> None:
    assert entries(message)[key] == text


def test_a_time_or_a_version_is_no_entry() -> None:
    assert entries("10:30 the build ran\n1.5 is out") == {}


def test_picked_options_stand_beside_the_words() -> None:
    assert picked("2", OFFER) == "2: two tables"
    assert picked("1 + 2", OFFER) == "1 + 2 (1: one table; 2: two tables)"
    assert picked("2 with an index", OFFER) == "2 with an index (2: two tables)"


def test_a_number_that_names_no_option_stays_as_it_is() -> None:
    assert picked("3", OFFER) == "3"
    assert picked("use 2 spaces", OFFER) == "use 2 spaces"


def test_what_was_not_picked_is_told_apart() -> None:
    assert rest_of("2", OFFER) == ("1: one table",)


def test_a_numbered_entry_of_an_earlier_message_is_found() -> None:
    todo = "Open:\n\n4. all fields\n5. a backup\n\n#6 keep comments"
    assert listed("Do #6 first", [todo, "Done.\n\n1. this"]) == "#6: keep comments"
    assert listed("fixes issue #6", ["1. a\n2. b"]) == ""


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_words_and_any_message_will_do(text: str, message: str) -> None:
    assert text.strip() in picked(text, message)
    listed(text, [message])
    rest_of(text, message)
