"""What a prompt does: ask back, reproach, remark, point; and how much it says of the work."""

from __future__ import annotations

import pytest

from onward.distill.said.manner import (
    asks_back,
    is_offer,
    is_remark,
    is_report,
    is_reproach,
    points,
    weight,
)


@pytest.mark.parametrize(
    "text",
    [
        "is it?",
        "how do i do option 2",
        "what if all three were one",
        "can you explain the second",
        "as one file, thoughts",
        "为什么不行",
    ],
)
def test_a_question_is_seen_with_and_without_its_mark(text: str) -> None:
    assert asks_back(text)


@pytest.mark.parametrize(
    "text", ["How about calling it Reader", "When removing an entry keep the table", "add a test"]
)
def test_a_proposal_or_an_order_asks_nothing_back(text: str) -> None:
    assert not asks_back(text)


@pytest.mark.parametrize(
    "text",
    [
        "You switched the branch out from under me",
        "why did you delete it?",
        "WRONG",
        "What good is printing a report no one can see?",
        'There is a branch that you were unaware of -- "done" is a bold claim.',
    ],
)
def test_a_reproach_is_seen(text: str) -> None:
    assert is_reproach(text)


@pytest.mark.parametrize(
    "text", ["You misread it. Flatten all folders but the first, and go on.", "add a button"]
)
def test_a_reproach_that_says_what_to_do_is_a_request(text: str) -> None:
    assert not is_reproach(text)


@pytest.mark.parametrize(
    "text",
    [
        "There is a new work tree",
        "I misclicked, oops!",
        "I fixed it, check please",
        "My apologies. Ann has those.",
        "sg, I can see us doing that later",
        "The world is quiet here.",
    ],
)
def test_a_remark_asks_for_nothing(text: str) -> None:
    assert is_remark(text)


@pytest.mark.parametrize(
    "text", ["Add a login page", "fix the build", "修复登录页面", "cargo test fails"]
)
def test_a_request_is_no_remark(text: str) -> None:
    assert not is_remark(text)


@pytest.mark.parametrize("text", ["still no delete button", "its not prefilled"])
def test_a_report_of_no_change_is_seen(text: str) -> None:
    assert is_report(text)


@pytest.mark.parametrize("text", ["ok now do it", "commit and push", "plan this out", "continue"])
def test_words_without_a_subject_weigh_little(text: str) -> None:
    assert weight(text) < 2


def test_a_whole_request_weighs_enough() -> None:
    assert weight("Write an importer for bank statements") >= 3
    assert weight("修复登录页面的错误") >= 3


def test_pointing_words_and_offers_are_seen() -> None:
    assert points("plan this out")
    assert not points("rename the column")
    assert not points("it seems the picture does not show")
    assert is_offer("I can write the tests too.")
    assert is_offer("1. tests\n2. manual")
    assert not is_offer("All tests pass.")
