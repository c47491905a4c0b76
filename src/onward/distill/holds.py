"""Distil: what of a saved place still holds once a session has gone on from it.

Told by the findings of both alone: the events of the one before may be gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from onward.distill.checks.runners import kind_of
from onward.distill.checks.runs import is_whole
from onward.distill.said.tasks import named_by
from onward.distill.shell.forms import Form, covers, normal_form
from onward.distill.shell.split import split
from onward.model import Draft, FileFact, Item, Run, Task

_OVER = re.compile(r"The client stopped the work\b|A sub-agent had not reported yet\b")
"""What ended with its session."""
_ASKED = re.compile(r"Waits for the person\b")
_QUOTED = re.compile(r"“([^”]+)”|`([^`\n]+)`")
COMMAND = re.compile(r"`([^`\n]+)`")


def has_worked(draft: Draft) -> bool:
    """Whether anything came of the session."""
    return bool(draft.progress or draft.runs)


def open_tasks(tasks: Iterable[Task[str]], new: Draft) -> Iterator[Task[str]]:
    """The tasks that the session neither lists itself nor finished."""
    listed = {_plain(task.title) for task in new.tasks}
    for task in tasks:
        open_ = task.status != "completed" and _plain(task.title) not in listed
        if open_ and not is_settled(task.title, new):
            yield task


def standing(runs: Iterable[Run[str]], new: Draft) -> Iterator[Run[str]]:
    """The runs that none of the new ones leaves without a word to say."""
    edits = sum(1 for fact in new.files if not is_look(fact))
    for run in runs:
        if not any(_outdates(later, run) for later in new.runs):
            yield replace(run, edits_after=run.edits_after + edits)


def blockers(found: Iterable[Item[str]], new: Draft, *, own: bool) -> Iterator[Item[str]]:
    """What still blocks; a question to the person only while nothing went on."""
    went_on = own or has_worked(new)
    changed = {fact.path for fact in new.files if not is_look(fact)}
    for item in found:
        answered = went_on and _ASKED.match(item.text)
        resolved = item.text.startswith("Merge conflict in ") and item.text[18:] in changed
        if not (_OVER.match(item.text) or answered or resolved or is_settled(item.text, new)):
            yield item


def files(facts: Iterable[FileFact[str]], new: Draft) -> tuple[FileFact[str], ...]:
    """Those that the session did not change itself; one that it only read was changed before."""
    tested = any(run.kind == "test" and run.outcome == "passed" for run in new.runs)
    changed = {fact.path for fact in new.files if not is_look(fact)}
    seen = {fact.path for fact in new.files}
    return tuple(
        replace(fact, since_green=fact.since_green and not tested)
        for fact in facts
        if fact.path not in (seen if is_look(fact) else changed)
    )


def is_look(fact: FileFact[str]) -> bool:
    """Whether a file was read or named, and not changed."""
    return fact.change in {"read", "named"}


def is_settled(text: str, new: Draft) -> bool:
    """Whether the session ran the command that a text names, or committed or ticked off what it
    says.
    """
    for command in COMMAND.findall(text):
        kinds = [kind for form in _forms(command) if (kind := kind_of(form))]
        run = Run(command=command, kind=kinds[0] if kinds else "other", outcome="failed")
        if any(_outdates(later, run) for later in new.runs):
            return True
    done = [item.text for item in new.progress if any(p.startswith("c:") for p in item.places)]
    done += [task.title for task in new.tasks if task.status == "completed"]
    quoted = " ".join(" ".join(found) for found in _QUOTED.findall(text))
    return named_by(done, quoted or text)


def _outdates(later: Run[str], run: Run[str]) -> bool:
    """Whether a later run, of another session, tells of the same check or of a wider one."""
    if later.outcome == "unseen" != run.outcome:
        return False
    if _plain(later.command) == _plain(run.command):
        return True
    if later.kind != run.kind:
        return False
    return any(
        covers(wide, narrow) or (later.outcome == "passed" and is_whole(wide, narrow))
        for wide in _forms(later.command)
        for narrow in _forms(run.command)
    )


def _forms(command: str) -> list[Form]:
    found = (normal_form(each.words) for each in split(command))
    return [form for form in found if form]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
