"""The figures of many cases under many weights: each case is distilled once and briefed often."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from evals import averages, measures, scoring, texts
from evals.cases import Case
from evals.measures import MEASURES
from onward.brief.weights import WEIGHTS, Ranks, Weights

STEPS = (0.5, 0.75, 1.33, 2.0)
"""What a weight is multiplied by: four values besides its own."""
COLUMNS = ("carry", *MEASURES, "false")

Figures = dict[str, float | None]


class Kept(Struct, frozen=True, kw_only=True):
    """A case that is ready to be briefed: the file that holds its truth and its checkpoint."""

    repository: str
    file: Path


class Scored(Struct, frozen=True, kw_only=True):
    """The figures of one case, a row of them for each of the weights that were tried."""

    repository: str
    rows: list[Figures]


def numbers(weights: Weights) -> dict[str, float]:
    """Every number by its name: `plan`, `file.first`, `file.step`, `closing_longer.0`."""
    found: dict[str, float] = {}
    for name, value in asdict(weights).items():
        if isinstance(value, Ranks):
            found |= {f"{name}.{part}": rank for part, rank in asdict(value).items()}
        elif isinstance(value, tuple):
            found |= {f"{name}.{n}": rank for n, rank in enumerate(value)}
        else:
            found[name] = value
    return found


def with_number(weights: Weights, name: str, number: float) -> Weights:
    """The same weights but for one number."""
    field, _, part = name.partition(".")
    value = getattr(weights, field)
    if isinstance(value, Ranks):
        return replace(weights, **{field: replace(value, **{part: number})})
    if part:
        at = int(part)
        return replace(weights, **{field: (*value[:at], number, *value[at + 1 :])})
    return replace(weights, **{field: number})


def near(number: float) -> list[float]:
    """The values that are tried beside a number; of 0 there are none."""
    return [float(f"{number * step:.3g}") for step in STEPS] if number else []


def keep(
    cases: Sequence[Case], folder: Path, jobs: int, say: Callable[[str], None]
) -> Iterator[Kept]:
    """Distil each case and find its truth, both into a file below `folder`."""
    ordered = sorted(cases, key=lambda case: (str(case.path), case.cut))
    with ProcessPoolExecutor(jobs) as pool:
        found = pool.map(partial(_kept, folder), ordered, chunksize=3)
        for number, kept in enumerate(found, 1):
            say(f"distilled {number}/{len(ordered)}")
            yield kept


def _kept(folder: Path, case: Case) -> Kept:
    file = folder / sha256(case.name.encode()).hexdigest()
    file.write_bytes(pickle.dumps((scoring.truth_for(case), texts.checkpoint(case))))
    return Kept(repository=case.repository, file=file)


def score(
    kept: Sequence[Kept],
    tried: Sequence[Weights],
    budgets: tuple[int, ...],
    jobs: int,
    say: Callable[[str], None],
) -> list[Scored]:
    """Every case under all of the weights, its figures the mean over the budgets."""
    found = []
    with ProcessPoolExecutor(jobs) as pool:
        for one in pool.map(partial(_scored, tried, budgets), kept, chunksize=1):
            found.append(one)
            say(f"{len(tried)} weights: scored {len(found)}/{len(kept)}")
    return found


def _scored(tried: Sequence[Weights], budgets: tuple[int, ...], kept: Kept) -> Scored:
    truth, checkpoint = pickle.loads(kept.file.read_bytes())
    # Most numbers alter few briefings: what reads alike is scored once.
    known: dict[str, Figures] = {}
    rows = []
    for weights in tried:
        told = [texts.weighed(checkpoint, budget, weights) for budget in budgets]
        for text in told:
            if text not in known:
                known[text] = measures.score(truth, text).figures
        rows.append(_mean([known[text] for text in told]))
    return Scored(repository=kept.repository, rows=rows)


def _mean(rows: Sequence[Figures]) -> Figures:
    values = {name: [v for row in rows if (v := row[name]) is not None] for name in COLUMNS}
    return {name: sum(some) / len(some) if some else None for name, some in values.items()}


def figure(scored: Sequence[Scored], row: int, column: str) -> float | None:
    """A column under one of the weights, as its mean over repositories."""
    return averages.plain((each.repository, each.rows[row][column]) for each in scored)


def worth(scored: Sequence[Scored], row: int) -> float:
    """What is maximised: what is carried less what is false."""
    return (figure(scored, row, "carry") or 0.0) - (figure(scored, row, "false") or 0.0)


__all__ = ["WEIGHTS", "Weights"]
