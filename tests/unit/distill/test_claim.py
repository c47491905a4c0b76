"""The one line of a message that says what came of the work, or that answers."""

from __future__ import annotations

import pytest

from onward.distill.said.claim import claim


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("# Summary\n\nThe login works for every user.", "The login works for every user."),
        ("**Summary**\n\n- Added the route for it\n\nAll 12 tests pass.", "All 12 tests pass."),
        (
            "I changed two files:\n\n1. `a.py` has the route\n2. b",
            "I changed two files: `a.py` has the route; b",
        ),
        ("- Added the route for it\n- Wrote its test", "Added the route for it"),
        ("Now let me look at the tests:", ""),
        (
            "Run this to see:\n\n```\nmake\n```\n\nIt prints the **new** total.",
            "Run this to see: `make`",
        ),
        ("It works. " + "And more of the same is said here. " * 9, None),
        ("登录页面已经完成。", "登录页面已经完成。"),
        ("All tests pass. Here is what I did:\n\n1. Moved the file", "All tests pass."),
        ("## Phase 1\n", "Phase 1"),
        ("Good idea — it keeps the list short.", "Good idea — it keeps the list short."),
        (
            "Here is what was wrong:\n\nThe port was taken by another program.",
            "The port was taken by another program.",
        ),
        ("Good catch! The name was wrong.", "The name was wrong."),
        ("Here is what I found:\n\n## Totals\n\n| a | b |", ""),
    ],
)
def test_a_claim_is_the_first_line_that_says_something(message: str, told: str | None) -> None:
    found = claim(message)
    assert found == told if told is not None else (len(found) <= 160 and found.endswith("here."))


ASKED = "Which of the token fields does the log file hold?"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("This is what I found:\n\nThese are all empty.", "These are all empty."),
        ("Three of them are set.\n\nThe rest is empty.", "Three of them are set."),
        ("Here is the list:\n\n## Fields\n\nThese may be used elsewhere.", ""),
        (
            "The list:\n\n## Fields\n\nThese may be old.\n\nThe log file holds two token fields.",
            "The log file holds two token fields.",
        ),
        (
            "I looked through it.\n\nThese may be old.\n\nThe log file holds two token fields.",
            "I looked through it. The log file holds two token fields.",
        ),
        ("I looked through it.\n\nWhich token fields of the log?", "I looked through it."),
        ("Here is the list:\n\n## Fields\n\n- `cost` is not in the log", ""),
    ],
)
def test_an_answer_from_further_below_takes_up_the_words_of_the_request(
    message: str, told: str
) -> None:
    assert claim(message, ASKED) == told
