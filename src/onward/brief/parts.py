"""The sections of a briefing in reading order, each line with what it is worth (`brief.weights`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from onward.brief import lines
from onward.brief.changes import sentences
from onward.brief.earlier import asked, earlier, refused
from onward.brief.listing import files
from onward.brief.select import Line, Part
from onward.brief.standing import state
from onward.brief.text import code, fitted, one_line, quote, shorten, tag, unmarked
from onward.brief.tokens import characters_for
from onward.brief.trail import certain, trail
from onward.brief.weights import Ranks, Weights
from onward.model import Checkpoint, Clean, Drift, Item, order_of

NEXT, CHANGED = "## Next action", "## Changed since then"
_TRIED = "## Tried, and not to be tried again"
_ASKED = "## Asked before, newest first"
COMMAND_LIMIT = 240
_TOGETHER = 3
"""Commands in one line."""
_COUNTED = "Before that: "
"""How a checkpoint begins the line that only counts its earliest steps."""
_HEAD = 40
"""Characters by which words are known again: a next action points at the person's where they are more."""
_APPROVED = "Approved the plan: "
"""How that decision begins (`distill.findings.decisions`)."""
_MOVED_ON = 2
"""Requests after a plan that tell that the work went on to something else."""
_QUOTED = re.compile(r"“(.+?)”", re.DOTALL)


def parts(c: Checkpoint, drift: Drift[Clean] | None, budget: int, w: Weights) -> list[Part]:
    """Every section that has something to say."""
    steps = certain(c, budget, w)
    texts = [step.text for step in steps]

    def told(*words: str) -> bool:
        return any(all(part in text for part in words) for text in texts)

    leant_on, before = earlier(c, budget, steps, w)
    began = _goal(c, w) if c.requests else ()
    every = [
        _wanted(c, budget, leant_on, w),
        _next(c, budget, w),
        _drift(drift, w),
        trail(c, budget, w),
        state(c, drift, told, w),
        _tasks(c, w),
        _list("## Blockers", _blockers(c), w.blocker, "blocker"),
        Part(heading=_ASKED, lines=(*before, *began), noun="earlier request"),
        _list(_done_heading(c, told), _done(c, told), w.done, "earlier step"),
        _list("## Decided", map(lines.bullet, _decided(c)), w.decided, "decision"),
        _list(_TRIED, map(lines.bullet, c.dead_ends), w.dead_end, "dead end"),
        _list("## Put off", map(lines.bullet, c.deferred), w.put_off, "deferred point"),
        Part(heading="## Files", lines=files(_unsaid(c, told), budget, w), noun="file"),
        Part(heading="## Commands that worked", lines=_commands(c, told, w), noun="command"),
        _list("## Good to know", map(lines.bullet, c.context), w.context, "note"),
    ]
    return [part for part in every if part.lines]


def _unsaid(c: Checkpoint, told: Callable[..., bool]) -> Checkpoint:
    """The same without what the agent said of its edits where the steps tell it."""
    files = [
        replace(f, said=tuple(words for words in f.said if not told(words[:_HEAD])))
        for f in c.files
    ]
    return replace(c, files=tuple(files))


def _list(heading: str, texts: Iterable[str], ranks: Ranks, noun: str) -> Part:
    found = dict.fromkeys(texts)
    told = tuple(Line(text=text, rank=ranks.at(n)) for n, text in enumerate(found))
    return Part(heading=heading, lines=told, noun=noun)


def _decided(c: Checkpoint) -> Iterator[Item[Clean]]:
    """What was decided, the approved plan first, without what stands above as the plan or as the
    person's last words.
    """
    last = c.requests[-1] if c.requests else None
    plan = c.plan.places if c.plan else ()
    for item in sorted(c.decisions, key=lambda each: not each.text.startswith(_APPROVED)):
        if set(item.places) & set(plan):
            continue  # the plan stands above, and that it was approved
        same = last is not None and last.places[:1] == item.places[:1]
        if not (
            last and same and (item.text in last.text or (last.why and last.text in item.text))
        ):
            yield item


def _done_heading(c: Checkpoint, told: Callable[..., bool]) -> str:
    """Of what was done, the newest may stand among the steps."""
    before = any(told(item.text) for item in c.progress)
    return "## Done before those steps, newest first" if before else "## Done, newest first"


