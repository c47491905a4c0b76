"""The last outcome of each test, build, lint and type check, and what failed again and again.

One check is one command, whatever folder, wrapper or variables it ran with. Runs of it stay
apart only where both really ran in folders beside each other, as in two packages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import Background, Edited, Event, Failure, Ran, Run
from onward.record.checks import Check, checks, decisive, find, judge, last_lines, status_of
from onward.record.collector import keep
from onward.record.commands import (
    Form,
    covers,
    folder_of,
    is_inline,
    is_looking,
    is_narrow,
    normal_form,
)
from onward.record.effects import Told, written
from onward.record.runners import clean, counts
from onward.record.shell import Command, split
from onward.record.text import one_line, vocabulary

_MOST = 200
"""Checks and commands that are remembered; the oldest go first."""
_COMMAND = 300
_TWICE = 2
_STALE = 9
"""Edits after which a run whose result is unknown says nothing."""
_LINES = 4
_STOPPED = frozenset({124, 130, 137, 143})
"""Exit statuses of a time limit, Ctrl-C, and the two signals that end a program."""
_WHOLE = vocabulary(
    "npm pnpm yarn bun make just task tox nox turbo nx mise mvn gradle gradlew mvnw"
)
"""Programs behind which stands the project's own idea of "all tests"."""


class _Last(Struct, kw_only=True):
    """The last known outcome of one check in one folder."""

    run: Run[str]
    form: Form
    cwd: str
    at: int
    edits: int
    counted: bool
    """It failed in what it checks, and not for want of a project in that folder."""
    failing: tuple[str, ...] = ()
    runner: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    """The files that the command names."""


