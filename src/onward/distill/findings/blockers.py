"""Distil: what stands in the way, with the words that say why."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from onward.distill.acts import code
from onward.distill.checks.outcome import checks
from onward.distill.findings.state import State, edits, outcome, quoted, since
from onward.distill.fold import keep
from onward.distill.said.awaited import awaited
from onward.distill.said.plan import title_of
from onward.distill.said.questions import open_question
from onward.distill.said.waiting import Waiting
from onward.distill.shell.split import split
from onward.distill.text import one_line
from onward.distill.work.commits import Commits
from onward.model import Event, Item, Ran, order_of

_MOST = 12
_SHOWN = 4
_COMMAND = 120
_FULL = re.compile(
    r"\bprompt is too long\b|\bcontext (?:window|length|limit|full)\b", re.IGNORECASE
)
"""The client's context was full: the next session has one of its own."""
_TOLD = 700
"""Characters of a sub-agent's task: enough to start it again."""

_LOCKED = re.compile(
    r"\b(?:401|403)\b[^\n]{0,60}\b(?:unauthori[sz]ed|forbidden|token|auth\w*|credentials?|expired|sign\w*|log\w*)\b[^\n]{0,80}"
    r"|\b(?:not\s+logged\s+in|log\s*in\s+required|authentication\s+(?:failed|required)|(?:token|session|credentials?)\s+(?:is\s+|has\s+|have\s+)?expired"
    r"|invalid\s+(?:api\s+key|credentials|token)|bad\s+credentials|permission\s+denied\s+\(publickey|rate\s+limit\s+exceeded|quota\s+exceeded|insufficient_quota)\b[^\n]{0,120}",
    re.IGNORECASE,
)
"""What programs say when they are not let in."""


class Denied:
    """Collects commands that a permission rule refused and that were not done since."""

    def __init__(self) -> None:
        self.commands: dict[str, str] = {}

    def see(self, event: Event, _at: int) -> None:
        """Take note of a refusal by rule; the same command done later settles it."""
        if not isinstance(event, Ran):
            return
        if event.state == "denied":
            self.commands[event.command] = event.place
            keep(self.commands, _MOST)
        elif event.state == "done":
            self.commands.pop(event.command, None)


class Locked:
    """Collects commands that failed for want of a login, a token or a quota, and that nothing has
    done since: only the person can open that door.
    """

    def __init__(self) -> None:
        self.commands: dict[tuple[str, ...], tuple[str, str, str]] = {}
        """By program and subcommand: the command, what it said, where."""

    def see(self, event: Event, _at: int) -> None:
        """Take note of such a failure; the same command done later settles it."""
        if not isinstance(event, Ran) or event.failed is None:
            return
        commands = split(event.command)
        names = tuple(commands[-1].words[:3]) if commands else ()
        shut = event.failed and commands and not checks(event, "")
        said = _LOCKED.search(event.output) if shut else None
        if said:
            self.commands[names] = (commands[-1].text, said.group().strip(), event.place)
            keep(self.commands, _SHOWN)
        elif not event.failed:
            self.commands.pop(names, None)

    def items(self, start: float) -> tuple[Item[str], ...]:
        """Those after that line of the transcript."""
        return tuple(
            Item(
                text=f"{code(command, _COMMAND)} waits for access: {one_line(said, 200)}",
                evidence="observed",
                places=(place,),
            )
            for command, said, place in self.commands.values()
            if order_of(place) >= start
        )


class Conflicts:
    """Collects merge conflicts that nothing has resolved since."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def see(self, event: Event, _at: int) -> None:
        """Take note of conflicts, and of what ended them."""
        if not isinstance(event, Ran) or "git" not in event.command:
            return
        if event.failed is False and any(
            word in event.command for word in ("commit", "--abort", "--continue", "reset --hard")
        ):
            self.files.clear()
        for line in event.output.splitlines():
            if line.startswith("CONFLICT (") and " in " in line:
                self.files[line.rsplit(" in ", 1)[1].strip()] = event.place


def blockers(
    state: State, commits: Commits, waiting: Waiting, denied: Denied, conflicts: Conflicts
) -> tuple[Item[str], ...]:
    """Concrete obstacles: what failed and has not passed since, what waits for the person
    or for a machine, what stopped the work, what was not allowed.
    """
    found = [
        *_failing(state),
        *([commits.hook_failure] if commits.hook_failure else []),
        *_conflicts(conflicts),
        *_person(state),
        *_halts(state),
        *_machine(waiting),
        *_denied(denied),
        *state.locked,
    ]
    return tuple(found[:_MOST])


def _failing(state: State) -> Iterator[Item[str]]:
    start = since(state.talk)
    for run in state.runs:
        recent = max((order_of(place) for place in run.places), default=start) >= start
        if run.outcome == "failed" and (recent or run.kind in {"test", "build"}):
            where = f" in {run.cwd}" if run.cwd else ""
            after = f" ({edits(run.edits_after)} since, not run again)" if run.edits_after else ""
            yield Item(
                text=f"`{one_line(run.command, 240)}`{where} fails"
                + (outcome(run, 500) or ": no reason was printed")
                + after,
                evidence="observed",
                places=run.places,
            )


def _conflicts(conflicts: Conflicts) -> Iterator[Item[str]]:
    for path, place in conflicts.files.items():
        yield Item(text=f"Merge conflict in {path}", evidence="observed", places=(place,))


def _person(state: State) -> Iterator[Item[str]]:
    question = open_question(state.talk, state.questions)
    if question:
        text = f"Waits for the person's answer: {quoted(one_line(question.text, 300))}"
        yield Item(text=text, evidence=question.evidence, places=question.places)
    wait = awaited(state.talk) if question is None else None
    if wait:
        yield replace(wait, text=f"Waits for the person: {quoted(wait.text)}")
    if state.plans.pending:
        plan = state.plans.pending
        text = f"Waits for the person's word on the plan: {title_of(plan)}"
        yield Item(text=text, evidence="observed", places=(plan.place,))


def _halts(state: State) -> Iterator[Item[str]]:
    halt = state.talk.halt
    if halt and not _FULL.search(halt.reason):
        text = f"The client stopped the work: {one_line(halt.reason, 200)}"
        yield Item(text=text, evidence="observed", places=(halt.place,))


def _machine(waiting: Waiting) -> Iterator[Item[str]]:
    for task in list(waiting.delegated.values())[-_SHOWN:]:
        text = f"A sub-agent had not reported yet; it was told: {one_line(task.task, _TOLD)}"
        yield Item(text=text, evidence="observed", places=(task.place,))


def _denied(denied: Denied) -> Iterator[Item[str]]:
    for command, place in list(denied.commands.items())[-_SHOWN:]:
        text = f"Not allowed without the person: `{one_line(command, 200)}`"
        yield Item(text=text, evidence="observed", places=(place,))
