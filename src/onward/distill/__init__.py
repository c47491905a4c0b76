"""Distil: a session's events to one `Draft`, without a model.

One pass over the events with bounded state (`fold`), then one pure function per kind of
finding. Raw text comes out: nothing here may be shown or stored before `redact`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from onward.distill.checks.runs import Runs
from onward.distill.findings.blockers import Conflicts, Denied, Locked, blockers
from onward.distill.findings.context import context
from onward.distill.findings.dead_ends import Refusals, dead_ends
from onward.distill.findings.decisions import decisions
from onward.distill.findings.deferred import deferred
from onward.distill.findings.lessons import Lessons
from onward.distill.findings.next_action import next_action
from onward.distill.findings.state import State, since
from onward.distill.fold import Collector, fold
from onward.distill.local import local
from onward.distill.ours import without_ours
from onward.distill.said.closing import closing
from onward.distill.said.plan import Plans, plan
from onward.distill.said.questions import Questions
from onward.distill.said.requests import goal, requests
from onward.distill.said.talk import Talk
from onward.distill.said.tasks import Todos, tasks
from onward.distill.said.title import Titles, task
from onward.distill.said.waiting import Waiting
from onward.distill.trail.trail import Trail
from onward.distill.work import files
from onward.distill.work.commits import Commits
from onward.distill.work.edits import Edits
from onward.distill.work.looks import Looks
from onward.distill.work.names import Names
from onward.distill.work.progress import progress, ticked_off
from onward.distill.work.useful import Useful
from onward.model import Draft, Event, Item, Moved

__all__ = ["distill"]

_START = 50
"""Events among which the session's first folder is looked for."""
_RUNS = 20


class _Seen(Struct, frozen=True, kw_only=True):
    """All collectors of one session."""

    talk: Talk
    questions: Questions
    plans: Plans
    todos: Todos
    titles: Titles
    waiting: Waiting
    lessons: Lessons
    denied: Denied
    locked: Locked
    conflicts: Conflicts
    refusals: Refusals
    runs: Runs
    edits: Edits
    commits: Commits
    looks: Looks
    names: Names
    useful: Useful
    trail: Trail

    def all(self) -> list[Collector]:
        """The collectors, to be shown every event."""
        return [getattr(self, name) for name in self.__struct_fields__]


def distill(events: Iterable[Event], root: str = "") -> Draft:
    """What the next session needs of these events.

    `root` is the project's folder, from which paths are told; without it, the folder that
    the session began in. Where the session came from and the state of git are for the
    caller to fill in.
    """
    stream = without_ours(events)
    start = list(islice(stream, _START))
    root = root or next((e.cwd for e in start if isinstance(e, Moved) and not e.thread), "")
    seen = _collectors(root)
    fold(chain(start, stream), seen.all())
    return local(_assembled(seen, root), root)


def _collectors(root: str) -> _Seen:
    return _Seen(
        talk=Talk(),
        questions=Questions(),
        plans=Plans(),
        todos=Todos(root),
        titles=Titles(),
        waiting=Waiting(root),
        lessons=Lessons(),
        denied=Denied(),
        locked=Locked(),
        conflicts=Conflicts(),
        refusals=Refusals(),
        runs=Runs(root),
        edits=Edits(root),
        commits=Commits(),
        looks=Looks(),
        names=Names(),
        useful=Useful(root),
        trail=Trail(root),
    )


def _assembled(seen: _Seen, root: str) -> Draft:
    talk, plans, todos = seen.talk, seen.plans, seen.todos
    last = seen.runs.last(seen.edits.is_removed)
    words = [said.text for said in talk.said]
    facts = files.facts(
        seen.edits,
        seen.runs,
        seen.commits,
        seen.looks,
        root,
        words,
        seen.names.of_files(),
    )
    state = State(
        talk=talk,
        questions=seen.questions,
        plans=plans,
        todos=todos,
        runs=last,
        files=facts,
        locked=seen.locked.items(since(talk)),
    )
    shown = tasks(todos, talk)
    decided, last_words = decisions(talk, seen.questions, plans), closing(talk)
    return Draft(
        task=task(talk, plans, seen.titles, todos),
        goal=goal(talk),
        requests=requests(talk, seen.commits.commits),
        plan=plan(plans, talk),
        tasks=shown,
        progress=progress(facts, seen.commits.items(), last, ticked_off(todos, bool(shown))),
        runs=last[:_RUNS],
        trail=_once(seen.trail.items(), last_words),
        next_action=next_action(state),
        blockers=blockers(state, seen.commits, seen.waiting, seen.denied, seen.conflicts),
        decisions=decided,
        dead_ends=dead_ends(seen.refusals, plans, seen.waiting, seen.runs, seen.edits, talk),
        deferred=deferred(talk),
        files=facts,
        commands=seen.useful.items(),
        context=context(talk, seen.waiting, seen.lessons, decided),
        closing=last_words,
    )


def _once(trail: tuple[Item[str], ...], last_words: Item[str] | None) -> tuple[Item[str], ...]:
    """The trail without the lines of the message that is kept as the last words."""
    places = last_words.places if last_words else ()
    return tuple(replace(step, why=None) if step.places == places else step for step in trail)