class Runs:
    """Collects the runs of tests, builds, linters and type checkers."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._last: dict[tuple[str, Form], _Last] = {}
        self._started: dict[str, tuple[Ran, int]] = {}
        self._edits = 0
        self._told_of = Told()
        self._green = {True: -1, False: -1}

    def see(self, event: Event, at: int) -> None:
        """Take note of runs, of edits after them, and of news of background tasks."""
        if isinstance(event, Edited):
            again = self._told_of.covers(event.place, paths.tidy(event.path))
            self._edits += not (again or paths.apart(paths.relative(event.path, self._root)))
        elif isinstance(event, Ran):
            self._ran(event, at)
        elif isinstance(event, Background):
            self._news(event.id, event.output, event.state, at)

    @property
    def last_green_at(self) -> int:
        """Running number of the last whole test run that passed; where only parts of the
        tests ever passed, of the last of these; -1 if none did.
        """
        return self._green[False] if self._green[False] >= 0 else self._green[True]

    def last(self, is_gone: Callable[[str, int], bool] | None = None) -> tuple[Run[str], ...]:
        """The last run of each check that no later one covers, newest first. Where all files
        that its command names were removed since (`is_gone` of a path and a running number),
        it says nothing any more.
        """
        out: list[_Last] = []
        for seen in sorted(self._last.values(), key=lambda s: -s.at):
            gone = is_gone and seen.files and all(is_gone(p, seen.at) for p in seen.files)
            stale = seen.run.outcome == "unseen" and self._edits - seen.edits > _STALE
            if not gone and not stale and not any(_closes(later, seen) for later in out):
                out.append(seen)
        return tuple(replace(s.run, edits_after=self._edits - s.edits) for s in out)

    def _ran(self, ran: Ran, at: int) -> None:
        if self._is_look_at_output(ran, at):
            return
        if ran.background:
            self._started[ran.background] = (ran, at)
            keep(self._started, _MOST)
        for check in checks(ran, self._root):
            self._note(check, ran.place, at, cut=ran.state in {"interrupted", "timeout"})
        changes = written(ran)
        self._told_of.note(ran, changes)
        changed = (paths.relative(w.to or w.path, self._root) for w in changes)
        self._edits += sum(not paths.apart(path) for path in changed)

    def _note(
        self, check: Check, place: str, at: int, edits: int | None = None, *, cut: bool = False
    ) -> None:
        cwd = paths.relative(folder_of(check.command), self._root)
        cwd = "" if cwd == "." else cwd
        scratch = paths.apart(check.form.program) or paths.apart(check.form.arg)
        run = Run[str](
            command=one_line(check.command.text, _COMMAND),
            kind=check.kind,
            outcome=check.outcome,
            summary=check.summary or None,
            decisive=check.decisive,
            cwd=cwd or None,
            places=(place,),
        )
        key = (cwd, check.form)
        before = self._last.pop(key, None)
        if scratch and check.outcome != "passed":
            return  # a trial outside of the project
        if before and check.outcome == "unseen" and before.run.outcome != "unseen":
            if before.run.outcome == "passed" or cut:
                self._last[key] = before  # what is known is worth more than that it ran again
                return
            run = replace(run, summary=_again(before.run), places=(place, *before.run.places[:1]))
        self._last[key] = _Last(
            run=run,
            form=check.form,
            cwd=cwd,
            at=at,
            edits=self._edits if edits is None else edits,
            counted=_counted(check),
            failing=check.failing,
            runner=check.runner,
            files=frozenset(_named(check.command)),
        )
        keep(self._last, _MOST)
        if check.outcome == "passed" and check.kind == "test" and not scratch:
            self._green[is_narrow(check.form)] = at

    def _is_look_at_output(self, ran: Ran, at: int) -> bool:
        """`tail /tmp/…/b12.output`: news of the background task `b12`."""
        for name in self._started:
            if len(name) > 2 and name in ran.command and not ran.background:
                commands = split(ran.command)
                if commands and all(is_looking(c) for c in commands):
                    self._news(name, ran.output, "running", at)
                    return True
        return False

    def _news(self, name: str, output: str, state: str, at: int) -> None:
        """The end of a background task, or a look at what it has printed so far."""
        if name not in self._started or state == "killed":
            self._started.pop(name, None)
            return
        ran, began = self._started[name]
        commands = split(ran.command, ran.cwd)
        status = {"done": 0, "failed": 1}.get(state)
        told = re.search(r"exit code:?\s*(\d+)", output[:400])
        if status is not None and told:
            status = int(told.group(1))
        text = clean(output)
        found = find(commands, self._root, text)
        judged = judge(found, commands, text, status, pipefail="pipefail" in ran.command)
        for check in judged:
            before = self._last.get((self._folder(check), check.form))
            if check.outcome != "unseen" and not (before and before.at > began):
                # Edits that were made while it ran came after it.
                self._note(check, ran.place, at, edits=before.edits if before else None)
        if status is not None:
            del self._started[name]

    def _folder(self, check: Check) -> str:
        cwd = paths.relative(folder_of(check.command), self._root)
        return "" if cwd == "." else cwd


def _counted(check: Check) -> bool:
    told = counts(check.summary) or bool(check.failing)
    return told or not (check.summary or check.decisive)


def _again(run: Run[str]) -> str:
    """A failure that was run again with an unknown result: it may be fixed or not."""
    told = next(iter(filter(None, [run.summary, *run.decisive[:1]])), "")
    return f"failed earlier{f' ({told})' if told else ''}; run again since, result unknown"


def _named(command: Command) -> Iterator[str]:
    """The files that a command names, as paths from the root."""
    for word in command.words[1:]:
        if paths.known(word) and paths.has_suffix(word) and not word.startswith("-"):
            yield paths.join(folder_of(command), word)


def _closes(later: _Last, seen: _Last) -> bool:
    """Whether a later run leaves nothing to say of an earlier one."""
    if later.run.kind != seen.run.kind or not _same_place(later, seen):
        return False
    if later.form[:2] != seen.form[:2] and seen.run.outcome == "passed":
        # What passed by another command is as true as before, and may be typed again.
        return False
    if covers(later.form, seen.form):
        # A run of a part whose end is unknown takes nothing from what is known of it.
        return later.run.outcome != "unseen" or later.form == seen.form
    if later.run.outcome != "passed" or seen.run.outcome == "passed":
        return False
    whole = is_whole(later.form, seen.form) or _same_runner(later, seen)
    return whole or _passed_since(later.form, seen)


def _same_place(later: _Last, seen: _Last) -> bool:
    """Whether both ran the same thing: in one folder or one above the other, or one of them
    never got to run anything where it was started.
    """
    one, other = later.cwd, seen.cwd
    if not one or not other or one == other:
        return True
    if one.startswith(other + "/") or other.startswith(one + "/"):
        return True
    return not seen.counted


def _same_runner(later: _Last, seen: _Last) -> bool:
    """`tspec test` that ends in cargo's own summary, after a `cargo test` that failed."""
    if seen.run.outcome != "failed" or is_narrow(later.form):
        return False
    if not later.runner & {seen.form.program, *seen.runner}:
        return False
    return later.run.kind == "test" or later.form.sub == seen.form.sub


