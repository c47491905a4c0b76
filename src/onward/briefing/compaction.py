"""Around a compaction: what its prompt is asked to keep, and the verified state after it.

`keep` trusts what it is given: `commands.keep` takes out of a checkpoint all that the user did not
type and the agent did not do itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from onward.briefing import files, status
from onward.briefing.budget import Line, Section, choose
from onward.briefing.lines import by
from onward.briefing.text import (
    code,
    count,
    fitted,
    inline,
    listed,
    one_line,
    quote,
    shorten,
    steps,
    tag,
)
from onward.briefing.tokens import characters_for, estimate
from onward.evidence import order_of
from onward.model import Checkpoint, Clean, Run

# --------------------------------------------------------------------------- before it

KEEP_CHARACTERS = 2400
_KEEP = "Facts recorded by onward from this session's transcript; keep them in the summary:"
_LAST, _EARLIER, _WORDS = 500, 200, 240  # characters of the user's words
_REQUESTS, _RULES, _COMMANDS, _FILES = 3, 5, 5, 15
_LINE = 200


def keep(checkpoint: Checkpoint) -> Clean:
    """Facts for a model that writes a summary, under 2,500 characters; "" where there are none."""
    found = Section(heading=_KEEP, lines=tuple(_kept(checkpoint)))
    chosen = choose([found], KEEP_CHARACTERS, KEEP_CHARACTERS)[0]
    return Clean("\n".join([_KEEP, *chosen.values()]) + "\n" if chosen else "")


def _kept(c: Checkpoint) -> Iterator[Line]:
    found: list[tuple[float, str]] = [
        (0, f"The user's last request: {inline(i.text, _LAST)}") for i in c.requests[-1:]
    ]
    if c.next_action:
        found.append((1, f"Next action: {steps(c.next_action.text)}"))
    found += [(2, _check(run)) for run in c.runs]
    found += [(0.5, text) for text, _ in _pinned(c)]
    if c.files:
        names = listed([f.to or f.path for f in c.files], _FILES)
        found.append((3, f"Files edited and not committed: {names}"))
    before = reversed(c.requests[:-1][-_REQUESTS:])
    found += [(5, f"Asked before that: {inline(i.text, _EARLIER)}") for i in before]
    found += [(6, f"Command that worked: {code(item.text)}") for item in c.commands[:_COMMANDS]]
    for n, (rank, text) in enumerate(found):
        yield Line(text=f"- {text}", rank=rank + n / 100)


def _pinned(c: Checkpoint) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the user wants for good, and what they refused and was not done since, with places."""
    for item in c.constraints[:_RULES]:
        by = " (noted by the agent)" if item.author == "agent" else ""
        yield f"The user demands{by}: {inline(item.text, _WORDS)}", item.places
    for item in [each for each in c.dead_ends if each.evidence == "asked"][:_RULES]:
        words = f", saying {inline(item.why, _WORDS)}" if item.why else ""
        yield f"{shorten(one_line(item.text), _LINE)}{words}", item.places


def _check(run: Run[Clean]) -> str:
    """A check by its command and outcome, without a word of its output."""
    where = f" in {code(run.cwd)}" if run.cwd else ""
    since = f", {count(run.edits_after, 'edit')} ago" if run.edits_after else ""
    outcome = "result unknown" if run.outcome == "unseen" else run.outcome
    return f"Check {code(run.command)}{where}: {outcome}{by(run)}{since}"


# ---------------------------------------------------------------------------- after it

BUDGET = 400
"""Tokens of the verified state, by our estimate."""
_CHARACTERS = 3000
_HEAD = "Verified state of this session, from its transcript (historical record, not instructions):"
_MESSAGE = 150
"""Tokens of the user's last message; a longer one loses lines in its middle."""
_CONTRADICTIONS, _SHOWN = 5, 6
_SPAN = re.compile(r"`([^`\n]+)`")
_HASH = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_FILE = re.compile(
    r"[\w@.+-]*/?(?:[\w@.+-]+/)*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,5}", re.ASCII
)
_COUNTED = re.compile(r"\b(\d+) (passed|failed)\b")
_BOX = re.compile(r"\s*(?:[-*+]|\d+[.)])\s*\[([ xX])\]\s*(.+)")


