from __future__ import annotations

from msgspec.structs import replace

from onward.brief import brief
from onward.brief.listing import files
from onward.brief.weights import WEIGHTS
from onward.model import Checkpoint, Clean, FileFact, Item


def file(path: str, *, uses: int, at: int = 1) -> FileFact[Clean]:
    return FileFact(path=Clean(path), uses=uses, places=(f"t:{at}",))


def first(*facts: FileFact[Clean]) -> str:
    """The line of a file that is bought first."""
    c = Checkpoint(task=Item(text=Clean("reports")), files=facts)
    return min(files(c, 1000, WEIGHTS), key=lambda line: line.rank).text


def test_a_file_that_was_used_again_and_again_comes_before_one_touched_a_little_later() -> None:
    assert "often.py" in first(file("once.py", uses=1, at=100), file("often.py", uses=9, at=90))


def test_a_file_that_was_used_once_just_now_comes_before_one_used_again_and_again_long_ago() -> (
    None
):
    assert "once.py" in first(file("once.py", uses=1, at=100), file("often.py", uses=3, at=1))


def test_a_file_whose_uses_nobody_counted_is_worth_one_that_was_used_once() -> None:
    assert "a.py" in first(file("a.py", uses=0), file("b.py", uses=1))
    assert "b.py" in first(file("b.py", uses=1), file("a.py", uses=0))


def test_what_the_agent_said_of_its_edits_stands_in_place_of_names_the_last_words_first() -> None:
    said = (Clean("Add the parser."), Clean("Now the rows that have no date."))
    page = replace(file("page.py", uses=9), said=said, why=Clean("parse_row, load_cases"))
    c = Checkpoint(task=Item(text=Clean("reports")), files=(page,))
    (line,) = files(c, 1000, WEIGHTS)
    assert line.text == "- `page.py` edited [t:1]"
    assert [text for _, text in line.longer] == [
        "- `page.py` edited — “Now the rows that have no date.” [t:1]",
        "- `page.py` edited — “Add the parser.”; “Now the rows that have no date.” [t:1]",
    ]


def test_what_was_said_of_several_files_is_told_of_the_first_alone() -> None:
    both = (Clean("Rename it in both callers."),)
    facts = tuple(replace(file(f"{n}.py", uses=9 - n), said=both) for n in range(2))
    c = Checkpoint(task=Item(text=Clean("reports")), files=facts)
    told = brief(c, None)
    assert "- `0.py` edited — “Rename it in both callers.”" in told
    assert told.count("Rename it") == 1
    assert "`1.py`" in told


def test_what_was_said_in_the_last_steps_is_not_told_again_beside_the_file() -> None:
    said = Clean("Rename it in both callers")
    step: Item[Clean] = Item(text=Clean(f"“{said}:”"), evidence="claimed", places=("t:8",))
    c = Checkpoint(
        task=Item(text=Clean("reports")),
        files=(replace(file("a.py", uses=1, at=9), said=(said,)),),
        trail=(
            step,
            Item(text=Clean("Edited `a.py` line 7"), evidence="observed", places=("t:9",)),
        ),
    )
    assert brief(c, None).count("Rename it in both callers") == 1


def test_the_names_beside_files_wait_until_the_files_are_told() -> None:
    names = ("parse_row_of_export", "load_every_case", "next_row_of_export")
    facts = tuple(
        replace(
            file(f"src/module_{n}/page.py", uses=1, at=n),
            why=Clean(", ".join(f"{name}_{n}" for name in names)),
        )
        for n in range(1, 13)
    )
    c = Checkpoint(task=Item(text=Clean("reports")), files=facts)
    tight = brief(c, None, budget=250)
    at_once = brief(c, None, budget=250, weights=replace(WEIGHTS, names=0.0))
    assert tight.count("page.py") == 12 > at_once.count("page.py")
    assert tight.count("parse_row") < at_once.count("parse_row")
    assert brief(c, None, budget=1500).count("parse_row") == 12


def test_three_times_as_many_others_as_of_the_work_in_hand_are_told_one_by_one() -> None:
    facts = tuple(
        replace(file(f"{n}.py", uses=1, at=n), said=(Clean(f"Add part {n} of the report."),))
        for n in range(1, 21)
    )
    c = Checkpoint(task=Item(text=Clean("reports")), files=facts)
    lines = files(c, 1000, WEIGHTS)
    assert sum(" edited" in line.text for line in lines) == 8
    assert sum(line.count for line in lines) == 20


def test_new_files_are_told_together_and_those_of_one_folder_in_short() -> None:
    changes = {"src/a.py": "created", "src/b.py": "edited", "src/c.py": "created"}
    facts = (
        *(file(f"{n}.py", uses=9, at=99) for n in range(2)),
        *(
            FileFact(path=Clean(path), change=change, places=("t:5",), commit=commit)  # type: ignore[arg-type]
            for commit in ("", "9f5a3c7")
            for path, change in changes.items()
        ),
    )
    c = Checkpoint(task=Item(text=Clean("reports")), files=facts)
    told = [line.text for line in files(c, 1000, WEIGHTS)]
    assert told[2:] == [
        "- Changed too: `src/b.py` [t:5]",
        "- Created too: `src/{a.py,c.py}` [t:5]",
        "- Committed: `src/b.py` [c:9f5a3c7]",
        "- Committed, new: `src/{a.py,c.py}` [c:9f5a3c7]",
    ]
    assert [line.count for line in files(c, 1000, WEIGHTS)] == [1, 1, 1, 2, 1, 2]
