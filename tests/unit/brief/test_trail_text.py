"""The last steps in a briefing: in order, once, and the agent's last words among them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from onward.brief import brief
from onward.brief.trail import certain
from onward.brief.weights import WEIGHTS
from onward.model import Checkpoint, Clean, Evidence, FileFact, Item, Run

HEADING = "## The last steps, oldest first"


def item(text: str, place: str, evidence: Evidence = "observed") -> Item[Clean]:
    return Item(text=Clean(text), evidence=evidence, places=(place,))


CHECKPOINT: Checkpoint = Checkpoint(
    task=item("The shop", "t:1", "asked"),
    requests=(item("Mend the total of the cart", "t:2", "asked"),),
    trail=(
        item("“Mend the total of the …”", "t:2", "asked"),
        item("Edited `src/cart.py` line 4 — `return net`", "t:4"),
        item("“The tests are next.”", "t:5", "claimed"),
        item("Ran `pytest -q`: passed (4 passed)", "t:6"),
    ),
    closing=item("The tests are next.", "t:5", "claimed"),
)


def section(c: Checkpoint, budget: int = 1500) -> list[str]:
    _, _, rest = brief(c, None, budget=budget).partition(f"{HEADING}\n\n")
    return rest.partition("\n\n")[0].splitlines()


def changed(**fields: Any) -> Checkpoint:
    return replace(CHECKPOINT, **fields)


def test_the_steps_stand_in_order_with_the_last_words_in_their_place_and_not_twice() -> None:
    assert section(CHECKPOINT) == [
        "- Edited `src/cart.py` line 4 — `return net` [t:4]",
        "- The agent said: The tests are next. [claimed t:5]",
        "- Ran `pytest -q`: passed (4 passed) [t:6]",
    ]


def test_a_check_that_a_step_tells_is_not_told_again_as_passed() -> None:
    run = Run(command=Clean("pytest -q"), outcome="passed", places=("t:6",))
    other = replace(run, command=Clean("ruff check"))
    text = brief(changed(runs=(run, other)), None)
    assert "- Passed before those above: `ruff check`" in text
    assert "- Passed: `ruff check`" in brief(changed(runs=(other, run)), None)
    assert text.count("`pytest -q`") == 1


def test_a_check_in_another_folder_than_the_step_s_is_told() -> None:
    run = Run(command=Clean("pytest -q"), outcome="passed", cwd=Clean("web"), places=("t:3",))
    assert "- Passed in `web`: `pytest -q`" in brief(changed(runs=(run,)), None)


def test_what_a_step_tells_is_told_neither_as_done_nor_as_a_command_that_worked() -> None:
    made = item("Committed 1234567 Mend the cart", "t:7")
    c = changed(
        trail=(*CHECKPOINT.trail, made),
        progress=(made, item("Pushed main", "t:3")),
        commands=(item("pytest -q", "t:6"), item("npm start", "t:3")),
    )
    text = brief(c, None)
    assert text.count("Committed 1234567") == 1
    assert "- Pushed main [t:3]" in text
    assert text.count("`pytest -q`") == 1
    assert "`npm start`" in text


def test_the_reply_that_ended_an_earlier_request_is_not_told_where_a_step_tells_it() -> None:
    earlier = Item(
        text=Clean("Add the shipping to the cart"),
        evidence="asked",
        places=("t:1", "t:4"),
        why=Clean("Ended: “Shipping is in.”"),
    )
    c = changed(
        requests=(earlier, *CHECKPOINT.requests),
        trail=(item("“Shipping is in.”", "t:4", "claimed"), *CHECKPOINT.trail[2:]),
    )
    assert brief(c, None).count("Shipping is in.") == 1


@pytest.mark.parametrize(
    ("path", "name"),
    [("src/cart.py", "src/cart.py"), (f"~/{'work/' * 12}src/cart.py", "cart.py")],
)
def test_a_file_with_a_long_path_and_a_line_of_its_own_goes_by_its_name(
    path: str, name: str
) -> None:
    file = FileFact(path=Clean(path), change="edited", places=("t:4",))
    step = item(f"Edited `{path}` line 4", "t:4")
    text = brief(changed(files=(file,), trail=(step, item("Ran `make`", "t:6"))), None)
    assert f"- Edited `{name}` line 4" in text
    assert f"- `{path}` edited" in text


def test_what_the_person_decided_in_their_last_words_is_not_told_twice() -> None:
    words = item("Use cents, never floats", "t:2", "asked")
    assert brief(changed(requests=(words,), decisions=(words,)), None).count("never floats") == 1


def test_closing_words_that_come_last_stand_for_what_the_agent_claimed_on_the_way() -> None:
    steps = (
        item("“Half of it is done.”", "t:3", "claimed"),
        item("Edited `a.py`", "t:4"),
        item("Ran `make`", "t:6"),
    )
    c = changed(trail=steps, closing=item("All of it is done.", "t:9", "claimed"))
    assert section(c, 2500) == [
        "- Edited `a.py` [t:4]",
        "- Ran `make` [t:6]",
        "- The agent's last words: All of it is done. [claimed t:9]",
    ]


def test_the_next_action_points_at_the_last_words_that_stand_above_it() -> None:
    words = "Mend the total of the cart, with the shipping and the tax and the discount in it"
    asked = item(words, "t:2", "asked")
    text = f"Go on with what was asked, begun and not finished: “{asked.text}”"
    c = changed(requests=(asked,), next_action=item(text, "t:2", "asked"))
    told = "Go on with what was asked, begun and not finished: their last words (above) [asked t:2]"
    assert told in brief(c, None).splitlines()
    text = f"Ask what comes next: it was done with the person's “{asked.text}”"
    c = changed(requests=(asked,), next_action=item(text, "t:2", "asked"))
    assert "Ask what comes next: it was done with their last words (above)" in brief(c, None)


def test_last_words_of_few_characters_do_not_sum_up_the_steps_before_them() -> None:
    steps = tuple(item(f"Ran `make part{n}`", f"t:{n}") for n in range(1, 5))
    for said, told in (("It is done.", 4), ("It is done. " * 40, 1)):
        c = changed(trail=steps, closing=item(said, "t:9", "claimed"))
        assert len(certain(c, 1500, WEIGHTS)) == told


def test_older_steps_are_told_where_there_is_room_left() -> None:
    steps = tuple(item(f"Ran `make part{n}`", f"t:{n}") for n in range(1, 13))
    assert brief(changed(trail=steps), None).count("- Ran `make part") == 12
    files = tuple(
        FileFact(path=Clean(f"src/part{n}/{'long' * 9}/{'file' * 9}{n}.py"), places=(f"t:{n}",))
        for n in range(1, 90)
    )
    told, fewer = (brief(changed(trail=t, files=files), None) for t in (steps, steps[-6:]))
    assert told.count(".py") == fewer.count(".py") > 6


def test_how_a_check_failed_that_still_fails_is_told_with_the_state_alone() -> None:
    failed = item("Ran `make`; `pytest -q`: failed (1 failed); `ruff`: passed", "t:6")
    run = Run(
        command=Clean("pytest -q"),
        outcome="failed",
        summary=Clean("1 failed"),
        decisive=(Clean("tests/test_cart.py::test_tax"),),
        places=("t:6",),
    )
    text = brief(changed(trail=(failed,), runs=(run,)), None)
    assert "- Ran `make`; `pytest -q`: failed; `ruff`: passed [t:6]" in text
    assert "- `pytest -q` FAILED: 1 failed [t:6]" in text


def test_a_checkpoint_without_steps_tells_the_last_words_all_the_same() -> None:
    text = brief(changed(trail=()), None)
    assert (
        "## The last steps\n\n- The agent's last words: The tests are next. [claimed t:5]" in text
    )


def test_a_small_briefing_has_no_room_for_steps() -> None:
    assert "Edited `src/cart.py`" not in brief(CHECKPOINT, None, budget=400)


def test_lines_of_the_last_words_that_stand_above_are_not_told_again() -> None:
    question = "Which of the two reports is to be exact first, the first or the second?"
    asked = Item(text=Clean("the second"), evidence="asked", places=("t:9",), why=Clean(question))
    words = item(f"Both reports are read each Monday.\n{question}", "t:8", "claimed")
    text = brief(changed(requests=(asked,), closing=words, trail=()), None)
    assert text.count("Which of the two") == 1
    assert "Both reports are read each Monday." in text


def test_a_line_of_the_last_words_that_leads_to_others_stays_though_it_stands_above() -> None:
    lead = "The status file is written and it holds these four things:"
    words = item(f"{lead}\n- where the branch stands and what is left of it", "t:8", "claimed")
    text = brief(changed(next_action=item(f"Ask: “{lead}”", "t:8"), closing=words, trail=()), None)
    assert f"  > {lead}\n  > - where the branch" in text


def test_a_name_that_most_files_share_tells_nothing_of_one() -> None:
    files = tuple(
        FileFact(
            path=Clean(f"src/part{n}.py"),
            change="edited",
            why=Clean(f"the_shop, total_{n}"),
            places=(f"t:{n + 10}",),
        )
        for n in range(5)
    )
    text = brief(changed(files=files), None)
    assert "the_shop" not in text
    assert "total_3" in text


def test_the_person_s_last_words_are_a_mark_among_the_steps_that_came_before() -> None:
    before = item("Ran `make`", "t:1")
    assert section(changed(trail=(before, *CHECKPOINT.trail)))[:2] == [
        "- Ran `make` [t:1]",
        "- Their last words, above [t:2]",
    ]


def test_the_same_push_three_times_is_done_once() -> None:
    pushes = tuple(item("Pushed main", f"t:{n}") for n in (1, 2, 3))
    text = brief(changed(progress=pushes), None)
    assert text.count("Pushed main") == 1
    assert "- Pushed main [t:3]" in text


def test_requests_that_the_last_words_do_not_lean_on_stand_apart_from_what_is_wanted() -> None:
    before = (item("Add a page for the orders", "t:1", "asked"), item("ok", "t:5", "asked"))
    long = item(
        "Now mend the total of the cart with the shipping and the tax in it", "t:9", "asked"
    )
    for last, apart in ((long, True), (item("and the tax", "t:9", "asked"), False)):
        text = brief(changed(requests=(*before, last)), None)
        wanted, _, rest = text.partition("## Asked before, newest first")
        assert ("Add a page" in rest, "Add a page" in wanted) == (apart, not apart)


def test_what_the_session_began_with_stands_with_the_requests_of_before() -> None:
    asked = item(
        "Now mend the total of the cart with the shipping and the tax in it", "t:9", "asked"
    )
    text = brief(changed(requests=(asked,), goal=item("Build a shop", "t:1", "asked")), None)
    before = text.partition("## Asked before, newest first")[2]
    assert "The session began with: Build a shop [t:1]" in before


def test_what_was_done_says_that_the_newest_of_it_stands_among_the_steps() -> None:
    steps = (item("Committed 1234567 Add the tax", "t:4"),)
    done = (item("Committed 7654321 Add the cart", "t:2"), *steps)
    text = brief(changed(trail=steps, progress=done), None)
    assert "## Done before those steps, newest first" in text
    assert "## Done, newest first" in brief(changed(trail=steps, progress=done[:1]), None)


def test_a_request_before_that_is_told_as_decided_word_for_word_is_told_once() -> None:
    rule = "Never sort in memory, the exports are ordered by date"
    long = item(
        "Now mend the total of the cart with the shipping and the tax in it", "t:9", "asked"
    )
    asked = (item(rule, "t:1", "asked"), long)
    others = item("Use whole cents", "t:2", "asked")
    text = brief(changed(requests=asked, decisions=(item(rule, "t:1", "asked"), others)), None)
    assert (text.count(rule), text.count("Use whole cents")) == (1, 1)
    assert rule in text.partition("## Decided")[2]


def test_a_blocker_is_left_out_only_where_the_next_action_says_why() -> None:
    stopped = item("The client stopped the work: Prompt is too long", "t:8")
    denied = item("Not allowed without the person: `git push`", "t:7")
    then = item("Go on with the work that the client broke off (Prompt is too long)", "t:8")
    text = brief(changed(blockers=(stopped, denied), next_action=then), None)
    assert "The client stopped" not in text
    push = item("Go on with the task: `git push`", "t:9")
    assert denied.text in brief(changed(blockers=(denied,), next_action=push), None)
