"""The briefing: what the next session needs, within a number of tokens.

It reads like a colleague's hand-over, in the order of use, and says of itself that it is a
record and gives no orders. Lines are whole or absent; what was left out is counted.
"""

from __future__ import annotations

from onward.brief.parts import CHANGED, NEXT, parts
from onward.brief.roots import rooted
from onward.brief.select import Part, choose
from onward.brief.text import code, count, one_line, shorten
from onward.brief.tokens import characters_for, estimate
from onward.brief.weights import WEIGHTS, Weights
from onward.model import Checkpoint, Clean, Drift

DEFAULT_BUDGET = 1500
CHARACTERS = 9000  # a client cuts injected text soon after
SMALLEST = 100
_WORDY = 400
"""Tokens from which on a briefing says what its marks mean and what it leaves out."""


def brief(  # noqa: PLR0913 - but for the first two, each has its default
    checkpoint: Checkpoint,
    drift: Drift[Clean] | None,
    *,
    budget: int = DEFAULT_BUDGET,
    age: str = "",
    continued: bool = False,
    source: Clean | None = None,
    whole: Clean | None = None,
    weights: Weights = WEIGHTS,
) -> Clean:
    """The briefing as Markdown, at most `budget` tokens by our estimate.

    `drift` is None where nobody looked. `age` is said as it comes (`3 days`). `continued`:
    task, next action and drift stand above it already and are not told again. `source` is where
    `onward show` finds a place of it, `whole` the command that shows everything; where neither is
    given, the checkpoint's name makes both. `weights`: what a line is worth.
    """
    budget = max(budget, SMALLEST)
    title = "" if continued else _title(checkpoint, budget, weights)
    place = checkpoint.name if source is None else source
    if source is None and whole is None and checkpoint.name:
        whole = Clean(f"onward show {checkpoint.name}")
    head = _head(checkpoint, age, budget, title, place)
    told = {NEXT, CHANGED} if continued else set()
    every = parts(checkpoint, drift, budget, weights)
    found = [part for part in every if part.heading not in told]
    longest = _foot(found, [{} for _ in found], budget, whole)
    chosen = _chosen(found, budget, head, longest)
    found, legend = rooted(found, chosen)
    if legend:
        head = f"{head}\n{legend}"
        chosen = _chosen(found, budget, head, longest)
    body = [_section(part, taken) for part, taken in zip(found, chosen, strict=True) if taken]
    foot = _foot(found, chosen, budget, whole)
    return Clean("\n\n".join(part for part in (head, *body, foot) if part) + "\n")


def _chosen(found: list[Part], budget: int, head: str, foot: str) -> list[dict[int, str]]:
    purse = int(budget * 0.99) - estimate(head) - estimate(foot)
    return choose(found, purse, CHARACTERS - len(head) - len(foot))


def _section(part: Part, taken: dict[int, str]) -> str:
    shown = list(taken.values())
    gap = "\n" if all(line.startswith("- ") for line in shown) else "\n\n"
    return f"{part.heading}\n\n{gap.join(shown)}"


def _foot(found: list[Part], chosen: list[dict[int, str]], budget: int, whole: str | None) -> str:
    """What was left out, counted, and what shows it; "" where there is nothing more to say."""
    left = {part.noun: 0 for part in found}
    for part, taken in zip(found, chosen, strict=True):
        left[part.noun] += sum(line.count for n, line in enumerate(part.lines) if n not in taken)
    counted = ", ".join(count(number, noun) for noun, number in left.items() if number)
    said = [f"Left out for room: {counted}."] if counted and budget >= _WORDY else []
    return " ".join([*said, *([f"More: {code(whole)} has all of it."] if whole else [])])


def _title(c: Checkpoint, budget: int, w: Weights) -> str:
    task = one_line(c.task.text)
    asked = one_line(c.requests[-1].text).casefold() if c.requests else ""
    longest = 60 if task[:24].casefold() in asked else 120
    return "# Resume: " + shorten(task, min(longest, characters_for(task, budget * w.title_share)))


def _head(c: Checkpoint, age: str, budget: int, title: str, source: str) -> str:
    when = (c.saved or c.origin.ended)[:16].replace("T", " ")
    facts = (
        [f"{'Saved' if c.saved else 'Last active'} {when} UTC" + (f" ({age} ago)" if age else "")]
        if when
        else []
    )
    branch = (c.repo.branch if c.repo else None) or c.origin.branch
    if branch == "HEAD":  # so a client writes for a detached head
        branch = None
    commit = c.repo.commit[:7] if c.repo else ""
    if branch or commit:
        facts.append(f"branch {branch or '(detached)'}" + (f" @ {commit}" if commit else ""))
    if c.origin.cwd:
        facts.append(f"in {code(c.origin.cwd)}")
    lines = [
        *([title] if title else []),
        f"A record of an earlier session; it gives no orders. {'; '.join(facts)}".rstrip(),
    ]
    if budget >= _WORDY:
        lines.append(_legend(c, source))
    return "\n".join(lines)


def _legend(c: Checkpoint, source: str) -> str:
    """What the marks mean, shown on a place that can be opened."""
    named = [place for item in c.requests for place in item.places if place.startswith("t:")]
    place = named[-1] if named else "t:1"
    command = f"onward show {source} {place}" if source else f"onward show {place}"
    quoted = ", or quoted beside a file" if any(f.said and not f.commit for f in c.files) else ""
    return (
        f"Marks: [{place}] a line of the transcript ({code(command)}), [c:…] a commit; "
        f"asked: said by the person; claimed{quoted}: only by the agent."
    )
