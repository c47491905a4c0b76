"""The entries of a page as a `Draft`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onward.documents import kinds
from onward.documents.entry import Entry
from onward.documents.headings import Field
from onward.documents.page import Page
from onward.model import Draft, Item, RepoState, Request, Status, Task

_ONE_LINE = 160  # characters of a paragraph that is one sentence, only wrapped
_SENTENCE = re.compile(r"[.!?。！？]\s*$")  # noqa: RUF001 - people type it
_LIST = re.compile(r"^\s*[-*+•\[|>#\d]", re.MULTILINE)
_GIT = re.compile(r"(?P<branch>.*)\s(?:@|at\b)\s*`?(?P<commit>[0-9a-f]{7,40}|no commit)\b")


def draft(page: Page) -> Draft:
    """The text of a page as a draft: no times, origin, sizes or hashes."""
    found = page.found
    task, more = _task(page)
    return Draft(
        task=task,
        status=_status(found.get("status", ())),
        requests=_requests(page),
        constraints=items(found.get("constraints", ())),
        plan=one(found.get("plan", ())),
        tasks=_tasks(page),
        progress=items(found.get("progress", ())),
        runs=tuple(kinds.read_run(entry) for entry in found.get("runs", ())),
        trail=items(found.get("trail", ())),
        next_action=one(found.get("next_action", ())),
        blockers=items(found.get("blockers", ())),
        failures=tuple(kinds.read_failure(entry) for entry in found.get("failures", ())),
        background=items(found.get("background", ())),
        decisions=items(found.get("decisions", ())),
        dead_ends=items(found.get("dead_ends", ())),
        files=tuple(kinds.read_file(entry) for entry in found.get("files", ())),
        commands=tuple(kinds.read_command(entry) for entry in found.get("commands", ())),
        context=(
            *items(found.get("context", ())),
            *more,
            *items(found.get("deferred", ())),
            *items([entry for entry in found.get("status", ()) if not entry.tag]),
            *items(below_git(page)),
        ),
        closing=one(found.get("closing", ())),
        repo=_repo([e for e in found.get("git", ()) if e not in below_git(page)]),
        blocks=tuple(kinds.read_block(entry) for entry in found.get("blocks", ())),
        extra=tuple(page.extra),
    )


def _status(entries: Sequence[Entry]) -> Status[str]:
    return next((kinds.read_status(entry) for entry in entries if entry.tag), Status())


def _requests(page: Page) -> tuple[Request[str], ...]:
    """The requests; the goal of an earlier version was the first of them."""
    found = [kinds.read_request(entry) for entry in page.found.get("requests", ())]
    goal = [kinds.read_request(entry) for entry in page.found.get("goal", ())]
    texts = {request.text for request in found}
    return (*(each for each in goal if each.text not in texts), *found)


def below_git(page: Page) -> list[Entry]:
    """What a user put below our line about git, which is the last one of the file."""
    first, *rest = page.found.get("git") or [Entry(text="")]
    return [entry for entry in rest if not entry.tag] if first.tag else []


def items(entries: Sequence[Entry]) -> tuple[Item[str], ...]:
    """The entries as items."""
    return tuple(kinds.read_item(entry) for entry in entries)


def one(entries: Sequence[Entry]) -> Item[str] | None:
    """The entries as one item: someone else's steps under "Next" are one text of several lines."""
    read = items(entries)
    if len(read) < 2:
        return read[0] if read else None
    first = read[0]
    return Item(
        text="\n".join(item.text for item in read),
        evidence=first.evidence,
        places=first.places,
        why=first.why,
        author=first.author,
        unverified=first.unverified,
    )


def _task(page: Page) -> tuple[Item[str], tuple[Item[str], ...]]:
    """What the work is, in one line where someone else wrote a summary; the rest is context."""
    entries = page.found.get("task", [])
    if not entries:
        return Item(text=""), ()
    first = kinds.read_item(entries[0])
    rest = items(entries[1:])
    if entries[0].tag or "\n" not in first.text:
        return first, rest
    wrapped = " ".join(first.text.split())
    top, _, below = first.text.partition("\n")
    if len(wrapped) <= _ONE_LINE and not _LIST.search(first.text) and not _SENTENCE.search(top):
        return Item(text=wrapped, why=first.why), rest
    return Item(text=top, why=first.why), (Item(text=below.strip()), *rest)


def _tasks(page: Page) -> tuple[Task[str], ...]:
    sections: tuple[tuple[Field, kinds.Status], ...] = (
        ("doing", "in_progress"),
        ("tasks", "pending"),
        ("done_tasks", "completed"),
    )
    return tuple(
        kinds.read_task(entry, status)
        for field, status in sections
        for entry in page.found.get(field, ())
    )


def _repo(entries: Sequence[Entry]) -> RepoState[str] | None:
    text = " ".join(re.sub(r"^branch:?\s+", "", entry.text) for entry in entries)
    found = _GIT.match(text)
    if found is None:
        return RepoState(root="", branch=text.strip("` ")) if re.fullmatch(r"\S+", text) else None
    branch = found["branch"].strip("`* ")
    commit = "" if found["commit"] == "no commit" else found["commit"]
    return RepoState(root="", branch=None if branch == "detached head" else branch, commit=commit)
