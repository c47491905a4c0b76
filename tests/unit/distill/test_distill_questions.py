"""The question at the end of the agent's message: what asks, and what of it is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill.said.questions import (
    asking,
    buried_question,
    ends_in_question,
    offers_choice,
    question_in,
)


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ("All done.\n\nReady to commit these changes?", "Ready to commit these changes?"),
        ("Found it. Should I mend it?", "Found it. Should I mend it?"),
        ("1) Which user? 2) Which password?", "1) Which user? 2) Which password?"),
        ("改好了。\n\n要提交吗\uff1f", "要提交吗\uff1f"),
        ("Done.\n\n**Shall I push?**", "**Shall I push?**"),
        (
            "Which one?\n\n- tabs\n- spaces",
            "Which one?\n- tabs\n- spaces",
        ),
        (
            "Two ways:\n\n1. one table\n2. two tables\n\nWhat do you say?",
            "1. one table\n2. two tables\nWhat do you say?",
        ),
        (
            "- tests: 12\n- lint: clean\n\nShall I commit?",
            "Shall I commit?",
        ),
        (
            "- tests\n- manual\n\nWhich of these comes first?",
            "- tests\n- manual\nWhich of these comes first?",
        ),
        ("```\nls\n```\n\nRun it?", "Run it?"),
        ("Three ways.\n\nPlease choose one of A, B and C.", "Please choose one of A, B and C."),
        ("Let me know which of the two you want.", "Let me know which of the two you want."),
        ("有三种方案。\n\n请选择方案(A/B/C)。", "请选择方案(A/B/C)。"),
    ],
)
def test_a_question_is_kept_with_its_options(reply: str, asked: str) -> None:
    assert ends_in_question(reply) == asked


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "It works.",
        'Ask it:\n\n- "How many are there?" works now\n- "And why?" too\n\nAll of it is deployed.',
        "Why did it fail? Because the host was wrong. I have mended it and run all of the tests.",
        "Done. Anything else?",
        "Let me know if you have any questions?",
    ],
)
def test_what_asks_for_nothing_is_no_open_question(reply: str) -> None:
    assert ends_in_question(reply) == ""


def test_links_after_the_question_are_left_out() -> None:
    reply = "Shall I take it?\n\n- [the manual](https://example.org)\n- [more](https://example.org)"
    assert ends_in_question(reply) == "Shall I take it?"


def test_of_a_long_question_the_asking_words_are_kept() -> None:
    options = "\n".join(f"{n}. the way number {n}, " + "with many words " * 20 for n in range(1, 7))
    kept = question_in(f"{options}\n\nWhich way do you want?", 300)
    assert kept.endswith("Which way do you want?")
    assert len(kept) <= 300
    assert kept.startswith("1. the way number 1")


@given(st.text(max_size=600), st.integers(min_value=50, max_value=600))
def test_a_question_is_bounded_and_never_raises(reply: str, limit: int) -> None:
    assert len(question_in(reply, limit)) <= limit
    ends_in_question(reply)


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("SQLite or plain files?", True),
        ("1. a\n2. b\n\nWhich?", True),
        ("用方案A还是方案B\uff1f", True),
        ("Shall I commit?", False),
    ],
)
def test_alternatives_make_a_choice(reply: str, choice: bool) -> None:
    assert offers_choice(reply) is choice


def test_the_asking_sentence_alone_is_found() -> None:
    reply = "Two ways:\n\n1. one table\n2. two tables\n\nBoth work. **Which one do you want?**"
    assert asking(reply, 200) == "Which one do you want?"
    assert asking("All is done.", 200) == ""


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ("Found it. Want me to mend it?\n\nThe cause is in `a.py`.", "Want me to mend it?"),
        (
            "Shall I go on with these?\n\n- tests\n- manual\n\nAll of it is in the branch.",
            "Shall I go on with these?\n- tests\n- manual",
        ),
        ("需要我开始实施优化吗\uff1f\n\n报告已保存。", "需要我开始实施优化吗\uff1f"),
    ],
)
def test_an_offer_before_the_end_of_a_message_is_open_all_the_same(reply: str, asked: str) -> None:
    assert ends_in_question(reply) == ""
    assert buried_question(reply) == asked


@pytest.mark.parametrize(
    "reply",
    [
        "### Why does it fail?\n\nThe host was wrong.",
        "```\nShould I stay?\n```\n\nDone.",
        "What would you like to work on next?\n\nAll is saved.",
        "> Want me to go?\n\nThat is what it printed.",
    ],
)
def test_a_question_asked_for_the_telling_is_none(reply: str) -> None:
    assert buried_question(reply) == ""
