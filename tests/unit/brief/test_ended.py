"""How the earlier requests ended, as a briefing tells it."""

from __future__ import annotations

from msgspec.structs import replace

from onward.brief import brief
from onward.model import Checkpoint, Clean, FileFact, Item

WORDS = "The login page is in."
PLACES = ("t:1", "t:3")


def checkpoint(why: str | None, places: tuple[str, ...] = PLACES) -> Checkpoint:
    first = Item(
        text=Clean("Add a login page to the shop"),
        evidence="asked",
        places=places,
        why=None if why is None else Clean(why),
    )
    last = Item(text=Clean("Now add a logout button"), evidence="asked", places=("t:9",))
    return Checkpoint(task=Item(text=Clean("The shop")), requests=(first, last))


def told(c: Checkpoint, budget: int = 1500) -> list[str]:
    found = (line.partition("→ ")[2] for line in brief(c, None, budget=budget).splitlines())
    return [end for end in found if end.startswith("then: ")]


def test_the_reply_stands_below_the_request_as_a_claim_with_its_place() -> None:
    asked = "Before that [t:1]\n> Add a login page to the shop\n\n"
    end = f"→ then: “{WORDS}” [claimed t:3]\n"
    assert asked + end in brief(checkpoint(f"Ended: “{WORDS}”"), None)


def test_a_commit_is_told_before_the_reply() -> None:
    c = checkpoint(f"Ended: “{WORDS}”", (*PLACES, "c:9f5a3c7"))
    assert told(c) == [f"then: committed [c:9f5a3c7]; “{WORDS}” [claimed t:3]"]


def test_of_many_commits_the_last_are_named_and_the_others_not_forgotten() -> None:
    c = checkpoint(None, ("t:1", "c:1111111", "c:2222222", "c:3333333", "c:4444444"))
    assert told(c) == ["then: committed [c:2222222 c:3333333 c:4444444] and before"]


def test_a_commit_alone_is_an_end() -> None:
    assert told(checkpoint(None, ("t:1", "c:9f5a3c7"))) == ["then: committed [c:9f5a3c7]"]


def test_a_stop_is_nobodys_claim() -> None:
    stop = "stopped by the person at `make`"
    assert told(checkpoint(f"Ended: {stop}", ("t:1",))) == [f"then: {stop}"]


def test_a_stop_of_which_nothing_more_is_known_is_not_told() -> None:
    assert told(checkpoint("Ended: interrupted", ("t:1",))) == []
    assert told(checkpoint("Ended: interrupted", ("t:1", "c:9f5a3c7"))) == [
        "then: committed [c:9f5a3c7]"
    ]


def test_a_reply_whose_transcript_is_gone_is_still_a_claim() -> None:
    assert told(checkpoint(f"Ended: “{WORDS}”", ())) == [f"then: “{WORDS}” [claimed]"]


def test_what_an_earlier_request_answered_is_not_its_end() -> None:
    assert told(checkpoint("Which colour is the button to have?", ("t:1",))) == []


def test_the_end_stands_after_what_the_request_answered() -> None:
    why = "Which colour?\nEnded: stopped by the person at `make`"
    assert told(checkpoint(why, ("t:1",))) == ["then: stopped by the person at `make`"]


def test_a_reply_that_is_told_elsewhere_is_not_told_twice() -> None:
    c = checkpoint(f"Ended: “{WORDS}”")
    closing = Item(text=Clean(f"{WORDS} It has a form."), places=("t:3",))
    following = Item(text=Clean(f"Go on after: {WORDS}"), places=("t:3",))
    assert told(c)
    assert not told(replace(c, closing=closing))
    assert not told(replace(c, closing=replace(closing, places=("t:8", "t:3"))))
    assert not told(replace(c, next_action=following))


def test_where_the_budget_is_tight_the_request_stands_without_its_end() -> None:
    c = checkpoint(f"Ended: “{WORDS * 20}”")
    text = brief(c, None, budget=140)
    assert "Add a login page" in text
    assert "then: " not in text


def test_an_end_is_bought_before_the_long_lists_of_files_that_were_only_read() -> None:
    read = tuple(
        FileFact(path=Clean(f"some/long/folder/with/part{n}_of_it_{n * 7}.py"), change="read")
        for n in range(300)
    )
    c = replace(checkpoint(f"Ended: “{WORDS}”"), files=read)
    assert told(c)
    assert "files" in brief(c, None).partition("## Files")[2]
