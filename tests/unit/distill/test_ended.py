"""How each request but the last one ended."""

from __future__ import annotations

import msgspec
import pytest

from onward.distill import distill
from onward.distill.said.closing import claim
from onward.model import Edited, Event, Interrupt, Item, Prompt, Ran, Reply

LOGIN = "Add a login page to the shop"
LOGOUT = "Now add a logout button to the header of every page, right of the basket"
EDIT = Edited(line=0, path="src/app.py", added=3)


def said(text: str, source: str = "typed") -> Prompt:
    return msgspec.convert({"line": 0, "text": text, "source": source}, Prompt)


def reply(text: str) -> Reply:
    return Reply(line=0, text=text)


def first(*events: Event, last: str = LOGOUT) -> Item[str]:
    draft = distill(msgspec.structs.replace(e, line=n) for n, e in enumerate(events, 1))
    assert [item.text for item in draft.requests[-1:]] == [last]
    assert draft.requests[-1].places == (f"t:{len(events)}",)
    return draft.requests[0]


def test_an_earlier_request_tells_what_the_agent_replied_and_where() -> None:
    item = first(said(LOGIN), EDIT, reply("The login page is in and its tests pass."), said(LOGOUT))
    assert item.why == "Ended: “The login page is in and its tests pass.”"
    assert item.places == ("t:1", "t:3")


def test_a_reply_of_one_word_is_told_too() -> None:
    assert first(said(LOGIN), EDIT, reply("Added."), said(LOGOUT)).why == "Ended: “Added.”"


def test_a_yes_between_two_requests_belongs_to_the_first() -> None:
    asked, done = reply("Shall I use sessions for it?"), reply("Sessions hold the login now.")
    item = first(said(LOGIN), asked, said("yes"), EDIT, done, said(LOGOUT))
    assert item.why == "Ended: “Sessions hold the login now.”"
    assert item.places == ("t:1", "t:5")


def test_a_request_that_was_stopped_ended_interrupted() -> None:
    item = first(
        said(LOGIN), EDIT, reply("The page is half done."), Interrupt(line=0), said(LOGOUT)
    )
    assert (item.why, item.places) == ("Ended: interrupted", ("t:1",))


def test_a_request_that_nothing_followed_had_no_reply() -> None:
    assert first(said(LOGIN), said(LOGOUT)).why == "Ended: no reply before the next words"


def test_words_that_were_queued_while_the_agent_worked_do_not_end_what_it_works_on() -> None:
    assert first(said(LOGIN), said(LOGOUT, "queued")).why is None


def test_a_message_that_more_work_followed_is_no_end() -> None:
    going = reply("The login page is in, and the tests come next.")
    assert first(said(LOGIN), going, EDIT, said(LOGOUT)).why is None


def test_a_reply_to_words_before_the_request_is_not_its_end() -> None:
    item = first(reply("The shop is set up and runs."), said(LOGIN), EDIT, said(LOGOUT))
    assert (item.why, item.places) == (None, ("t:2",))


def test_a_commit_of_its_turn_is_among_the_places_of_a_request() -> None:
    made = Ran(
        line=0,
        command="git commit -m 'Add login'",
        failed=False,
        output="[main 9f5a3c7] Add login\n 1 file changed, 3 insertions(+)",
    )
    short = "Make the button blue"
    done = reply("Committed the login page.")
    item = first(said(LOGIN), EDIT, made, done, said(short), last=short)
    assert item.places == ("t:1", "t:4", "c:9f5a3c7")


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("# Summary\n\nThe login works for every user.", "The login works for every user."),
        ("**Summary**\n\n- Added the route for it\n\nAll 12 tests pass.", "All 12 tests pass."),
        (
            "I changed two files:\n\n1. `a.py` has the route\n2. b",
            "I changed two files: `a.py` has the route",
        ),
        ("- Added the route for it\n- Wrote its test", "Added the route for it"),
        ("Now let me look at the tests:", ""),
        (
            "Run this to see:\n\n```\nmake\n```\n\nIt prints the **new** total.",
            "Run this to see: `make`",
        ),
        ("It works. " + "And more of the same is said here. " * 9, None),
        ("登录页面已经完成。", "登录页面已经完成。"),
    ],
)
def test_a_claim_is_the_first_line_that_says_something(message: str, told: str | None) -> None:
    found = claim(message)
    assert found == told if told is not None else (len(found) <= 160 and found.endswith("here."))
