"""Distil: a session that took up a saved place goes on with the thread of that place.

The client begins a transcript of its own for it, so that what was open before stands in
neither alone. `part` says what of either stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import asdict, replace

from onward.distill import holds
from onward.distill.said.cues import is_assent, is_correction, is_courtesy, is_pick, is_substantial
from onward.distill.said.manner import asks_back, is_remark
from onward.distill.text import one_line
from onward.model import Draft, Item, Task

_PROGRESS = 4
"""Of what was done before, the newest: the rest stands where it was saved."""
_ITEMS, _RUNS, _FILES = 20, 10, 40
"""Entries of a section that come along, the most important ones."""
_OURS = re.compile(r"Ready to continue\?")
"""Our question, as we print it and the agent says it again."""
_UNANSWERED = re.compile(r"; never answered: “[^”]*Ready to continue\?[^”]*”")
_ASKS_ON = re.compile(r"Ask the person (?:what comes next|whether this is settled)\b")
_AGREED = re.compile(r"Do what was agreed to with\b|Go on with what was asked, begun\b")
"""Next actions that speak of an assent: there is more in what it was given to."""
_BEFORE, _RESUMED = "Next before the resume: ", "Resumed "


def part(draft: Draft, before: Draft) -> tuple[Draft, Draft]:
    """The session's own draft without what only speaks of the resume, and of the place that it
    took up what still holds; the second one fills the first (`session_state.carry`).

    Places in the transcript of before go: they would point into another one.
    """
    own = has_work_of_its_own(draft)
    new, old = _without_resume(draft, own=own), _without_places(before)
    tasks = tuple(holds.open_tasks(old.tasks, new))[:_ITEMS]
    following, put_off = _next(new, old, tasks, own=own)
    told = new.requests if own else (*old.requests, *_worded(new.requests))
    deferred = (
        item for item in old.deferred if not holds.is_settled(item.text.removeprefix(_BEFORE), new)
    )
    context = (item for item in old.context if not item.text.startswith(_RESUMED))
    mark = _mark(before)
    left = Draft(
        task=old.task,
        goal=_goal(old) if own else old.goal,
        requests=told[-_ITEMS:],
        plan=old.plan,
        tasks=tasks,
        progress=(*old.progress[-_PROGRESS:], *([mark] if new.progress else [])),
        runs=tuple(holds.standing(old.runs, new))[:_RUNS],
        blockers=tuple(holds.blockers(old.blockers, new, own=own))[:_ITEMS],
        decisions=old.decisions[:_ITEMS],
        dead_ends=old.dead_ends[:_ITEMS],
        deferred=(*put_off, *deferred)[:_ITEMS],
        files=holds.files(old.files, new)[:_FILES],
        commands=old.commands[:_ITEMS],
        context=(*([] if new.progress else [mark]), *context)[:_ITEMS],
        closing=old.closing,
    )
    known = {fact.path for fact in left.files}
    kept = tuple(f for f in new.files if not (holds.is_look(f) and f.path in known))
    new = replace(new, next_action=following, files=kept)
    return new if own else replace(new, task=Item(text=""), requests=()), left


def has_work_of_its_own(draft: Draft) -> bool:
    """Whether the session set out to do something, and did not only go on."""
    asked = [item for item in (*draft.requests, draft.goal) if item]
    if any(map(_names_work, (item.text for item in asked))):
        return True
    # A title of the person's, or a plan.
    said = {place for item in asked for place in item.places}
    given = draft.task.evidence == "asked" and not said.intersection(draft.task.places)
    return given and not _is_bare(draft.task.text)


def _names_work(text: str) -> bool:
    leans = asks_back(text) or is_correction(text) or is_remark(text)
    return is_substantial(text) and not leans


def _is_bare(text: str) -> bool:
    return not text.strip() or is_assent(text) or is_courtesy(text) or is_pick(text)


def _worded(requests: Iterable[Item[str]]) -> Iterator[Item[str]]:
    return (item for item in requests if not _is_bare(item.text))


def _without_resume(draft: Draft, *, own: bool) -> Draft:
    following = draft.next_action
    if following and _ASKS_ON.match(following.text):
        following = replace(following, text=_UNANSWERED.sub("", following.text))
    elif following and (_is_ours(following) or (not own and _repeats_assent(following, draft))):
        following = None
    return replace(
        draft,
        requests=tuple(
            replace(i, why=None) if _OURS.search(i.why or "") else i for i in draft.requests
        ),
        next_action=following,
        blockers=tuple(item for item in draft.blockers if not _is_ours(item)),
        decisions=tuple(item for item in draft.decisions if not _OURS.match(item.text)),
        closing=None if draft.closing and _is_ours(draft.closing) else draft.closing,
    )


def _is_ours(item: Item[str]) -> bool:
    return bool(_OURS.search(item.text))


def _repeats_assent(following: Item[str], draft: Draft) -> bool:
    return bool(_AGREED.match(following.text)) and not holds.has_worked(draft)


def _next(
    new: Draft, old: Draft, tasks: tuple[Task[str], ...], *, own: bool
) -> tuple[Item[str] | None, tuple[Item[str], ...]]:
    """The next action of both, and what of the one before is put off by it."""
    mine, theirs = new.next_action, old.next_action
    if theirs and holds.is_settled(theirs.text, new):
        theirs = None
    if mine is None or _ASKS_ON.match(mine.text):
        # Nothing is known to be left of the session's own work.
        if theirs and (own or not holds.has_worked(new) or holds.COMMAND.search(theirs.text)):
            return theirs, ()
        if tasks:
            return _task(tasks), ()
    elif own:
        text = f"{_BEFORE}{one_line(theirs.text, 300)}" if theirs else ""
        return mine, (replace(theirs, text=text),) if theirs else ()
    if mine and theirs and (_ASKS_ON.match(mine.text) or _AGREED.match(mine.text)):
        # It speaks of a yes; this is what that was said to.
        mine = replace(mine, why=f"agreed to when the work was resumed: {theirs.text}")
    return mine or theirs, ()


def _task(tasks: tuple[Task[str], ...]) -> Item[str]:
    doing = [task.title for task in tasks if task.status == "in_progress"]
    first, *then = [*doing, *(task.title for task in tasks if task.status != "in_progress")]
    text = f"Check whether it is done, else go on with the task: {one_line(first, 200)}"
    text += "".join(f"; then: {one_line(title, 120)}" for title in then[:1])
    return Item(text=text, evidence="claimed")


def _goal(old: Draft) -> Item[str] | None:
    """What the work before set out to do: a task that only repeats its last request says less
    than the first one.
    """
    if old.goal or not old.task.text.strip():
        return old.goal
    last = old.requests[-1].text if old.requests else ""
    repeats = one_line(old.task.text).casefold() in " ".join(last.split()).casefold()
    return old.requests[0] if repeats else old.task


def _mark(before: Draft) -> Item[str]:
    """The line that parts what was before from what came since."""
    at = (before.saved or before.origin.ended)[:10]
    goal = _goal(before)
    what = f"“{one_line(goal.text, 100)}”" if goal else "a saved place"
    when = f" (left on {at})" if at else ""
    text = f"{_RESUMED}{what}{when}; what names no line of the transcript is from before that"
    return Item(text=text, evidence="observed")


def _without_places(before: Draft) -> Draft:
    """Without places in its transcript; commits are the same for every session."""
    changes: dict[str, Any] = {}
    for name, value in asdict(before).items():
        changes[name] = (
            tuple(map(_unplaced, value)) if isinstance(value, tuple) else _unplaced(value)
        )
    return replace(before, **changes)


def _unplaced(each: Any) -> Any:
    if not hasattr(each, "places"):
        return each
    return replace(each, places=tuple(p for p in each.places if not p.startswith("t:")))
