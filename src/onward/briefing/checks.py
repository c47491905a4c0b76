"""Checks, each with how it ended, and what was tried and failed."""

from __future__ import annotations

from collections.abc import Iterator

from onward import paths
from onward.briefing import status
from onward.briefing.budget import Line
from onward.briefing.lines import RANKS, TEXT, WHY, bullet, by, own
from onward.briefing.text import code, count, inline, one_line, shorten, tag
from onward.model import Checkpoint, Clean, Failure, Run

_COMMAND = 300
_REPEATED, _CHANGED, _ERROR, _FEW, _LATER = 3, 3, 120, 2, 1.5
"""Series of failures, changes of each, characters of an error; few failures, and their later rank."""
_SUMMARY = 80
"""Characters of a summary beside a check that passed; a longer one is not told."""
_PINNED = 3
"""Refusals with words that are bought before most else."""
_KNOWN = {
    "time-limit": "stopped by its time limit",
    "interrupted": "interrupted",
    "not-started": "could not start",
}
_TOGETHER = 3
"""Checks that ended alike, in a line."""


def checks(c: Checkpoint) -> Iterator[Line]:
    """Failures each with its decisive lines, then what passed, then what is unknown; newest first."""
    edited = (f for f in c.files if f.added or f.removed)
    if not c.runs and not c.failures and not all(paths.prose(f.to or f.path) for f in edited):
        told = "- No run of a test, build, lint or type check was recognised in this session"
        yield Line(text=told, rank=RANKS["passed"].at(0), count=0)
    for n, run in enumerate(r for r in c.runs if r.outcome == "failed"):
        of_it = (f for f in c.failures if (f.command, f.cwd) == (run.command, run.cwd))
        lines = [_failure(run), *(_series(each, run) for each in of_it)]
        yield Line(text="\n  -".join(lines), rank=RANKS["failed"].at(n))
    yield from _grouped("passed", [r for r in c.runs if r.outcome == "passed"], "passed")
    unseen = [run for run in c.runs if run.outcome == "unseen"]
    # One of which it is known why it did not end says more.
    yield from _grouped(
        "result unknown", [run for run in unseen if run.summary or run.known], "cut off"
    )
    yield from _grouped(
        "result unknown", [run for run in unseen if not (run.summary or run.known)], "unseen"
    )


def _failure(run: Run[Clean]) -> str:
    summary = f": {shorten(one_line(run.summary), 160)}" if run.summary else ""
    head = f"- {_what(run)}{where(run.cwd)} FAILED{summary}{_since(run)}{tag(run.places[:1])}"
    decisive = [line for line in run.decisive if line != run.summary][:4]
    return "\n".join([head, *(f"  - {shorten(one_line(line), 200)}" for line in decisive)])


def _series(failure: Failure[Clean], run: Run[Clean] | None = None) -> str:
    """How often a command failed, how that ended, what was changed, and its errors but for those of
    the last run.
    """
    worked, told = failure.outcome == "passed", {run.summary, *run.decisive} if run else set()
    ended = f", then worked{tag(failure.places[2:])}" if worked else ", not seen to work since"
    changed = [*map(code, failure.changed[:_CHANGED])]
    changed += [f"{len(failure.changed) - _CHANGED} more"] * (len(failure.changed) > _CHANGED)
    errors = [shorten(one_line(line), _ERROR) for line in failure.lines if line not in told]
    edits = f"; changed {'before that' if worked else 'in between'}: {', '.join(changed)}"
    said = f"; errors: {'; '.join(errors)}" if errors else ""
    times = f"{failure.times} times{', with different variables' * failure.varied}"
    at = tag(failure.places[:2])
    return f" failed {times}{at}{ended}{edits if changed else ''}{said}"


def _grouped(ended: str, runs: list[Run[Clean]], kind: str) -> Iterator[Line]:
    """Checks of one folder that ended alike, a few in a line, each with its place."""
    number = 0
    for folder in dict.fromkeys(run.cwd for run in runs):
        mine = [run for run in runs if run.cwd == folder]
        for start in range(0, len(mine), _TOGETHER):
            group = mine[start : start + _TOGETHER]
            told = "; ".join(_counted(run, ended) for run in group)
            text = f"- In {code(folder)}: {told}" if folder else f"- {told}"
            yield Line(text=text, rank=RANKS[kind].at(number), count=len(group))
            number += 1


def _counted(run: Run[Clean], ended: str) -> str:
    summary = one_line(run.summary or "") if run.kind == "test" or ended != "passed" else ""
    told = f" ({summary})" if 0 < len(summary) <= _SUMMARY else ""
    if run.outcome == "unseen":
        why = shorten(summary, _ERROR)
        how = _KNOWN.get(run.known, "")
        ended, told = ": ".join(filter(None, [how, why])) or ended, ""
        if run.known == "failed-before":
            ended = (
                f"failed earlier{f' ({why})' if why else ''}, run again since with unknown result"
            )
    elif run.known == "status":
        told = " (exit status 0)"
    again = run.outcome == "passed" and run.places[1:]
    unknown = f", run again since, result unknown{tag(again[:1])}" if again else ""
    return f"{_what(run)}: {ended}{told}{_since(run)}{tag(run.places[:1])}{unknown}"


def _what(run: Run[Clean]) -> str:
    return f"{'hooks of ' if run.kind == 'other' else ''}{code(run.command)}"


def _since(run: Run[Clean]) -> str:
    # An edit of a document undoes no pass: it is not counted there.
    noun = "edit" if run.outcome == "failed" else "code edit"
    since = f", {count(run.edits_after, noun)} since" if run.edits_after else ""
    return by(run) + since


def where(folder: str | None) -> str:
    """` in `web``, "" for the session's own folder."""
    return f" in {code(folder)}" if folder else ""


def failed(c: Checkpoint) -> Iterator[Line]:
    """What failed again and again and is not among the checks, then dead ends."""
    failing = {(run.command, run.cwd) for run in c.runs if run.outcome == "failed"}
    repeated = [f for f in c.failures if (f.command, f.cwd) not in failing]
    for n, failure in enumerate(repeated[:_REPEATED]):
        # What was tried before it worked is as good to know later on.
        worked = failure.outcome == "passed"
        late = worked or status.is_late(failure.places, c)
        rank = RANKS["failure" if late else "old failure"].at(n)
        rank += _LATER if worked and failure.times <= _FEW else 0
        what = f"- {code(shorten(failure.command, _COMMAND))}{where(failure.cwd)}"
        yield Line(text=what + _series(failure), rank=rank)
    for n, item in enumerate(own(c.dead_ends)):
        if item.evidence == "asked" and item.why:
            # What the user refused with words, and the agent did not do since, holds on.
            said = "; then they wrote" if item.places[1:] else ", saying"
            told = f"- {shorten(one_line(item.text), TEXT)}{said} {inline(item.why, WHY)}"
            told += tag(item.places, item.evidence)
            kind = "constraint" if n < _PINNED else "dead end"
            # The same refusal stands among the decisions.
            same = frozenset(item.places[:1])
            yield Line(text=told, rank=RANKS[kind].at(n), facts=same)
        else:
            yield Line(text=bullet(item), rank=RANKS["dead end"].at(n))
