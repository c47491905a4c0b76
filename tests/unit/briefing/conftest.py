"""Checkpoints to brief from, built by hand."""

from __future__ import annotations

from onward.model import (
    Checkpoint,
    Clean,
    Failure,
    FileFact,
    Item,
    Request,
    Run,
    Status,
    Task,
)


def clean(text: str) -> Clean:
    return Clean(text)


def item(text: str, *places: str, **more: object) -> Item[Clean]:
    return Item(text=clean(text), evidence="asked", places=places, **more)  # type: ignore[arg-type]


def request(text: str, *places: str, **more: object) -> Request[Clean]:
    return Request(text=clean(text), evidence="asked", places=places, **more)  # type: ignore[arg-type]


def run(command: str, outcome: str = "passed", **more: object) -> Run[Clean]:
    return Run(command=clean(command), outcome=outcome, **more)  # type: ignore[arg-type]


def full(n: int = 40) -> Checkpoint:
    """A checkpoint with something in every field, `n` files and steps."""
    return Checkpoint(
        task=item("Currency option of the report", "t:2"),
        name="add-currency-option",
        saved="2026-03-01T13:40:00Z",
        status=Status(kind="finished", places=("t:99",)),
        requests=(
            *(
                request(f"earlier request {i}", f"t:{i}", ended=clean(f"ending of request {i}"))
                for i in range(1, 5)
            ),
            request("please convert amounts exactly", "t:60"),
        ),
        next_action=Item(text=clean("Fix the failing test run: `pytest -q`"), places=("t:90",)),
        closing=Item(text=clean("I converted the amounts; one test fails."), places=("t:99",)),
        tasks=tuple(
            Task(title=clean(f"task {i} of the list"), status="pending" if i % 2 else "completed")
            for i in range(12)
        ),
        progress=tuple(item(f"Committed abc{i:04} step {i}", f"t:{i}") for i in range(n)),
        runs=(
            run(
                "pytest -q",
                "failed",
                summary=clean("1 failed, 8 passed"),
                decisive=(clean("test_rounding: 1.10 != 1.1"),),
            ),
            run("ruff check .", kind="lint", edits_after=2),
        ),
        failures=(Failure(command=clean("npm install"), times=3, lines=(clean("EPERM"),)),),
        background=(item("npm run dev", "t:70"),),
        trail=tuple(item(f"Edited `src/tally/step_{i}.py`", f"t:{60 + i}") for i in range(14)),
        decisions=tuple(item(f"Decimals or floats ({i})? → decimals", f"t:{i}") for i in range(6)),
        dead_ends=(item("Refused by the user: `rm -rf data`", "t:44"),),
        files=tuple(
            FileFact(path=clean(f"src/tally/module_{i}.py"), added=3, spans=((1, 9),))
            for i in range(n)
        ),
        commands=(item("python -m tally report --currency EUR"),),
        context=(item("The sub-agent reported: all rates are cached"),),
    )
