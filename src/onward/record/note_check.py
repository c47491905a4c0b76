"""The note against the record: which of its lines name something that is not so.

Only what can be compared is compared: paths, commit hashes, commands in back-ticks and the status
of tasks. What a sentence means is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import Draft, Item, Run, Task
from onward.record.commands import Form, normal_form
from onward.record.shell import split

Field = Literal[
    "task",
    "next_action",
    "progress",
    "blockers",
    "decisions",
    "constraints",
    "dead_ends",
    "context",
]
LISTS: tuple[Field, ...] = (
    "progress", "blockers", "decisions", "constraints", "dead_ends", "context",
)  # fmt: skip
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
    and the existing path that reads most like another one ("" for none). `hide` takes secrets out of
    a line before anything of it is quoted: a part of one is known no more.
    """

    exists: Callable[[str], bool]
    is_commit: Callable[[str], bool]
    nearest: Callable[[str], str]
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
    open_ = {_plain(task.title) for task in known if task.status != "completed"}
    return [
        Finding(field="tasks", reason=f"“{task.title}” is still open in the task list")
        for task in told
        if task.status == "completed" and _plain(task.title) in open_
    ]


def _faults(field: str, item: Item[str], draft: Draft, facts: Facts) -> Iterator[Finding]:
    name, text = _NAMES.get(field, field), "\n".join(filter(None, (item.text, item.why)))
    text = facts.hide(text)
    of_record = {fact.path for fact in draft.files} | {fact.to for fact in draft.files if fact.to}
    for mention in paths.mentions(text):
        path = mention.path
        if not mention.sure or path in of_record or facts.exists(path):
            continue
        meant = facts.nearest(path)
        if meant or field not in _AHEAD:
            yield Finding(field=name, reason=f"`{path}` does not exist", meant=meant)
    known = _commits(draft)
    for found in _HASH.findall(text):
        if not any(each.startswith(found) for each in known) and not facts.is_commit(found):
            yield Finding(field=name, reason=f"no commit {found} is known")
    if field == "progress":
        yield from (
            Finding(field=name, reason=f"`{run.command}` failed when it last ran")
            for run in _failing(text, draft.runs)
        )


def _failing(text: str, runs: tuple[Run[str], ...]) -> Iterator[Run[str]]:
    """The checks that a line names in back-ticks and that failed last."""
    named = {form for command in _CODE.findall(text) for form in _forms(command)}
    for run in runs:
        if run.outcome == "failed" and named & set(_forms(run.command)):
            yield run


def _commits(draft: Draft) -> set[str]:
    places = {
        place.removeprefix("c:")
        for item in draft.progress
        for place in item.places
        if place.startswith("c:")
    }
    known = places | {fact.commit for fact in draft.files}
    return (known | {draft.repo.commit if draft.repo else ""}) - {""}


def _forms(command: str) -> tuple[Form, ...]:
    found = (normal_form(each.words) for each in split(command))
    return tuple(form for form in found if form)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