def is_whole(later: Form, seen: Form) -> bool:
    """`make test` after `pytest x.py`; but `npm run test:unit` not after `npm run test:e2e`."""
    if later.program not in _WHOLE or is_narrow(later):
        return False
    return seen.program not in _WHOLE or later.sub.endswith((":ci", ":all", "-all"))


def _passed_since(later: Form, seen: _Last) -> bool:
    """Whether a narrower pass ran every test that had failed: `-run TestA` after TestA failed."""
    if later[:2] != seen.form[:2] or not seen.failing:
        return False
    parts = [p.strip("^$") for p in later.narrow.split("|")] if later.narrow else [later.arg]
    return all(any(part and part in name for part in parts) for name in seen.failing)


# ------------------------------------------------------------------ repeated failures


class _Tries(Struct, kw_only=True):
    command: str
    cwd: str
    times: int = 0
    lines: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


class Failures:
    """Collects commands other than checks that failed and never worked after. Only scripts with
    one command that does something count: which of several failed, the status does not tell.
    """

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._tries: dict[Form, _Tries] = {}

    def see(self, event: Event, _at: int) -> None:
        """Take note of a run."""
        if not isinstance(event, Ran) or event.thread or event.state != "done" or event.background:
            return
        status = status_of(event)
        if status is None or status in _STOPPED:
            return
        commands = split(event.command, event.cwd)
        doing = [c for c in commands if not is_looking(c)]
        if not status:
            for command in doing:
                self._worked(command)
            return
        if len(doing) != 1 or doing[0].piped or checks(event, self._root):
            return
        if "CONFLICT (" in event.output:
            return  # a merge that went on by hand
        form = normal_form(doing[0].words, self._root)
        if form is not None and not is_inline(form):
            self._failed(form, doing[0], event)

    def _worked(self, command: Command) -> None:
        form = normal_form(command.words, self._root)
        for key in [k for k in self._tries if form and (k == form or covers(form, k))]:
            del self._tries[key]

    def _failed(self, form: Form, command: Command, ran: Ran) -> None:
        cwd = paths.relative(folder_of(command), self._root)
        before = self._tries.pop(form, None)
        text = clean(ran.output)
        self._tries[form] = _Tries(
            command=one_line(command.text, _COMMAND),
            cwd="" if cwd == "." else cwd,
            times=(before.times if before else 0) + 1,
            lines=decisive(text)[:_LINES] or last_lines(text, _LINES - 1),
            places=(*(before.places if before else ()), ran.place)[-3:],
        )
        keep(self._tries, _MOST)

    def items(self) -> tuple[Failure[str], ...]:
        """Commands that failed at least twice and never worked after, newest first."""
        return tuple(
            Failure(
                command=tries.command,
                times=tries.times,
                lines=tries.lines,
                cwd=tries.cwd or None,
                places=tries.places,
            )
            for tries in reversed(self._tries.values())
            if tries.times >= _TWICE
        )
