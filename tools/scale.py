"""How far one ref per writer carries: a simulation with what real git costs.

    python tools/scale.py              the tables of docs/explanation/scale.md
    python tools/scale.py --measure    the same constants, measured anew on this machine

A team is simulated day by day from one seed: who pushes and pulls when, what the server then
advertises and sends, how long each chain of commits gets and when it is cut. Sizes are bytes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/explanation/scale.md"
BEGIN, END = "<!-- tools/scale.py -->", "<!-- end of tools/scale.py -->"
WORKDAYS = 250  # a year
PUSHES, PULLS = 10, 10  # of one user on a work day
CHECKPOINTS = 50  # that one writer holds
OTHER_REFS = 500  # branches and tags of the user's own repository, on the same remote
CUT = 500  # commits after which a writer begins its chain anew


class Costs(NamedTuple):
    """What git takes, measured (`tools/scale_git.py`): protocol v2 where git has it, over HTTP."""

    ref: float
    """One ref in a push's advertisement, its name 33 bytes long."""
    listed: float
    """One ref in the answer to `ref-prefix`, which a pull gets."""
    hello: float
    """Both ways of a fetch that finds nothing, without the refs: capabilities and the question."""
    push: float
    """What goes up for one new checkpoint, beside the others of its writer."""
    pull: float
    """What comes down for it, in a pull that brings many."""
    kept: float
    """What it adds to the server's disk once that has packed."""
    state: float
    """One checkpoint in a clone that begins: without history."""


MEASURED = Costs(ref=79, listed=79, hello=284, push=3070, pull=3000, kept=2750, state=2440)


@dataclass(frozen=True)
class Team:
    """Who shares over one remote. `cut` 0: chains are never cut."""

    writers: int
    cut: int = 0
    checkpoints: int = CHECKPOINTS
    days: int = WORKDAYS


class Outcome(NamedTuple):
    """What a team costs, in bytes; `day` is everybody's traffic on the last day."""

    advertised: float
    nothing_to_push: float
    nothing_to_pull: float
    pulled: float
    begun: float
    server: float
    day: float


def simulate(team: Team, costs: Costs = MEASURED, seed: int = 11) -> Outcome:
    """Run a team for its days."""
    chance = random.Random(seed)
    chains = [chance.randrange(team.cut) if team.cut else 0 for _ in range(team.writers)]
    pushed = cuts = 0
    for _ in range(team.days):
        pushed = cuts = 0
        for writer in range(team.writers):
            saves = _about(chance, PUSHES)
            pushed += saves
            chains[writer] += saves
            if team.cut and chains[writer] > team.cut:
                chains[writer] = 1
                cuts += 1
    refs = OTHER_REFS + team.writers
    advertised = costs.ref * refs
    listing = costs.hello + costs.listed * team.writers
    # A chain that began anew comes whole: git looks for what both have along the chain.
    renewed = cuts * team.checkpoints * costs.state
    each = [_pulled(chance, pushed, costs.pull) + renewed for _ in range(min(team.writers, 100))]
    pulled = sum(each) / len(each)
    day = pushed * (advertised + costs.push)
    day += team.writers * (PULLS * listing + pulled)
    state = team.writers * team.checkpoints * costs.state
    # `kept` counts the checkpoint too, which is part of the state while it is the newest.
    history = sum(chains) * costs.kept
    return Outcome(
        advertised=advertised,
        nothing_to_push=costs.hello + costs.listed,
        nothing_to_pull=listing,
        pulled=pulled / PULLS,
        begun=listing + state + history,
        server=state + history,
        day=day,
    )


def _about(chance: random.Random, mean: int) -> int:
    """How often something happens in a day that happens `mean` times on most days."""
    return chance.getrandbits(2 * mean).bit_count()


def _pulled(chance: random.Random, pushed: int, size: float) -> float:
    """What one reader gets in a day: all that was pushed until the last pull of it."""
    return pushed * max(chance.random() for _ in range(PULLS)) * size


def tables() -> Iterator[str]:
    """The page's tables, as Markdown."""
    yield "| writers | a push is told | push, nothing new | pull, nothing new | a pull among ten a day | all of them, a day |"
    yield "|---|---|---|---|---|---|"
    for writers in (8, 200, 2_000, 20_000):
        out = simulate(Team(writers, cut=CUT, days=5))
        told = (out.advertised, out.nothing_to_push, out.nothing_to_pull, out.pulled, out.day)
        yield _row(writers, *told)
    yield ""
    yield "| writers | server after a year, chains never cut | cut at 500 commits | first pull, never cut | cut |"
    yield "|---|---|---|---|---|"
    for writers in (8, 200, 2_000):
        whole, cut = simulate(Team(writers)), simulate(Team(writers, cut=CUT))
        yield _row(writers, whole.server, cut.server, whole.begun, cut.begun)


def _row(writers: int, *cells: float) -> str:
    return f"| {writers:,} | {' | '.join(map(size, cells))} |"


def size(count: float) -> str:
    """Two digits that a user can compare."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            value = count / factor
            return f"{value:,.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
    return f"{count:.0f} B"


def page(text: str) -> str:
    """The page with the tables in it anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n" + "\n".join(tables()) + f"\n{END}{after}"


def main() -> int:
    """Print the tables; `--write` puts them into the page, `--measure` measures git."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--measure", action="store_true", help="measure git on this machine")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    given = parser.parse_args()
    if given.measure:
        from scale_git import measure  # noqa: PLC0415 - it starts servers

        for name, value in measure()._asdict().items():
            print(f"{name:8} {value:8.0f}   here {getattr(MEASURED, name):8.0f}")
    elif given.write:
        PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8", newline="\n")
    else:
        print("\n".join(tables()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
