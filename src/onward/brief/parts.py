"""The sections of a briefing in reading order, and what each of their lines is worth.

The lowest rank is bought first. A section's `base` says how early its first line is
wanted, its `step` how quickly further lines lose worth: steep where the first says nearly
all (the last commands), flat where each says as much as the one before (open tasks).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from onward.brief import lines
from onward.brief.changes import sentences
from onward.brief.listing import files
from onward.brief.select import Line, Part
from onward.brief.text import code, one_line, shorten, tag
from onward.brief.tokens import characters_for
from onward.model import Checkpoint, Clean, Drift, Item

NEXT, CHANGED = "## Next action", "## Changed since then"
REQUEST_SHARE = 0.28  # of the budget's tokens, for the last request
NEXT_SHARE = 0.2
CLOSING_LIMIT = 500
COMMAND_LIMIT = 240

_APART = ("~", "/", ".env")  # not of the project, or never committed


def parts(c: Checkpoint, drift: Drift[Clean] | None, budget: int) -> list[Part]:
    """Every section that has something to say."""
    every = [
        _wanted(c, budget),
        _next(c, budget),
        _drift(drift),
        _state(c, drift),
        _tasks(c),
        _list("## Blockers", _blockers(c), base=4.5, step=2, noun="blocker"),
        _list("## Done", _done(c), base=6, step=2, noun="earlier step"),
        _list("## Decided", map(lines.bullet, c.decisions), base=7, step=2.2, noun="decision"),
        _list(
            "## Tried, and not to be tried again",
            map(lines.bullet, c.dead_ends),
            base=9,
            step=3,
            noun="dead end",
        ),
        _list("## Put off", map(lines.bullet, c.deferred), base=17, step=3, noun="point put off"),
        Part(heading="## Files", lines=files(c), noun="file"),
        _list("## Commands that worked", _commands(c), base=7, step=1.2, noun="command"),
        _list("## Good to know", map(lines.bullet, c.context), base=15, step=2.5, noun="note"),
    ]
    return [part for part in every if part.lines]


def _list(heading: str, texts: Iterable[str], *, base: float, step: float, noun: str) -> Part:
    found = dict.fromkeys(texts)
    return Part(
        heading=heading,
        lines=tuple(Line(text=t, rank=base + step * n) for n, t in enumerate(found)),
        noun=noun,
    )


def _done(c: Checkpoint) -> list[str]:
    """What was done, newest first, without what the lists of files and runs tell."""
    listed = {(place, str(f.path)) for f in c.files for place in f.places}
    listed |= {(place, str(r.command)) for r in c.runs for place in r.places}
    return [
        lines.bullet(item)
        for item in reversed(c.progress)
        if not any(place in item.places and path in item.text for place, path in listed)
    ]


def _wanted(c: Checkpoint, budget: int) -> Part:
    limit = max(160, int(budget * 1.1))
    heading = "## What the person wants now"
    if not c.requests:
        return Part(heading=heading, lines=_goal(c, budget), always=True)
    *earlier, last = c.requests
    room = characters_for(last.text, budget * REQUEST_SHARE)
    found = [Line(text=lines.quoted(last, room, "Their last words"), rank=0)]
    if last.why:
        answer = shorten(one_line(last.why), limit // 2)
        found.append(Line(text=f"That is about: {answer}", rank=0.8))
    for n, item in enumerate(reversed(earlier)):
        found.append(Line(text=lines.quoted(item, limit // 2, "Before that"), rank=5 + 4 * n))
    return Part(
        heading=heading, lines=(*found, *_goal(c, budget)), noun="earlier request", always=True
    )


def _goal(c: Checkpoint, budget: int) -> tuple[Line, ...]:
    plan = [Line(text=_plan(c.plan, budget), rank=4)] if c.plan else []
    if c.goal is None or c.goal.text in {r.text for r in c.requests}:
        return tuple(plan)
    began = f"The goal, as they put it: {shorten(one_line(c.goal.text), 300)}{tag(c.goal.places)}"
    return (Line(text=began, rank=11), *plan)


def _plan(plan: Item[Clean], budget: int) -> str:
    """The plan's own lines, as many as half the budget has characters for."""
    head, *rest = (line.rstrip() for line in plan.text.strip().split("\n") if line.strip())
    shown, room = [f"Plan: {one_line(head)}{tag(plan.places)}"], budget // 2
    for number, line in enumerate(rest):
        room -= len(line)
        if room < 0:
            shown.append(f"+{len(rest) - number} lines of the plan")
            break
        shown.append(line)
    return "\n".join(shown)


