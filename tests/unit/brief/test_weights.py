"""What a line is worth stands in one place, and each number there counts."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from msgspec.structs import asdict, replace

from onward import brief as room
from onward.brief import brief
from onward.brief.parts import parts
from onward.brief.weights import WEIGHTS, Ranks, Weights
from onward.model import Checkpoint, Clean, Drift, FileFact, Item, Run, Task

ROOM = Path(room.__file__).parent
TELLING = ("parts", "earlier", "listing", "standing", "messages")
"""The modules that tell a checkpoint; a hand-over and a loss report have ranks of their own."""


def item(text: str, *places: str, why: str | None = None) -> Item[Clean]:
    return Item(
        text=Clean(text), evidence="asked", places=places, why=None if why is None else Clean(why)
    )


def items(word: str) -> tuple[Item[Clean], ...]:
    return (item(f"{word} one"), item(f"{word} two"))


def file(
    path: str, change: str, *, commit: str = "", at: int = 1, uses: int = 1
) -> FileFact[Clean]:
    places = (f"t:{at}",)
    return FileFact(path=Clean(path), change=change, commit=commit, uses=uses, places=places)  # type: ignore[arg-type]


LONG = " ".join(f"word{n} of a long text" for n in range(400))
ASKED = (
    item("make the second of the two reports exact too"),
    item("make the first report exact before all else, and its tests", "t:1", "t:2"),
    item("and then the third one, which the shop's owner reads on Mondays", why="Ended: “Done.”"),
    item("then look at the totals of the year, which must be exact", "t:3", "c:1234567"),
    item("mend the other one too"),
    item("commit"),
    item("push"),
    item(f"do it now {LONG}", why=f"The plan:\n- {LONG}"),
)
FULL = Checkpoint(
    task=item(LONG),
    goal=item("exact reports"),
    requests=ASKED,
    plan=item("The plan\n" + "\n".join(LONG[n : n + 80] for n in range(0, 8000, 80))),
    tasks=(
        *(Task(title=Clean(f"open {n}"), context=Clean("of the shop")) for n in range(2)),
        *(
            Task(title=Clean(f"done {n}"), status="completed", context=Clean("of the shop"))
            for n in range(2)
        ),
    ),
    progress=items("did"),
    runs=tuple(
        Run(command=Clean(f"check {n}"), outcome=end, cwd=Clean(f"part{n}"))
        for n in range(2)
        for end in ("passed", "failed", "unseen")
    ),
    trail=(
        *(
            replace(item(f"Ran make part{n}", f"t:{n + 100}"), evidence="observed")
            for n in range(28)
        ),
        replace(item("“It fails.”", "t:130", why=LONG), evidence="claimed"),
        replace(item("“It fails again.”", "t:131", why=LONG), evidence="claimed"),
    ),
    next_action=item(LONG, why="it is red"),
    blockers=items("blocked by"),
    decisions=items("decided"),
    dead_ends=items("tried"),
    deferred=items("later"),
    files=(
        replace(file("new.py", "edited", at=90), why=Clean("parse_row, load_cases")),
        replace(
            file("page.py", "edited", at=85), said=(Clean("Now the rows."), Clean("Then all."))
        ),
        file("old.py", "edited"),
        file("/tmp/try.py", "edited", at=80),
        file("in.py", "edited", commit="1234567", at=40),
        file("looked.py", "read", at=30, uses=9),
        file("said.py", "named", at=20),
    ),
    commands=tuple(item(f"make part{n}") for n in range(6)),
    context=items("known:"),
    closing=item("\n".join(LONG[n : n + 80] for n in range(0, 8000, 80)), "t:99"),
)
DRIFT = Drift(
    branch_was=Clean("main"), branch_now=Clean("other"), ahead=2, uncommitted=(Clean("new.py"),)
)
NUMBERS = [
    (name, part)
    for name, value in asdict(WEIGHTS).items()
    for part in (("first", "step") if isinstance(value, Ranks) else ("",))
]


def told(weights: Weights) -> list[object]:
    """All that a weight can alter: the lines of two checkpoints with their ranks, and a title."""
    leaning = replace(FULL, requests=ASKED[:-1])
    summed = replace(FULL, closing=item(LONG, "t:999"))
    return [
        *(parts(each, DRIFT, 400, weights) for each in (FULL, leaning)),
        *(parts(each, DRIFT, 2000, weights) for each in (FULL, summed)),
        brief(FULL, None, budget=100, weights=weights),
    ]


@pytest.mark.parametrize(("name", "part"), NUMBERS)
def test_every_weight_counts(name: str, part: str) -> None:
    value = getattr(WEIGHTS, name)
    if part:
        others: list[object] = [replace(value, **{part: getattr(value, part) + 3})]
    elif isinstance(value, tuple):
        others = [tuple(rank + 3 for rank in value)]
    else:
        others = [value / 9 + 0.001, value * 9 + 0.001]
    assert any(told(replace(WEIGHTS, **{name: other})) != told(WEIGHTS) for other in others)


@pytest.mark.parametrize("name", TELLING)
def test_no_rank_is_written_beside_the_weights(name: str) -> None:
    tree = ast.parse((ROOM / f"{name}.py").read_text("utf-8"))
    ranks = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == "rank"
    ]
    assert ranks or name == "closing"
    assert not any(isinstance(part, ast.Constant) for rank in ranks for part in ast.walk(rank))


def test_a_lower_rank_is_bought_before_a_higher_one() -> None:
    early, late = Ranks(0.2, 0.1), Ranks(90.0, 1.0)
    texts = [
        brief(FULL, None, budget=400, weights=replace(WEIGHTS, context=at, decided=other))
        for at, other in ((early, late), (late, early))
    ]
    assert ["known: one" in text for text in texts] == [True, False]
    assert ["decided one" in text for text in texts] == [False, True]