def _done(c: Checkpoint, told: Callable[..., bool]) -> list[str]:
    """What was done, newest first and once, without what the lists of files and runs and the steps
    tell.
    """
    listed = {(place, str(f.path)) for f in c.files for place in f.places}
    listed |= {(place, str(r.command)) for r in c.runs for place in r.places}
    newest = {item.text: item for item in c.progress}
    return [
        lines.bullet(item)
        for item in reversed(c.progress)
        if item is newest[item.text]
        and not (item.text.startswith(_COUNTED) or told(item.text))
        and not any(place in item.places and path in item.text for place, path in listed)
    ]


def _wanted(c: Checkpoint, budget: int, leant_on: Sequence[Line], w: Weights) -> Part:
    limit = max(160, int(budget * 1.1))
    heading = "## What the person wants now"
    if not c.requests:
        return Part(heading=heading, lines=(*_planned(c, budget, w), *_goal(c, w)), always=True)
    last = c.requests[-1]
    room = characters_for(last.text, budget * w.request_share)
    found = [asked(last, "Their last words", (room, 2 * room), w.request, w.request + w.whole)]
    if last.why and refused(last):
        found.append(Line(text=f"It was {shorten(one_line(last.why), limit // 2)}", rank=w.about))
    elif last.why:
        found.append(_about(last.why, limit // 2, w))
    every = (*found, *leant_on, *_planned(c, budget, w))
    return Part(heading=heading, lines=every, always=True)


def _about(why: Clean, limit: int, w: Weights) -> Line:
    """What the last words answer; a list with the head words of each of its lines."""
    said = [unmarked(line) for line in why.split("\n") if line.strip()]
    if len(said) < 2:
        return Line(text=f"That is about: {shorten(one_line(why), limit)}", rank=w.about)
    short, whole = (quote("\n".join(fitted(said, size))) for size in (limit, 2 * limit))
    lead = "That is about, in the agent's words:\n"
    longer = ((w.about + w.whole, lead + whole),) if whole != short else ()
    return Line(text=lead + short, rank=w.about, longer=longer)


def _goal(c: Checkpoint, w: Weights) -> tuple[Line, ...]:
    """What the session began with, unless that stands among the requests."""
    if c.goal is None or c.goal.text in {r.text for r in c.requests}:
        return ()
    began = f"The session began with: {shorten(one_line(c.goal.text), 300)}{tag(c.goal.places)}"
    return (Line(text=began, rank=w.goal),)


def _planned(c: Checkpoint, budget: int, w: Weights) -> tuple[Line, ...]:
    """The plan; of one after which other things were asked for no more than its title."""
    if c.plan is None:
        return ()
    at = max(map(order_of, c.plan.places), default=0)
    later = [r for r in c.requests if any(order_of(p) > at for p in r.places[:1])]
    if at and len(later) >= _MOVED_ON:
        head = one_line(c.plan.text.strip().partition("\n")[0])
        return (Line(text=f"{_kind(c.plan)}: {head}{tag(c.plan.places)}", rank=w.plan),)
    return (_plan_line(c.plan, budget, w),)


def _plan_line(plan: Item[Clean], budget: int, w: Weights) -> Line:
    short, whole = _plan(plan, budget // 2), _plan(plan, len(plan.text))
    longer = ((w.plan + w.whole, whole),) if whole != short else ()
    return Line(text=short, rank=w.plan, longer=longer)


def _kind(plan: Item[Clean]) -> str:
    return "Approved plan" if plan.evidence == "asked" else "Plan"


def _plan(plan: Item[Clean], room: int) -> str:
    """The plan's own lines, as many as so many characters have room for."""
    head, *rest = (line.rstrip() for line in plan.text.strip().split("\n") if line.strip())
    shown = [f"{_kind(plan)}: {one_line(head)}{tag(plan.places)}"]
    for number, line in enumerate(rest):
        room -= len(line)
        if room < 0:
            shown.append(f"+{len(rest) - number} lines of the plan")
            break
        shown.append(line)
    return "\n".join(shown)


def _next(c: Checkpoint, budget: int, w: Weights) -> Part:
    heading = NEXT
    if c.next_action is None:
        return Part(heading=heading, lines=())
    item = c.next_action
    told = _without_told(item.text.strip(), c)
    room = characters_for(told, max(50, budget * w.next_share))
    text = shorten(told, room) + tag(item.places, item.evidence)
    found = [Line(text=text, rank=w.next_action)]
    if item.why and item.why not in {task.context for task in c.tasks}:
        found.append(Line(text=f"Why: {shorten(one_line(item.why), 300)}", rank=w.next_why))
    return Part(heading=heading, lines=tuple(found), always=True)


def _without_told(text: str, c: Checkpoint) -> str:
    """A next action that points at the person's last words, which stand above it, where they are
    long.
    """
    asked = one_line(c.requests[-1].text) if c.requests else ""
    for words in _QUOTED.findall(text):
        begins = one_line(words).partition("…")[0].strip()
        if len(words) > _HEAD and begins and asked.startswith(begins):
            text = re.sub(
                rf"(?:the person's )?“{re.escape(words)}”", "their last words (above)", text
            )
    return text


def _drift(drift: Drift[Clean] | None, w: Weights) -> Part:
    # What was uncommitted and still is has not changed: it belongs to the state of the work.
    found = sentences(replace(drift, uncommitted=())) if drift else []
    return _list(CHANGED, [f"- {s}" for s in found], w.changed, "change")


def _tasks(c: Checkpoint, w: Weights) -> Part:
    """Open tasks first in worth, the list's own order in reading. What is said of every open
    task is said once.
    """
    notes = {t.context for t in c.tasks if t.status != "completed"}
    shared = notes.pop() if len(notes) == 1 and len(c.tasks) > 1 else None
    found, opened, done = [], 0, 0
    if shared:
        note = f"- {shorten(one_line(shared), 200)}"
        found.append(Line(text=note, rank=w.task_note, count=0))
    for entry in c.tasks:
        if entry.status == "completed":
            rank, done = w.done_task.at(done), done + 1
        else:
            rank, opened = w.open_task.at(opened), opened + 1
        told = replace(entry, context=None) if entry.context == shared else entry
        found.append(Line(text=lines.task(told), rank=rank))
    return Part(heading="## Tasks", lines=tuple(found), noun="task")


def _blockers(c: Checkpoint) -> list[str]:
    """What blocks, without what the next action and the failing runs say already."""
    then = c.next_action
    said = {one_line(text) for text in (then.text, then.why) if text} if then else set[str]()
    failing = {r.command for r in c.runs if r.outcome == "failed"}
    return [
        lines.bullet(b)
        for b in c.blockers
        if not any(b.text in text for text in said)
        and not any(words in text for text in said for words in _QUOTED.findall(b.text))
        and not any(f"({b.text.rpartition(': ')[2]}" in text for text in said)
        and not any(command in b.text for command in failing)
    ]


def _commands(c: Checkpoint, told: Callable[..., bool], w: Weights) -> tuple[Line, ...]:
    """Commands as they are typed, those left out that stand among the runs and the steps; a script
    that fills a screen is left to `onward show`.
    """
    runs = {_typed(r.command, r.cwd) for r in c.runs if r.outcome != "failed"}
    shown = [
        item
        for item in c.commands
        if len(item.text) <= COMMAND_LIMIT
        and _typed(item.text, None) not in runs
        and not told(code(item.text))
    ]
    groups = [shown[at : at + _TOGETHER] for at in range(0, len(shown), _TOGETHER)]
    return tuple(
        Line(
            text=f"- {'; '.join(code(i.text) + _what_for(i) for i in group)}{tag(group[0].places[:1])}",
            rank=w.command.at(n),
            count=len(group),
        )
        for n, group in enumerate(groups)
    )


def _typed(command: str, folder: str | None) -> str:
    """A command with the folder it needs, the quotes around that left out."""
    return (f"cd {folder} && " if folder else "") + command.replace('"', "")


def _what_for(item: Item[Clean]) -> str:
    """What a command is for, where that is more than its kind: `format` tells nothing of `cargo fmt`."""
    return f" — {shorten(one_line(item.why), 100)}" if item.why and " " in item.why else ""
