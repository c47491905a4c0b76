"""The consistency law: no line of a snapshot contradicts another one. Holds for raw and clean text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeVar

from msgspec import Struct

from onward.model import Item, Run, Snapshot, order_of
from onward.record import templates
from onward.record.commands import Form, normal_form
from onward.record.shell import split

T = TypeVar("T", bound=str)

Rule = Literal["commit", "check", "question", "plan", "task", "pending", "background"]


class Contradiction(Struct, frozen=True, kw_only=True):
    """Two statements of one snapshot that cannot both be so. The texts are the snapshot's own."""

    rule: Rule
    one: str
    other: str
    places: tuple[str, ...] = ()


def contradictions(snapshot: Snapshot[T]) -> list[Contradiction]:
    """Every pair of lines that contradict each other; [] where the law holds."""
    return [
        *_commits(snapshot),
        *_checks(snapshot),
        *_questions(snapshot),
        *_tasks(snapshot),
        *_pending(snapshot),
        *_background(snapshot),
    ]


def _commits(s: Snapshot[T]) -> Iterator[Contradiction]:
    """One file is committed or it is not, and nothing under `.git` is a file of the work."""
    seen: dict[str, str] = {}
    for fact in s.files:
        if fact.change in {"read", "named"}:
            continue
        if f"/{fact.path}".find("/.git/") >= 0:
            yield _found("commit", fact.path, "a file of git's own", fact.places)
        before = seen.setdefault(fact.path, fact.commit)
        if bool(before) != bool(fact.commit):
            yield _found("commit", fact.path, before or fact.commit, fact.places)


def _checks(s: Snapshot[T]) -> Iterator[Contradiction]:
    """One check passed or failed; what is said to fail or to be fixed has not passed since."""
    known: dict[tuple[str, tuple[Form, ...]], Run[T]] = {}
    for run in s.runs:
        before = known.setdefault((run.cwd or "", _forms(run.command)), run)
        if {before.outcome, run.outcome} == {"passed", "failed"}:
            yield _found("check", before.command, run.command, (*before.places, *run.places))
    passed = [run for run in s.runs if run.outcome == "passed"]
    for failure in s.failures:
        for run in passed:
            same = _forms(run.command) == _forms(failure.command)
            if same and _last(run.places) > _last(failure.places):
                yield _found("check", failure.command, run.command, failure.places)
    following = s.next_action
    if following and following.text.startswith(templates.FIX) and not following.author:
        for run in passed:
            if set(run.places) & set(following.places) and run.command in following.text:
                yield _found("check", following.text, run.command, run.places)


def _questions(s: Snapshot[T]) -> Iterator[Contradiction]:
    """What was answered is not open, and what was approved does not wait."""
    if s.status.kind != "waiting":
        return
    open_ = (s.status.detail or "").strip()
    for request in s.requests:
        later = _last(request.places) >= _last(s.status.places)
        if request.source == "answer" and later and request.about and request.about in open_:
            yield _found("question", open_, request.text, request.places)
    approved = s.plan is not None and s.plan.why is None and s.plan.evidence == "asked"
    if s.status.waits_for == "plan" and approved and s.plan and s.plan.text in open_:
        yield _found("plan", open_, s.plan.text, s.plan.places)


def _tasks(s: Snapshot[T]) -> Iterator[Contradiction]:
    """A task is completed or open."""
    done = {_plain(task.title) for task in s.tasks if task.status == "completed"}
    for task in s.tasks:
        if task.status != "completed" and _plain(task.title) in done:
            yield _found("task", task.title, "completed", task.places)


def _pending(s: Snapshot[T]) -> Iterator[Contradiction]:
    """Nothing is pending only where nothing is open."""
    following: Item[T] | None = s.next_action
    if following is None or following.text != templates.FINISHED or following.author:
        return
    if s.status.kind not in {"finished", "unknown"}:
        yield _found("pending", following.text, s.status.kind, s.status.places)
    for task in s.tasks:
        if task.status != "completed":
            yield _found("pending", following.text, task.title, task.places)


def _background(s: Snapshot[T]) -> Iterator[Contradiction]:
    """What is still running has no result yet."""
    for item in s.background:
        for run in s.runs:
            if run.outcome != "unseen" and set(run.places) & set(item.places):
                yield _found("background", item.text, f"{run.command} {run.outcome}", run.places)


def _found(rule: Rule, one: str, other: str, places: tuple[str, ...]) -> Contradiction:
    return Contradiction(rule=rule, one=str(one), other=str(other), places=places)


def _forms(command: str) -> tuple[Form, ...]:
    found = (normal_form(each.words) for each in split(command))
    return tuple(form for form in found if form)


def _last(places: tuple[str, ...]) -> float:
    return max(map(order_of, places), default=0)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
