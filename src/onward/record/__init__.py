"""The record of a session: from its events to one `Draft`, by their structure alone.

One pass over the events with bounded memory, then each collector is asked for its part. No word
list decides anything: a session in Finnish gives the same record as one in English. The text is
raw: nothing of it may be shown or stored before redaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Protocol

from msgspec.structs import replace

from onward.model import Background, Draft, Event, Moved, Ran
from onward.record import files
from onward.record.checklists import Checklists
from onward.record.commits import Commits
from onward.record.conversation import (
    Client,
    Conflicts,
    Conversation,
    Decisions,
    Reports,
    is_own_act,
    without_own,
)
from onward.record.edits import Edits
from onward.record.files import Looks
from onward.record.runs import Runs
from onward.record.status import Standing, next_action, title
from onward.record.steps import Steps
from onward.record.text import keep
from onward.record.tree import Tree
from onward.record.useful import Useful

__all__ = ["fold", "is_own_act", "record"]

_START = 50
"""Events among which the session's first folder is looked for."""
_RUNS, _FAILURES, _DEAD_ENDS, _GIT = 20, 10, 12, 25
_EARLY = 10
"""Ends of background commands that may be written too early, the newest."""


class Collector(Protocol):
    """Something that watches the events of a session go by."""

    def see(self, event: Event, at: int, /) -> None:
        """Take note of one event. `at` is its running number, from 0, in live order."""


def fold(events: Iterable[Event], collectors: Sequence[Collector]) -> None:
    """Show every event to every collector, in order. That a command in the background has ended may
    be written before the call that began it: it is shown again behind that.
    """
    ended: dict[str, Background] = {}
    at = 0
    for event in events:
        again = ended.pop(event.background, None) if isinstance(event, Ran) else None
        if isinstance(event, Background) and event.state != "running":
            ended[event.id] = event
            keep(ended, _EARLY)
        for each in (event, again) if again is not None else (event,):
            for collector in collectors:
                collector.see(each, at)
            at += 1


class _Seen:
    """All collectors of one session."""

    def __init__(self, root: str) -> None:
        self.conversation = Conversation(root)
        self.standing = Standing(root)
        self.decisions = Decisions(root)
        self.client = Client()
        self.checklists = Checklists(root)
        self.conflicts = Conflicts()
        self.reports = Reports()
        edits = Edits(root)
        self.runs = Runs(root, edits)
        self.edits = edits
        self.commits = Commits(root)
        self.tree = Tree(self.commits, root)
        self.looks = Looks()
        self.useful = Useful(root, edits)
        self.steps = Steps(root)


def record(events: Iterable[Event], root: str = "") -> Draft:
    """What the next session needs of these events.

    `root` is the project's folder, from which paths are told; without it, the folder that
    the session began in. Where the session came from and the state of git are for the
    caller to fill in.
    """
    stream = without_own(events)
    start = list(islice(stream, _START))
    root = root or next((e.cwd for e in start if isinstance(e, Moved) and not e.thread), "")
    seen = _Seen(root)
    fold(chain(start, stream), list(vars(seen).values()))
    return _assembled(seen, root)


def _assembled(seen: _Seen, root: str) -> Draft:
    asked = seen.conversation.requests()
    closing = seen.conversation.closing()
    tasks = seen.client.tasks()
    standing, runs = seen.standing, seen.runs.last()[:_RUNS]
    dead_ends = (*reversed(seen.edits.reverted()), *seen.decisions.refused(), *standing.failed)
    subjects = [act.subject for act in seen.commits.commits if act.subject]
    own, plan = seen.client.title(), seen.decisions.plan_title
    draft = Draft(
        task=title(
            own, plan, tasks, asked, seen.conversation.of_work(), commit="".join(subjects[-1:])
        ),
        status=standing.status(),
        requests=asked,
        plan=seen.decisions.plan(),
        tasks=tasks,
        checklists=seen.checklists.items(),
        progress=seen.commits.items()[-_GIT:],
        runs=runs,
        trail=seen.steps.items(closing.places[0] if closing else ""),
        blockers=seen.conflicts.items(),
        failures=seen.runs.failures.items(runs)[:_FAILURES],
        background=standing.background(),
        decisions=seen.decisions.items(),
        dead_ends=dead_ends[:_DEAD_ENDS],
        files=files.facts(seen.edits, seen.runs, seen.tree, seen.looks, root),
        commands=seen.useful.items(),
        git=seen.tree.seen(),
        context=seen.reports.items(),
        closing=closing,
    )
    return replace(draft, next_action=next_action(draft))
