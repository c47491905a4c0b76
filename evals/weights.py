"""`python -m evals.weights DIR`: learn on real transcripts what the lines of a briefing are worth.

Each number of `onward.brief.weights` is tried at a few other values while the rest stand still.
The repositories are split: the best value on some is judged on the others, so that what only fits
the ones it was chosen by shows. Proposed is what gains on both; proposals are then taken over one
after the other as long as they gain together. Nothing is changed: a person reads the table, then
briefings, and edits `src/onward/brief/weights.py`.

The scorer sees requests, files, names, commands and outcomes. What only a reader can judge
(decisions, dead ends, how a request ended …) it would take out to make room: such numbers are not
tried.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from evals import sweep, tables
from evals.__main__ import budgets, progress
from evals.cases import cases
from evals.sweep import WEIGHTS, Kept, Scored, Weights

LEAST = 0.0005
"""A gain in carry below this is none."""
UNJUDGED = {
    *("title_share", "next_share", "next_action", "next_why", "about", "whole", "ended"),
    *("plan", "goal", "changed", "closing", "message", "open_task", "task_note"),
    *("done_task", "blocker", "done", "decided", "dead_end", "put_off", "context"),
    "uncommitted",
}
"""Weights of lines that the measures cannot see, or see only by the names in them."""

Score = Callable[[Sequence[Weights]], list[Scored]]


class Found(Struct, frozen=True, kw_only=True):
    """What is known of one number: its best value, and the mean gain of the values that each part
    of the repositories chose, on that part and on the rest.
    """

    name: str
    now: float
    best: float
    fitted: float
    other: float
    agreed: bool
    """Whether all parts chose to go the same way."""

    @property
    def proposed(self) -> bool:
        """Whether it helps where it was fitted and where it was not."""
        return self.agreed and min(self.fitted, self.other) >= LEAST


def folds(repositories: Sequence[str], number: int) -> list[frozenset[str]]:
    """The repositories in so many parts, by a hash of their names: a new one moves few others."""
    ordered = sorted(set(repositories), key=lambda name: sha256(name.encode()).hexdigest())
    return [frozenset(ordered[n::number]) for n in range(number)]


def learn(score: Score, start: Weights, parts: Sequence[frozenset[str]]) -> list[Found]:
    """Every number that can be judged on its own, the most promising first."""
    now = {
        name: number
        for name, number in sweep.numbers(start).items()
        if name.partition(".")[0] not in UNJUDGED
    }
    tried = [(name, value) for name, number in now.items() for value in sweep.near(number)]
    scored = score([start, *(sweep.with_number(start, *one) for one in tried)])
    rows: dict[str, dict[float, int]] = {name: {} for name, _ in tried}
    for row, (name, value) in enumerate(tried, 1):
        rows[name][value] = row
    found = [_judged(scored, name, now[name], values, parts) for name, values in rows.items()]
    return sorted(found, key=lambda one: (-one.proposed, -min(one.other, one.fitted)))


def _judged(
    scored: Sequence[Scored],
    name: str,
    now: float,
    values: dict[float, int],
    parts: Sequence[frozenset[str]],
) -> Found:
    fitted, other, chosen = [], [], []
    for part in parts:
        mine = [one for one in scored if one.repository not in part]
        rest = [one for one in scored if one.repository in part]
        best = _best(mine, now, values)
        chosen.append(best)
        fitted.append(_gain(mine, values.get(best, 0)))
        other.append(_gain(rest, values.get(best, 0)))
    return Found(
        name=name,
        now=now,
        best=_best(scored, now, values),
        fitted=sum(fitted) / len(fitted),
        other=sum(other) / len(other),
        agreed=len({(value > now) - (value < now) for value in chosen}) == 1,
    )


def _best(scored: Sequence[Scored], now: float, values: dict[float, int]) -> float:
    """The value that gains most; what stands where none does."""
    gains = {value: _gain(scored, row) for value, row in values.items()}
    best = max(gains, key=lambda value: gains[value])
    return best if gains[best] >= LEAST else now


def _gain(scored: Sequence[Scored], row: int) -> float:
    return sweep.worth(scored, row) - sweep.worth(scored, 0) if row else 0.0


def together(
    score: Score, start: Weights, found: Sequence[Found], parts: Sequence[frozenset[str]]
) -> tuple[Weights, list[Found]]:
    """The proposals that still gain, and lose in no part, beside those taken before them."""
    taken, names = start, list[Found]()
    for one in found:
        if not one.proposed or one.best == one.now:
            continue
        more = sweep.with_number(taken, one.name, one.best)
        scored = score([taken, more])
        each = [_gain([s for s in scored if s.repository in part], 1) for part in parts]
        if _gain(scored, 1) >= LEAST and min(each) >= 0:
            taken = more
            names.append(one)
    return taken, names


def main(line: Sequence[str] | None = None) -> int:
    """Choose cases, distil them, learn, print; 2 where there are too few repositories."""
    args = arguments(line)
    found, transcripts = cases(args.corpus, progress)
    repositories = sorted({case.repository for case in found})
    if len(repositories) < args.folds:
        progress("")
        print(f"{len(repositories)} of {args.folds} repositories that weights are judged by have "
              f"a case ({transcripts} transcripts in {args.corpus}): give a larger folder",
              file=sys.stderr)  # fmt: skip
        return 2
    parts = folds(repositories, args.folds)
    with tempfile.TemporaryDirectory(prefix="weights-") as folder:
        kept = list(sweep.keep(found, Path(folder), args.jobs, progress))
        weights = _learnt(args, kept, parts)
    progress("")
    changed = _changed(WEIGHTS, weights)
    print("\nTake over: " + (", ".join(changed) if changed else "nothing."))
    return 0


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.weights", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("corpus", type=Path, help="a folder with transcripts (*.jsonl) below it")
    parser.add_argument("--budget", default="1000,1500", help="tokens, several with commas")
    parser.add_argument("--folds", type=int, default=4, help="parts of the repositories")
    parser.add_argument("--rounds", type=int, default=1, help="how often, from where it came to")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    args = parser.parse_args(words)
    if not args.corpus.is_dir():
        parser.error(f"{args.corpus} is no folder: python -m evals.weights DIR")
    if args.folds < 2 or args.rounds < 1:
        parser.error("--folds is 2 or more, --rounds 1 or more")
    args.budgets = budgets(parser, args.budget)
    return args


def _learnt(
    args: argparse.Namespace, kept: Sequence[Kept], parts: Sequence[frozenset[str]]
) -> Weights:
    """The weights after all rounds; a table of each is printed."""
    score = partial(_score, kept, args.budgets, args.jobs)
    weights = WEIGHTS
    for number in range(args.rounds):
        found = learn(score, weights, parts)
        after, taken = together(score, weights, found, parts)
        progress("")
        print(f"\n## Round {number + 1}\n\n{_table(found, taken)}")
        print(f"\n{_measures(score([weights, after]), parts)}")
        if after == weights:
            break
        weights = after
    return weights


def _score(
    kept: Sequence[Kept], sizes: tuple[int, ...], jobs: int, tried: Sequence[Weights]
) -> list[Scored]:
    return sweep.score(kept, tried, sizes, jobs, progress)


def _table(found: Sequence[Found], taken: Sequence[Found]) -> str:
    """Every number whose change alters a figure."""
    out = []
    for one in found:
        if one.best == one.now and not one.fitted:
            continue
        word = "taken" if one in taken else "yes" if one.proposed else ""
        gains = [f"{one.fitted:+.4f}", f"{one.other:+.4f}"]
        out.append([one.name, f"{one.now:g}", f"{one.best:g}", *gains, word])
    head = ["weight", "now", "best", "gain where fitted", "gain on the others", "proposed"]
    return tables.table(head, out)


def _measures(scored: Sequence[Scored], parts: Sequence[frozenset[str]]) -> str:
    """All measures before and after, over all repositories and in each part."""
    out = []
    groups = [("all", frozenset[str]().union(*parts))]
    groups += [(f"part {number}", part) for number, part in enumerate(parts, 1)]
    for name, part in groups:
        mine = [one for one in scored if one.repository in part]
        for row, when in enumerate(("now", "proposed")):
            cells = [sweep.figure(mine, row, column) for column in sweep.COLUMNS]
            shown = ["–" if cell is None else f"{cell:.3f}" for cell in cells]
            out.append([name, str(len(mine)), when, *shown])
    return tables.table(["repositories", "cases", "weights", *sweep.COLUMNS], out)


def _changed(before: Weights, after: Weights) -> list[str]:
    was, now = sweep.numbers(before), sweep.numbers(after)
    return [f"{name} {was[name]:g} → {now[name]:g}" for name in was if was[name] != now[name]]


if __name__ == "__main__":
    sys.exit(main())
