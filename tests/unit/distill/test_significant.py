"""What one message settles, and what is left out of somebody's state file."""
# ruff: noqa: RUF001 - people type the punctuation of their own script

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill.said.significant import significant

OFFER = """There are two ways:

1. Keep the lock in the file
2. Use a database

Which one do you prefer?"""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Use RS256, not HS256, because the gateway only has the public key", "decision"),
        ("use tox instead of nox, please", "decision"),
        ("let's keep it simple for now", "decision"),
        ("Write the plan to a temporary file, don't commit.", "decision"),
        ("I've decided to drop the Windows build", "decision"),
        ("I'd rather see more bullets that are shorter than fewer longer ones!", "decision"),
        ("访谈我，先不要改代码", "decision"),
        ("Always run the linter before you commit", "preference"),
        ("Never exceed 3000 tokens without asking me", "preference"),
        ("From now on answer in German", "preference"),
        ("以后都用中文回答我的问题", "preference"),
        ("no, remove this again, the risk is too big", "correction"),
        ("No don't set it, leave the default", "correction"),
        ("Do not fall back, print a warning instead", "correction"),
        ("Actually one of them should be a library", "correction"),
    ],
)
def test_what_settles_something_is_kept_in_the_persons_words(text: str, kind: str) -> None:
    assert significant(text) == [(kind, text)]


def test_a_pick_says_what_was_picked() -> None:
    assert significant("yes, option 2", OFFER) == [
        ("decision", "Which one do you prefer? → yes, option 2 (2: Use a database)")
    ]
    assert significant("2", OFFER) == [("decision", "Which one do you prefer? → 2: Use a database")]


@pytest.mark.parametrize("before", ["", "Done. All tests pass."])
def test_a_pick_of_nothing_settles_nothing(before: str) -> None:
    assert significant("option 2", before) == []


def test_only_the_sentences_that_settle_are_kept() -> None:
    text = (
        "The build is red again. Use tox instead of nox, please. Can you look at the log? "
        "Always run the linter before you commit."
    )
    assert significant(text) == [
        ("decision", "Use tox instead of nox, please."),
        ("preference", "Always run the linter before you commit."),
    ]


@pytest.mark.parametrize(
    "text",
    """yes
ok, go ahead
yes, commit and push
commit
thanks, perfect
fix the failing test
add a logout button to the header
Should we have lib/ for the others or leave them in src/ for now
can we just use "commit" or "work-repo commit" instead?
maybe we should use the other flag instead
why did you change the lock file?
it still does not work, find out why
hmm, but their size is identical!
You always make the same mistake with the path.
we can always refactor that
it never worked on Windows
I moved it to the bottom of the list for now, let me review the message
Great job, done for now
I get the same error when I run it, but no error in release mode, weird
The files to follow design and rules are loaded there in the .md files.
error: cannot use `x` instead of `y`
+ // Always written as "steps_count" in new metadata.
$ git commit --no-verify instead of hooks
1. this has happened twice now
1) reword 2) then I'll decide 3) use the first
/review use tox instead of nox
<task-notification>use tox instead of nox</task-notification>""".splitlines(),
)
def test_requests_questions_remarks_and_logs_are_left_out(text: str) -> None:
    assert significant(text, OFFER if text[:1] == "y" else "") == []


def test_a_document_is_no_word_of_the_person() -> None:
    assert significant("Always run the linter. " + "The table has many rows. " * 40) == []


@given(st.text(max_size=900), st.text(max_size=300))
def test_lines_are_few_short_and_whole(text: str, before: str) -> None:
    found = significant(f"Always run the linter before that. {text}", before)
    assert len(found) <= 3
    assert all(0 < len(line) <= 240 and "\n" not in line for _, line in found)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("And always keep the old endpoint", "Always keep the old endpoint"),
        ("also, never push to main without asking", "Never push to main without asking"),
        ("and/or flags: always spell them out", "and/or flags: always spell them out"),
    ],
)
def test_a_line_that_stands_alone_begins_without_the_word_that_joined_it(
    text: str, kept: str
) -> None:
    assert [line for _, line in significant(text)] == [kept]
