"""The consistency law: no line of a snapshot contradicts another one. Holds for raw and clean text.

And the agent's note against the record: which of its lines name something that is not so. Only what
can be compared is compared: paths, commit hashes, commands in back-ticks and the status of tasks.
What a sentence means is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.evidence import order_of
from onward.model import LOOKED, Draft, Item, Run, Snapshot, Task
from onward.record.commands import Form, forms_of
from onward.record.status import FINISHED
from onward.record.text import plain

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
        if fact.change in LOOKED:
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
        before = known.setdefault((run.cwd or "", forms_of(run.command)), run)
        if {before.outcome, run.outcome} == {"passed", "failed"}:
            yield _found("check", before.command, run.command, (*before.places, *run.places))
    passed = [run for run in s.runs if run.outcome == "passed"]
    for failure in s.failures:
        for run in passed:
            same = forms_of(run.command) == forms_of(failure.command)
            if same and failure.outcome == "failed" and _last(run.places) > _last(failure.places):
                yield _found("check", failure.command, run.command, failure.places)
    following = s.next_action
    if following and not following.author:
        for run in passed:
            # A request may quote what was pasted in it.
            here = not run.pasted and bool(set(run.places) & set(following.places))
            if here and run.command in following.text:
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
    done = {plain(task.title) for task in s.tasks if task.status == "completed"}
    for task in s.tasks:
        if task.status != "completed" and plain(task.title) in done:
            yield _found("task", task.title, "completed", task.places)


def _pending(s: Snapshot[T]) -> Iterator[Contradiction]:
    """Nothing is pending only where nothing is open."""
    following: Item[T] | None = s.next_action
    if following is None or following.text != FINISHED or following.author:
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


def _last(places: tuple[str, ...]) -> float:
    return max(map(order_of, places), default=0)


# ------------------------------------------------------------ the note against the record

LISTS = ("progress", "blockers", "decisions", "constraints", "dead_ends", "context")
_NAMES: dict[str, str] = {"next_action": "next", "dead_ends": "avoid"}
_AHEAD = frozenset({"next_action", "tasks"})
"""Fields that may name a file which is about to be created."""
_HASH = re.compile(r"(?<![\w/.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w/-])")
_CODE = re.compile(r"`([^`\n]+)`")
_MOST = 20
"""Findings that are told; a note with more has been told enough."""


class Finding(Struct, frozen=True, kw_only=True):
    """One line of the note that does not agree with the record. `meant` is a path that exists
    and reads almost like the one that was named, "" for none.
    """

    field: str
    reason: str
    meant: str = ""


class Facts(Struct, frozen=True, kw_only=True):
    """What the caller looks up: whether a path of the project exists, whether git knows a commit,
    and the existing path that reads most like another one ("" for none); what cannot be looked up
    counts as there. `hide` takes secrets out of a line before anything of it is quoted: a part of
    one is known no more.
    """

    exists: Callable[[str], bool] = lambda _: True
    is_commit: Callable[[str], bool] = lambda _: True
    nearest: Callable[[str], str] = lambda _: ""
    hide: Callable[[str], str] = str


def check(draft: Draft, facts: Facts) -> tuple[Draft, tuple[Finding, ...]]:
    """The draft with the agent's lines that fail marked `unverified`, and what was found.

    Lines of the user and of the record are left alone.
    """
    found: list[Finding] = []

    def judged(field: str, item: Item[str]) -> Item[str]:
        if item.author not in {"agent", "client"}:
            return item
        faults = list(_faults(field, item, draft, facts))
        found.extend(faults)
        reason = "; ".join(fault.reason for fault in faults)
        return replace(item, unverified=reason or None)

    following = draft.next_action
    checked = replace(
        draft,
        task=judged("task", draft.task),
        next_action=judged("next_action", following) if following else None,
        **{name: tuple(judged(name, item) for item in getattr(draft, name)) for name in LISTS},
    )
    return checked, tuple(found[:_MOST])


def open_in_the_list(told: tuple[Task[str], ...], known: tuple[Task[str], ...]) -> list[Finding]:
    """The tasks that a note calls completed and the client's list has open."""
    open_ = {plain(task.title) for task in known if task.status != "completed"}
    return [
        Finding(field="tasks", reason=f"“{task.title}” is still open in the task list")
        for task in told
        if task.status == "completed" and plain(task.title) in open_
    ]


def _faults(field: str, item: Item[str], draft: Draft, facts: Facts) -> Iterator[Finding]:
    name, text = _NAMES.get(field, field), "\n".join(filter(None, (item.text, item.why)))
    text = facts.hide(text)
    of_record = {fact.path for fact in draft.files} | {fact.to for fact in draft.files if fact.to}
    for mention in paths.mentions(text):
        path = mention.path
        inside = paths.relative(path, draft.origin.cwd or "")
        if not mention.sure or {path, inside} & of_record or facts.exists(path):
            continue
        meant = facts.nearest(path)
        if meant or field not in _AHEAD:
            yield Finding(field=name, reason=f"`{path}` does not exist", meant=meant)
    known = _known_commits(draft)
    for found in _HASH.findall(text):
        if not any(each.startswith(found) for each in known) and not facts.is_commit(found):
            yield Finding(field=name, reason=f"no commit {found} is known")
    # The checks that a line names in back-ticks and that failed last.
    named = {form for command in _CODE.findall(text) for form in forms_of(command)}
    for run in draft.runs if field == "progress" else ():
        if run.outcome == "failed" and named & set(forms_of(run.command)):
            yield Finding(field=name, reason=f"`{run.command}` failed when it last ran")


def _known_commits(draft: Draft) -> set[str]:
    places = {
        place.removeprefix("c:")
        for item in draft.progress
        for place in item.places
        if place.startswith("c:")
    }
    known = places | {fact.commit for fact in draft.files}
    return (known | {draft.repo.commit if draft.repo else ""}) - {""}