def _next(c: Checkpoint, budget: int) -> Part:
    heading = NEXT
    if c.next_action is None:
        return Part(heading=heading, lines=())
    item = c.next_action
    room = characters_for(item.text, max(50, budget * NEXT_SHARE))
    text = shorten(item.text.strip(), room) + tag(item.places, item.evidence)
    why = (Line(text=f"Why: {shorten(one_line(item.why), 300)}", rank=2.5),) if item.why else ()
    return Part(heading=heading, lines=(Line(text=text, rank=0.1), *why), always=True)


def _drift(drift: Drift[Clean] | None) -> Part:
    # What was uncommitted and still is has not changed: it belongs to the state of the work.
    found = sentences(replace(drift, uncommitted=())) if drift else []
    return _list(CHANGED, [f"- {s}" for s in found], base=1, step=0.5, noun="change")


def _state(c: Checkpoint, drift: Drift[Clean] | None) -> Part:
    found = [
        Line(
            text=lines.run(r),
            rank=(2 if r.outcome == "failed" else 4 if r.outcome == "passed" else 12) + n,
        )
        for n, r in enumerate(c.runs)
    ]
    open_files = _uncommitted(c, drift)
    if open_files:
        found.append(Line(text=open_files, rank=3))
    if c.closing:
        said = shorten(one_line(c.closing.text), CLOSING_LIMIT)
        when = ", before what is wanted now" if _older(c.closing, c.requests) else ""
        text = f"- The agent's last words{when}: {said}{tag(c.closing.places, 'claimed')}"
        found.append(Line(text=text, rank=6))
    return Part(heading="## State of the work", lines=tuple(found), noun="earlier run")


def _uncommitted(c: Checkpoint, drift: Drift[Clean] | None) -> str:
    """What git says now, else what it said at the save, else what the transcript shows."""
    if drift is not None and c.repo is not None:
        names, lead = list(drift.uncommitted), "Still uncommitted"
    elif c.repo is not None:
        names, lead = list(c.repo.dirty), "Uncommitted when saved"
    else:
        edited = [f for f in c.files if f.change not in {"read", "named"} and not f.commit]
        names = [f.path for f in edited if not f.path.startswith(_APART)]
        lead = "No commit was seen after the last edit of"
    if not names:
        return ""
    more = len(names) - 6
    return f"- {lead}: {', '.join(code(n) for n in names[:6])}" + (
        f" and {more} more" if more > 0 else ""
    )


def _older(closing: Item[Clean], requests: tuple[Item[Clean], ...]) -> bool:
    """Whether the agent said it before the person's last words in the same transcript."""
    places = (*closing.places[:1], *(requests[-1].places[:1] if requests else ()))
    at = [int(p[2:]) for p in places if p.startswith("t:") and p[2:].isdecimal()]
    return len(at) == 2 and at[0] < at[1]


def _tasks(c: Checkpoint) -> Part:
    """Open tasks first in worth, the list's own order in reading. What is said of every open
    task is said once.
    """
    notes = {t.context for t in c.tasks if t.status != "completed"}
    shared = notes.pop() if len(notes) == 1 and len(c.tasks) > 1 else None
    found, opened, done = [], 0, 0
    if shared:
        note = f"- Of the open ones: {shorten(one_line(shared), 200)}"
        found.append(Line(text=note, rank=4, count=0))
    for entry in c.tasks:
        if entry.status == "completed":
            rank, done = 25.0 + done, done + 1
        else:
            rank, opened = 3.5 + 0.6 * opened, opened + 1
        told = replace(entry, context=None) if entry.context == shared else entry
        found.append(Line(text=lines.task(told), rank=rank))
    return Part(heading="## Tasks", lines=tuple(found), noun="task")


def _blockers(c: Checkpoint) -> list[str]:
    """What blocks, without what the next action and the failing runs say already."""
    said = {c.next_action.text} if c.next_action else set()
    failing = {r.command for r in c.runs if r.outcome == "failed"}
    return [
        lines.bullet(b)
        for b in c.blockers
        if b.text not in said and not any(command in b.text for command in failing)
    ]


def _commands(c: Checkpoint) -> list[str]:
    """Commands as they are typed; a script that fills a screen is left to `onward show`."""
    return [
        f"- {code(item.text)}{_what_for(item)}{tag(item.places[:1])}"
        for item in c.commands
        if len(item.text) <= COMMAND_LIMIT
    ]


def _what_for(item: Item[Clean]) -> str:
    return f" — {shorten(one_line(item.why), 100)}" if item.why else ""
