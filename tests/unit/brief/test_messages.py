"""What the agent said: its last message is never lost, earlier ones come where there is room."""

from __future__ import annotations

from msgspec.structs import replace

from onward.brief import brief
from onward.model import Checkpoint, Clean, FileFact, Item

TASK = Item(text=Clean("Mend the total"))
FOUND = "The regression is in the sync.\n" + "\n".join(
    f"- row {n} goes back from the newer state to the older one" for n in range(20)
)
PASTE = "A report that somebody sent:\n" + "\n".join(
    f"- a link to page {n} of the manual, on something else" for n in range(200)
)
CROWD = tuple(FileFact(path=Clean(f"src/part{n}.py"), added=n) for n in range(400))


def asked(text: str, *places: str, why: str | None = None) -> Item[Clean]:
    reason = None if why is None else Clean(why)
    return Item(text=Clean(text), evidence="asked", places=places, why=reason)


def message(text: str, place: str, why: str | None = None) -> Item[Clean]:
    lines = None if why is None else Clean(why)
    return Item(text=Clean(text), evidence="claimed", places=(place,), why=lines)


def did(text: str, place: str) -> Item[Clean]:
    return Item(text=Clean(text), evidence="observed", places=(place,))


def test_what_was_found_last_stands_beside_a_long_paste_that_came_after_it() -> None:
    held = Checkpoint(
        task=TASK,
        requests=(asked(PASTE, "t:9"),),
        closing=message(FOUND, "t:8"),
        trail=(did("Ran `sync`", "t:7"), asked("A report …", "t:9")),
        files=CROWD,
    )
    for budget in (1000, 1500):
        assert "The regression is in the sync." in brief(held, None, budget=budget)


def test_a_message_between_the_steps_is_told_at_length_where_there_is_room() -> None:
    held = Checkpoint(
        task=TASK,
        requests=(asked("Mend the total of the cart, and of the export too", "t:1"),),
        trail=(message("“It is in the sync.”", "t:2", FOUND), did("Ran `sync`", "t:3")),
    )
    text = brief(held, None)
    assert "- The agent said [claimed t:2]:\n  > The regression is in the sync." in text
    assert "row 19 goes back" in text


def test_what_stands_above_is_not_told_again_though_it_ends_in_a_gap() -> None:
    why = "It is in the sync of the two tables.\nThe export is not touched by it at all. […]"
    held = Checkpoint(
        task=TASK,
        requests=(asked("do that", "t:3", why=why.removesuffix(" […]")),),
        trail=(
            message(
                "“It is in the sync of the two tables.”",
                "t:2",
                f"{why}\nRow 7 is the proof of that, and row 9 too.",
            ),
            did("Ran `sync`", "t:4"),
        ),
    )
    text = brief(held, None)
    assert text.count("The export is not touched by it at all.") == 1


def test_a_sub_agents_report_is_led_in_as_its_own() -> None:
    lead = "The sub-agent “Look for callers” reported"
    held = Checkpoint(
        task=TASK,
        trail=(message(f"{lead}: “Row 1: wrong.”", "t:2", FOUND), did("Ran `sync`", "t:3")),
    )
    assert f"- {lead} [claimed t:2]:\n  > The regression is in the sync." in brief(held, None)


def test_how_an_earlier_request_ended_is_told_at_length_where_there_is_room() -> None:
    first = asked(
        "Find out why the total of every second cart is wrong, and tell me before you mend it",
        *("t:1", "t:5", "c:1234567"),
        why=f"Ended: “It is in the sync.”\n{FOUND}",
    )
    last = asked("Now mend it, in the sync and nowhere else, with a test for every row", "t:6")
    held = Checkpoint(task=TASK, requests=(first, last))
    text = brief(held, None)
    assert "→ then: committed [c:1234567]; the agent said [claimed t:5]:\n  > The regress" in text
    tight = brief(replace(held, files=CROWD), None, budget=420)
    assert "→ then: committed [c:1234567]; “It is in the sync.” [claimed t:5]" in tight


def test_of_an_end_that_stands_above_only_the_commit_is_told() -> None:
    said = f"Ended: “It is in the sync.”\n{FOUND}"
    first = asked("Find out why the total is wrong", "t:1", "t:5", "c:1234567", why=said)
    last = asked("so mend it there", "t:6", why="It is in the sync.")
    text = brief(Checkpoint(task=TASK, requests=(first, last)), None)
    assert "→ then: committed [c:1234567]\n" in text


def test_an_end_without_the_lines_of_the_message_is_told_as_before() -> None:
    first = asked("Find out why the total is wrong", "t:1", "t:5", why="Ended: “In the sync.”")
    last = asked("Now mend it, in the sync and nowhere else, with a test for every row", "t:6")
    text = brief(Checkpoint(task=TASK, requests=(first, last)), None)
    assert "→ then: “In the sync.” [claimed t:5]" in text


def test_words_said_with_a_refusal_lean_on_what_was_asked() -> None:
    first = asked("Make the report faster and keep its output as it is, byte for byte", "t:1")
    no = asked(
        "No cache files, the folder is read-only for most of us who work with it every day",
        "t:4",
        why="said in place of: edit src/cache.py",
    )
    text = brief(Checkpoint(task=TASK, requests=(first, no)), None)
    assert "It was said in place of: edit src/cache.py\n\nBefore that [t:1]\n> Make the" in text


def test_the_approved_plan_is_the_first_decision_told() -> None:
    decided = (
        asked("no links in the output", "t:9"),
        asked("Approved the plan: Attribution", "t:2"),
    )
    text = brief(Checkpoint(task=TASK, decisions=decided), None)
    assert text.index("Approved the plan: Attribution") < text.index("no links in the output")


def test_a_plan_that_was_left_behind_is_told_by_its_title() -> None:
    plan = Item(text=Clean("Close the gaps\n- 1. first\n- 2. second"), places=("t:2",))
    plan = replace(plan, evidence="asked")
    later = (asked("look at the failing check", "t:5"), asked("and at the avatar", "t:7"))
    text = brief(Checkpoint(task=TASK, plan=plan, requests=later), None)
    assert "Approved plan: Close the gaps [t:2]\n" in text
    assert "1. first" not in text
    text = brief(Checkpoint(task=TASK, plan=plan, requests=later[:1]), None)
    assert "Approved plan: Close the gaps [t:2]\n- 1. first" in text
