"""What of a saved place still holds when a session took it up and went on from it.

The client begins a transcript of its own for that session, so what was open before stands in
neither alone. The session's own record leads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from onward.model import Draft, Failure, FileFact, Item, Request, Run, Task
from onward.record.commands import covers, forms_of
from onward.record.conversation import QUESTION, is_reply
from onward.record.status import next_action
from onward.record.text import plain

_ITEMS, _RUNS, _FILES, _PROGRESS = 20, 10, 40, 4
P = TypeVar("P", Item[str], Request[str], Run[str], Task[str], FileFact[str], Failure[str])


def carry(draft: Draft, before: Draft) -> Draft:
    """The draft of a session with what still holds of the place that it took up. Places in the
    transcript of before are left out: they would point into another one.
    """
    changed = sum(fact.change not in {"read", "named"} for fact in draft.files)
    left = _not_run_again(_unplaced(before.runs), draft.runs)
    runs = (*draft.runs, *(replace(run, edits_after=run.edits_after + changed) for run in left))
    asked = _unplaced(before.requests)[-_ITEMS:]
    filled = replace(
        draft,
        task=_title(draft, before),
        requests=(*asked, *(each for each in draft.requests if not _answers_resume(each))),
        plan=draft.plan or _one(before.plan),
        tasks=(*draft.tasks, *_still_open(_unplaced(before.tasks), draft)),
        progress=(*_unplaced(before.progress)[-_PROGRESS:], *draft.progress),
        runs=runs,
        blockers=_joined(draft.blockers, _of_the_note(before.blockers)),
        failures=(*draft.failures, *_not_tried_again(_unplaced(before.failures), draft)),
        decisions=_joined(draft.decisions, before.decisions),
        constraints=_joined(draft.constraints, before.constraints),
        dead_ends=_joined(draft.dead_ends, before.dead_ends),
        files=_files(draft, before),
        commands=_joined(draft.commands, before.commands),
        context=_joined(draft.context, _of_the_note(before.context)),
        trail=draft.trail,
        closing=draft.closing or _one(before.closing),
    )
    return replace(filled, next_action=_next(filled, draft, before))


def worked(draft: Draft) -> bool:
    """Whether anything was changed, committed or checked in the session."""
    changed = any(fact.change not in {"read", "named"} for fact in draft.files)
    return bool(changed or draft.runs or draft.progress)


def _next(filled: Draft, draft: Draft, before: Draft) -> Item[str] | None:
    """The session's own next action, else what the note said while nothing was done since, else
    what the two together come to.
    """
    if draft.next_action is not None and draft.next_action.author:
        return draft.next_action
    noted = before.next_action
    if noted is not None and noted.author and not worked(draft):
        return _one(noted)
    return next_action(filled)


def _title(draft: Draft, before: Draft) -> Item[str]:
    """The session's own title, unless the user wrote the one before."""
    noted = before.task.author == "user" and draft.task.author != "user"
    if before.task.text.strip() and (noted or not draft.task.text.strip()):
        return _unplaced((before.task,))[0]
    return draft.task


def _answers_resume(request: Request[str]) -> bool:
    """Whether it only answers onward's own question, as the agent repeated it."""
    return is_reply(request.text) and QUESTION in (request.about or "")


def _still_open(tasks: Iterable[Task[str]], new: Draft) -> list[Task[str]]:
    """The open tasks that the session neither lists itself nor committed under that very title."""
    done = {plain(task.title) for task in new.tasks}
    committed = [plain(item.text) for item in new.progress]
    return [
        task
        for task in tasks
        if task.status != "completed"
        and (title := plain(task.title)) not in done
        and not any(text.endswith(f" {title}") for text in committed)
    ][:_ITEMS]


def _not_run_again(runs: Iterable[Run[str]], new: Iterable[Run[str]]) -> list[Run[str]]:
    """The runs whose check, or a wider one, was not run since."""
    later = [form for run in new for form in forms_of(run.command)]
    return [
        run
        for run in runs
        if not any(
            form == each or covers(each, form) for form in forms_of(run.command) for each in later
        )
    ][:_RUNS]


def _not_tried_again(failures: Iterable[Failure[str]], new: Draft) -> list[Failure[str]]:
    tried = {item.text for item in new.commands} | {each.command for each in new.failures}
    return [each for each in failures if each.command not in tried]


def _files(draft: Draft, before: Draft) -> tuple[FileFact[str], ...]:
    """Those of the session, then those before that it did not change; of a file that it only read
    and that was changed before, the change.
    """
    changed = {f.path for f in draft.files if f.change not in {"read", "named"}}
    left = [
        fact
        for fact in _unplaced(before.files)
        if fact.path not in changed
        and (fact.change not in {"read", "named"} or fact.path not in {f.path for f in draft.files})
    ][:_FILES]
    known = {fact.path for fact in left}
    return (*(f for f in draft.files if f.path not in known), *left)


def _of_the_note(items: Iterable[Item[str]]) -> tuple[Item[str], ...]:
    """What the user or the agent wrote: it holds until they say otherwise."""
    return tuple(item for item in items if item.author)


def _joined(own: Iterable[Item[str]], before: Iterable[Item[str]]) -> tuple[Item[str], ...]:
    """Both, without lines that say the same."""
    kept: dict[str, Item[str]] = {}
    for item in (*own, *_unplaced(before)):
        kept.setdefault(plain(item.text), item)
    return tuple(kept.values())[:_ITEMS]


def _one(item: Item[str] | None) -> Item[str] | None:
    return _unplaced((item,))[0] if item else None


def _unplaced(items: Iterable[P]) -> tuple[P, ...]:
    """Without places in the other transcript; commits are the same for every session."""
    return tuple(
        replace(each, places=tuple(p for p in each.places if not p.startswith("t:")))
        for each in items
    )
