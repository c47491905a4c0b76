"""What of a saved place still holds when a session took it up and went on from it.

The client begins a transcript of its own for that session, so what was open before stands in
neither alone. The session's own record leads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from onward import paths
from onward.model import LOOKED, Draft, Failure, FileFact, Item, Request, Run, Task
from onward.record.commands import covers, forms_of
from onward.record.conversation import QUESTION
from onward.record.status import next_action
from onward.record.text import plain
from onward.requests import is_reply

_ITEMS, _RUNS, _FILES, _PROGRESS = 20, 10, 40, 4
_PLACED = (
    *("requests", "tasks", "progress", "runs", "blockers", "failures", "decisions", "constraints"),
    *("dead_ends", "files", "commands", "context"),
)
_ALONE = ("task", "plan", "closing", "next_action")
P = TypeVar("P", Item[str], Request[str], Run[str], Task[str], FileFact[str], Failure[str])


def carry(draft: Draft, before: Draft) -> Draft:
    """The draft of a session with what still holds of the place that it took up. Places in the
    transcript of before are left out: they would point into another one.
    """
    before = _unplaced(before)
    edited = [fact.path for fact in draft.files if fact.change not in LOOKED]
    code = sum(not paths.prose(path) for path in edited)
    left = _not_run_again(before.runs, draft.runs)
    tried = {item.text for item in draft.commands} | {each.command for each in draft.failures}
    # onward's own question, as the agent repeated it, is answered: the yes is no word on the work.
    own = [r for r in draft.requests if is_reply(r.text) and QUESTION in (r.about or "")]
    told = {place for request in own for place in request.places}
    filled = replace(
        draft,
        task=_title(draft, before),
        requests=(*before.requests[-_ITEMS:], *(r for r in draft.requests if r not in own)),
        trail=tuple(step for step in draft.trail if not told.intersection(step.places)),
        plan=draft.plan or before.plan,
        tasks=(*draft.tasks, *_still_open(before.tasks, draft)),
        progress=(*before.progress[-_PROGRESS:], *draft.progress),
        runs=(
            *draft.runs,
            *(_since(r, len(edited) if r.outcome == "failed" else code) for r in left),
        ),
        blockers=_joined(draft.blockers, _of_the_note(before.blockers)),
        failures=(*draft.failures, *(f for f in before.failures if f.command not in tried)),
        decisions=_joined(draft.decisions, before.decisions),
        constraints=_joined(draft.constraints, before.constraints),
        dead_ends=_joined(draft.dead_ends, before.dead_ends),
        files=_files(draft, before),
        commands=_joined(draft.commands, before.commands),
        context=_joined(draft.context, _of_the_note(before.context)),
        closing=draft.closing or before.closing,
    )
    return replace(filled, next_action=_next(filled, draft, before))


def worked(draft: Draft) -> bool:
    """Whether anything was changed, committed or checked in the session."""
    changed = any(fact.change not in LOOKED for fact in draft.files)
    return bool(changed or draft.runs or draft.progress)


def _next(filled: Draft, draft: Draft, before: Draft) -> Item[str] | None:
    """The session's own next action, else what the note said while nothing was done since, else
    what the two together come to.
    """
    if draft.next_action is not None and draft.next_action.author:
        return draft.next_action
    noted = before.next_action
    if noted is not None and noted.author and not worked(draft):
        return noted
    return next_action(filled)


def _title(draft: Draft, before: Draft) -> Item[str]:
    """The session's own title, unless the user wrote the one before."""
    noted = before.task.author == "user" and draft.task.author != "user"
    if before.task.text.strip() and (noted or not draft.task.text.strip()):
        return before.task
    return draft.task


def _still_open(tasks: Iterable[Task[str]], new: Draft) -> list[Task[str]]:
    """The open tasks that the session neither lists itself nor committed under that very title."""
    done = {plain(task.title) for task in new.tasks}
    # Behind the subject of a commit may stand what else is known of it: ` (2 files)`.
    committed = [f"{plain(item.text)} (" for item in new.progress]
    return [
        task
        for task in tasks
        if task.status != "completed"
        and (title := plain(task.title)) not in done
        and not any(f" {title} (" in text for text in committed)
    ][:_ITEMS]


def _not_run_again(runs: Iterable[Run[str]], new: Iterable[Run[str]]) -> list[Run[str]]:
    """The runs whose check, or a wider one, was not run since."""
    later = [form for run in new for form in forms_of(run.command)]
    return [
        run
        for run in runs
        if not any(covers(each, form) for form in forms_of(run.command) for each in later)
    ][:_RUNS]


def _files(draft: Draft, before: Draft) -> tuple[FileFact[str], ...]:
    """Those of the session, then those before that it did not change; of a file that it only read
    and that was changed before, the change.
    """
    changed = {f.path for f in draft.files if f.change not in LOOKED}
    left = [
        fact
        for fact in before.files
        if fact.path not in changed
        and (fact.change not in LOOKED or fact.path not in {f.path for f in draft.files})
    ][:_FILES]
    known = {fact.path for fact in left}
    return (*(f for f in draft.files if f.path not in known), *left)


def _since(run: Run[str], edits: int) -> Run[str]:
    return replace(run, edits_after=run.edits_after + edits)


def _of_the_note(items: Iterable[Item[str]]) -> tuple[Item[str], ...]:
    """What the user or the agent wrote: it holds until they say otherwise."""
    return tuple(item for item in items if item.author)


def _joined(own: Iterable[Item[str]], before: Iterable[Item[str]]) -> tuple[Item[str], ...]:
    """Both, without lines that say the same."""
    kept: dict[str, Item[str]] = {}
    for item in (*own, *before):
        kept.setdefault(plain(item.text), item)
    return tuple(kept.values())[:_ITEMS]


def _unplaced(before: Draft) -> Draft:
    """Without places in its transcript; commits are the same for every session."""
    lists = {name: tuple(map(_without, getattr(before, name))) for name in _PLACED}
    one = {name: _without(item) for name in _ALONE if (item := getattr(before, name))}
    return replace(before, **lists, **one)


def _without(each: P) -> P:
    return replace(each, places=tuple(p for p in each.places if not p.startswith("t:")))
