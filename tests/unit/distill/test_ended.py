"""How each request but the last one ended."""

from __future__ import annotations

import msgspec
import pytest

from onward.distill import distill
from onward.model import Edited, Event, Interrupt, Item, Prompt, Ran, Reply

LOGIN = "Add a login page to the shop"
LOGOUT = "Now add a logout button to the header of every page, right of the basket"
EDIT = Edited(line=0, path="src/app.py", added=3)
MADE = Ran(
    line=0,
    command="git commit -m 'Add login'",
    failed=False,
    output="[main 9f5a3c7] Add login\n 1 file changed, 3 insertions(+)",
)


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


def test_of_a_request_that_was_stopped_the_act_is_told_at_which_the_person_did_so() -> None:
    stop = Interrupt(line=0, act="pytest -q")
    item = first(said(LOGIN), EDIT, reply("The page is half done."), stop, said(LOGOUT))
    assert (item.why, item.places) == ("Ended: stopped by the person at `pytest -q`", ("t:1",))


def test_a_stop_at_nothing_known_is_not_told_as_an_end() -> None:
    item = first(said(LOGIN), EDIT, reply("Half done."), Interrupt(line=0), said(LOGOUT))
    assert (item.why, item.places) == (None, ("t:1",))


@pytest.mark.parametrize("again", ["pytest -q tests", "pytest -q"])
def test_a_stop_at_an_act_that_was_done_after_all_is_not_told(again: str) -> None:
    stop = Interrupt(line=0, act="pytest -q")
    done = Ran(line=0, command=again, failed=False)
    item = first(said(LOGIN), EDIT, stop, said("No, the blue one"), done, said(LOGOUT))
    assert item.text == LOGIN
    assert item.why is None


def test_what_was_committed_before_a_stop_is_the_end() -> None:
    stop = Interrupt(line=0, act="pytest -q")
    item = first(said(LOGIN), EDIT, MADE, stop, said(LOGOUT))
    assert (item.why, item.places) == (None, ("t:1", "c:9f5a3c7"))


def test_a_request_that_nothing_followed_had_no_reply() -> None:
    assert first(said(LOGIN), said(LOGOUT)).why == "Ended: the person wrote on before any reply"


def test_words_that_were_queued_while_the_agent_worked_do_not_end_what_it_works_on() -> None:
    assert first(said(LOGIN), said(LOGOUT, "queued")).why is None


def test_a_message_that_more_work_followed_is_no_end() -> None:
    going = reply("The login page is in, and the tests come next.")
    assert first(said(LOGIN), going, EDIT, said(LOGOUT)).why is None


def test_a_reply_to_words_before_the_request_is_not_its_end() -> None:
    item = first(reply("The shop is set up and runs."), said(LOGIN), EDIT, said(LOGOUT))
    assert (item.why, item.places) == (None, ("t:2",))


def test_a_commit_of_its_turn_is_among_the_places_of_a_request() -> None:
    short = "Make the button blue"
    done = reply("Committed the login page.")
    item = first(said(LOGIN), EDIT, MADE, done, said(short), last=short)
    assert item.places == ("t:1", "t:4", "c:9f5a3c7")