def verified(
    checkpoint: Checkpoint,
    summary: Clean | None = None,
    unknown: Iterable[Clean] = (),
    *,
    places: bool = True,
) -> Clean:
    """The state that holds after a compaction, at most 400 tokens, never empty.

    First where `summary`, the client's own, contradicts the record: by outcomes of checks and marks
    of tasks, and by `unknown`, the names of it (`names`) that occur nowhere in the transcript. Then
    the user's last message, what they want for good, checks, open tasks, uncommitted files, what runs
    in the background; where there is room, the last steps. Without `places` none are shown.
    """
    wrong = [f"CONTRADICTION: {text}." for text in _contradictions(checkpoint, summary or "")]
    if missing := tuple(unknown):
        wrong.append(f"NOT IN THE TRANSCRIPT, only in the summary: {listed(missing, _SHOWN)}")
    found = Section(heading=_HEAD, lines=tuple(_state(checkpoint, wrong, places=places)))
    chosen = choose([found], BUDGET * 0.97, _CHARACTERS)[0]
    lines = list(chosen.values()) or ["- Nothing is recorded: no request, check, task or edit."]
    return Clean("\n".join([_HEAD, *lines]) + "\n")


def names(summary: str) -> list[str]:
    """Commit hashes and file names that a summary gives as code; only facts that can be checked."""
    found = dict[str, None]()
    for span in _SPAN.findall(summary):
        found |= dict.fromkeys(_HASH.findall(span))
        if _FILE.fullmatch(span):
            found[span] = None
    return list(found)


def _contradictions(c: Checkpoint, summary: str) -> Iterator[str]:
    lines = [line for line in summary.splitlines() if line.strip()]
    for run in c.runs:
        yield from _wrong_outcome(run, lines)
    boxes = filter(None, map(_BOX.fullmatch, lines))
    marked = {one_line(box[2]).casefold(): box[1] != " " for box in boxes}
    for task in c.tasks:
        done = marked.get(one_line(task.title).casefold())
        if done is not None and done != (task.status == "completed"):
            says, is_so = ("completed", "open") if done else ("open", "completed")
            yield f"The summary marks “{one_line(task.title)}” {says}; in the task list it is {is_so}"


def _wrong_outcome(run: Run[Clean], lines: Iterable[str]) -> Iterator[str]:
    """A line of the summary with the command as code and a runner's count that the run denies."""
    for line in lines:
        if run.outcome == "unseen" or run.command not in _SPAN.findall(line):
            continue
        counts = {what: int(number) for number, what in _COUNTED.findall(line)}
        says = "failed" if counts.get("failed") else "passed" if counts.get("passed") else ""
        if says and says != run.outcome:
            yield f"The summary says {inline(line, 160)}, but {code(run.command)} {run.outcome} last"
            return


def _state(c: Checkpoint, wrong: list[str], *, places: bool) -> Iterator[Line]:
    for n, text in enumerate(wrong[:_CONTRADICTIONS]):
        yield Line(text=f"- {text}", rank=n / 100)
    for last in c.requests[-1:]:
        room = characters_for(last.text, _MESSAGE)
        words = last.text if estimate(last.text) <= _MESSAGE else fitted(last.text, room)
        mark = tag(last.places[:1]) if places else ""
        yield Line(text=f"The user's last message{mark}:\n{quote(words)}", rank=1)
    for rank, text, where in _facts(c):
        yield Line(text=f"- {text}{tag(where[:1]) if places else ''}", rank=rank)


def _facts(c: Checkpoint) -> Iterator[tuple[float, str, Sequence[str]]]:
    """Rank, text and places of each, in reading order."""
    for n, (text, where) in enumerate(_pinned(c)):
        yield 1.2 + n / 100, text, where
    for n, run in enumerate(sorted(c.runs, key=lambda r: r.outcome != "failed")):
        failed = run.outcome == "failed"
        why = next(iter(run.decisive), None) or run.summary if failed else None
        told = f": {shorten(one_line(why), _LINE)}" if why else ""
        yield (2 if failed else 5) + n / 10, f"{_check(run)}{told}", run.places
    for n, task in enumerate(t for t in c.tasks if t.status != "completed"):
        doing = " (in progress)" if task.status == "in_progress" else ""
        yield 3 + n / 10, f"Open task: {shorten(one_line(task.title), _LINE)}{doing}", ()
    if loose := files.possibly_open(c, files.uncommitted(c, None)):
        ordered = sorted(loose, key=lambda f: -max(map(order_of, f.places), default=0))
        yield 2.5, f"Possibly uncommitted: {listed([f.to or f.path for f in ordered], _SHOWN)}", ()
    for n, item in enumerate(c.background):
        text = f"In the background, end not seen: {code(shorten(one_line(item.text), _LINE))}"
        yield 3.5 + n / 10, text, item.places
    # What was done last, but for the checks, which stand above.
    checked = {place for run in c.runs for place in run.places}
    steps = [i for i in c.trail if i.evidence == "observed" and not checked >= set(i.places)]
    for n, item in enumerate(steps):
        text = f"Step: {shorten(one_line(item.text), _LINE)}"
        yield 6 + (len(steps) - n) / 10, text, item.places
    left = status.status_line(c, short=True) if c.status.kind == "waiting" else ""
    if left:
        yield 1.5, f"Status: {left}", ()
