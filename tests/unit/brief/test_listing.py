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


def test_a_file_that_was_only_read_is_told_with_fewer_names_than_one_that_was_changed() -> None:
    why = Clean(", ".join(f"parse_row_{n}" for n in range(8)))
    facts = (
        *(file(f"{n}.py", uses=9, at=9) for n in range(3)),
        FileFact(path=Clean("changed.py"), why=why, places=("t:5",)),
        FileFact(path=Clean("read.py"), why=why, change="read", places=("t:5",)),
    )
    c = Checkpoint(task=Item(text=Clean("reports")), files=facts)
    told = [text.count("parse_row") for line in files(c, 1000, WEIGHTS) for _, text in line.longer]
    assert told == [7, 4]


def test_the_names_beside_files_wait_until_the_files_are_told() -> None:
    names = ("parse_row_of_export", "load_every_case", "next_row_of_export")
    facts = tuple(
        replace(
            file(f"src/module_{n}/page.py", uses=1, at=n),
            why=Clean(", ".join(f"{name}_{n}" for name in names)),
            commit=f"{n}234567",
        )
        for n in range(1, 9)
    )
    c = Checkpoint(task=Item(text=Clean("reports")), files=facts)
    tight = brief(c, None, budget=250)
    at_once = brief(c, None, budget=250, weights=replace(WEIGHTS, names=0.0))
    assert tight.count("page.py") == 8 > at_once.count("page.py")
    assert tight.count("parse_row") < at_once.count("parse_row")
    assert brief(c, None, budget=1500).count("parse_row") == 8


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
