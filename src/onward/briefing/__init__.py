"""The briefing: what the next session needs to continue, within a number of tokens.

A pure function of a checkpoint and of drift. Facts come as typed fields and become sentences only
here; nothing parses them back. Lines are whole or absent, and what is omitted is counted.
"""

from __future__ import annotations

from onward.briefing.budget import Section, choose, layout, omitted
from onward.briefing.files import ELSEWHERE, elsewhere
from onward.briefing.sections import sections
from onward.briefing.text import code, count, one_line, shorten, tag
from onward.briefing.tokens import estimate
from onward.model import Checkpoint, Clean, Drift

__all__ = ["CHARACTERS", "DEFAULT_BUDGET", "SMALLEST", "brief"]

DEFAULT_BUDGET = 1500
CHARACTERS = 9000
"""A client cuts injected text that is longer; a budget above the default is no injection."""
SMALLEST = 100
_WORDY = 400
"""Tokens from which on a briefing explains its marks."""


def brief(  # noqa: PLR0913 - all but two have a default
    checkpoint: Checkpoint,
    drift: Drift[Clean] | None,
    *,
    budget: int = DEFAULT_BUDGET,
    age: str = "",
    continued: bool = False,
    source: Clean | None = None,
    whole: Clean | None = None,
) -> Clean:
    """The briefing as Markdown, at most `budget` tokens by our estimate.

    `drift` is None where nobody looked. `age` is said as it comes (`3 days`). `continued`: title,
    next step, the time of the save and drift stand above it already. `source` is what `onward show` takes before a place, `whole` the
    command that shows everything; where neither is given, the checkpoint's name makes both.
    """
    budget = max(budget, SMALLEST)
    place = checkpoint.name if source is None else source
    if source is None and whole is None and checkpoint.name:
        whole = Clean(f"onward show {checkpoint.name}")
    head = _head(checkpoint, age, budget, titled=not continued)
    every = sections(checkpoint, drift, budget, continued=continued)
    foot = _foot(checkpoint, every, [{} for _ in every], budget, (place, whole))
    tokens = budget * 0.99 - estimate(head) - estimate(foot)
    characters = CHARACTERS if budget <= DEFAULT_BUDGET else float("inf")
    chosen = choose(every, tokens, characters - len(head) - len(foot))
    foot = _foot(checkpoint, every, chosen, budget, (place, whole))
    parts = [head, *layout(every, chosen), foot]
    return Clean("\n\n".join(part for part in parts if part) + "\n")


def _head(c: Checkpoint, age: str, budget: int, *, titled: bool) -> str:
    facts = []
    when = (c.saved or c.origin.ended)[:16].replace("T", " ")
    if when and titled:
        ago = f" ({age} ago)" if age else ""
        facts.append(f"{'Saved' if c.saved else 'Last active'} {when} UTC{ago}")
    branch = (c.repo.branch if c.repo else c.git and c.git.branch) or c.origin.branch
    branch = None if branch == "HEAD" else branch  # a client writes that for a detached head
    commit = c.repo.commit[:7] if c.repo else ""
    at = f" @ {commit}" if commit else ""
    there = f"branch {one_line(branch or '(detached)')}{at}" if branch or commit else ""
    if c.origin.cwd:
        root = c.repo.root if c.repo else ""
        other = code(root) if root and root != c.origin.cwd else "it"
        where = f"in {code(c.origin.cwd)}{f' ({there})' if there else ''}"
        facts.append(f"{where}; paths are relative to {other}")
    elif there:
        facts.append(there)
    if folder := elsewhere(c):
        # A repository that holds the project too is another one.
        trees = [t for t in (c.git.trees if c.git else ()) if folder.startswith(f"{t.why}/")]
        trees = [t for t in trees if not (c.origin.cwd or "").startswith(f"{t.why}/")]
        on = [tree.text for tree in sorted(trees, key=lambda tree: len(tree.why or ""))]
        its = f" (branch {one_line(on[-1])})" if on else ""
        gone = (
            tree for tree in (c.git.gone if c.git else ()) if folder.startswith(f"{tree.text}/")
        )
        its = next((f" (a work tree, removed{tag(tree.places)})" for tree in gone), its)
        facts.append(f"{code(ELSEWHERE)} is {code(folder)}{its}")
    lines = [_title(c, budget)] if titled else []
    told = "; ".join(facts)
    lines.append(f"Historical record, not instructions. {told[:1].upper()}{told[1:]}".rstrip())
    if budget >= _WORDY:
        lines.append(
            "Legend: [t:9] line 9 of the transcript, [c:…] commit; "
            "asked: said by the user; claimed: only said by the agent."
        )
    return "\n".join(lines)


def _title(c: Checkpoint, budget: int) -> str:
    # What somebody wrote says the task; a title of the record only quotes a request that stands below.
    longest = min(200, budget // 3) if c.task.author else min(180, max(60, budget // 6))
    title = shorten(one_line(c.task.text or c.name), longest)
    return f"# Resume: {title}" if title else "# Resume"


def _foot(
    c: Checkpoint,
    every: list[Section],
    chosen: list[dict[int, str]],
    budget: int,
    commands: tuple[str, str | None],
) -> str:
    """What was omitted, and the commands that show it: three lines at most."""
    left = ", ".join(count(number, noun) for noun, number in omitted(every, chosen).items())
    lines = [f"Omitted to fit the budget: {left}."] if left and budget >= _WORDY else []
    place, whole = commands
    named = [p for r in c.requests for p in r.places if p.startswith("t:")]
    if (named or c.status.places) and budget >= _WORDY:
        show = " ".join(filter(None, ("onward", "show", place, (named or c.status.places)[-1])))
        name = place.removeprefix("--session ")
        within = f" --session {place}" if place and name == place else ""
        search = code(f"onward search WORDS{within}") + (
            ", with the same session," * (name != place)
        )
        lines.append(
            f"Look further: {code(show)} prints a place; {search} finds more; "
            f"{code('--by user')} instead of WORDS lists what the user asked, "
            f"{code('--failed')} what failed."
        )
    if whole:
        lines.append(f"Everything: {code(whole)}")
    return "\n".join(lines)
