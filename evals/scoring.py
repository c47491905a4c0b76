"""One case, all texts, all budgets: rows of figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from msgspec import Struct

from evals import measures, texts, tokens
from evals.cases import Case, past_of, steps_of, transcript
from evals.truth import Truth, truth_of


class Row(Struct, frozen=True, kw_only=True):
    """The figures of one text at one budget in one case."""

    case: str
    kind: str
    agent: str
    repository: str
    source: str
    budget: int
    figures: dict[str, float | None]
    carried: dict[str, list[str]]
    missed: dict[str, list[str]]
    wrong: list[str]
    unknown: dict[str, int]
    seconds: float
    error: str
    text: str


class Job(Struct, frozen=True, kw_only=True):
    """What one process is to do. `commands` are texts by other programs, by name."""

    case: Case
    sources: tuple[str, ...]
    budgets: tuple[int, ...]
    commands: dict[str, str]


def truth_for(case: Case) -> Truth:
    """What a case asks for."""
    return truth_of(past_of(case), steps_of(case), transcript(case.path).folders)


def rows_of(job: Job) -> list[Row]:
    """Every text of a case, scored."""
    truth = truth_for(job.case)
    return [
        row
        for source in (*job.sources, *job.commands)
        for budget in job.budgets
        if (row := _row(job, truth, source, budget)) is not None
    ]


def _row(job: Job, truth: Truth, source: str, budget: int) -> Row | None:
    template = job.commands.get(source)
    maker = texts.command(template) if template else texts.MAKERS[source]
    made = maker(job.case, budget)
    if source in texts.ONLY_WHERE_READABLE and not made.text:
        return None
    found = measures.score(truth, made.text)
    size = tokens.count(made.text)
    more: dict[str, float | None] = {
        "tokens": float(size),
        "over": float(size > budget * tokens.OVER),
        "estimate": tokens.error(made.text) if source == "onward" else None,
        "ms": made.seconds * 1000 if made.seconds else None,
    }
    return Row(
        case=job.case.name,
        kind=job.case.kind,
        agent=job.case.agent,
        repository=job.case.repository,
        source=source,
        budget=budget,
        figures={**found.figures, **more},
        carried=found.carried,
        missed=found.missed,
        wrong=found.wrong,
        unknown=truth.unknown,
        seconds=made.seconds,
        error=made.error,
        text=made.text,
    )


def run(jobs: Sequence[Job], processes: int, progress: Callable[[str], None]) -> list[Row]:
    """All rows, in the order of the jobs."""
    # Cases of one transcript stand together, so that a process reads it once.
    ordered = sorted(jobs, key=lambda job: (str(job.case.path), job.case.cut))
    found: list[Row] = []
    for number, rows in enumerate(_mapped(ordered, processes), 1):
        found += rows
        progress(f"scored {number}/{len(ordered)}")
    return found


def _mapped(jobs: Sequence[Job], processes: int) -> Iterator[list[Row]]:
    if processes < 2:
        yield from map(rows_of, jobs)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(rows_of, jobs, chunksize=3)


def plain(row: Row) -> dict[str, Any]:
    """A row as it is written as JSON."""
    return {name: getattr(row, name) for name in row.__struct_fields__}
