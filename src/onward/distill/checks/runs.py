"""Distil: the last outcome of each check, what still fails, and what failed again and again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from onward.distill import paths
from onward.distill.checks import scripts, summary
from onward.distill.checks.bursts import COMMAND, Burst, Tries
from onward.distill.checks.outcome import Check, checks, find, judge
from onward.distill.fold import keep
from onward.distill.shell.forms import Form, covers, folder_of, is_narrow
from onward.distill.shell.looking import is_looking
from onward.distill.shell.split import Command, split
from onward.distill.shell.written import Told, written
from onward.distill.text import one_line, vocabulary
from onward.model import Background, Edited, Event, Ran, Run

_MOST = 200
"""Checks and commands that are remembered; the oldest go first."""
_STALE = 9
"""Edits after which a script that failed says nothing of how things stand."""
_WHOLE = vocabulary(
    "npm pnpm yarn bun make just task tox nox turbo nx mise mvn gradle gradlew mvnw"
)
"""Programs behind which stands the project's own idea of "all tests"."""

REMOVED = "of files that were removed since"
"""The summary of a pass that says nothing of the files that are there now."""

Key = tuple[str, Form]


class _Seen(Struct, kw_only=True):
    """The last run of one check."""

    run: Run[str]
    form: Form
    at: int
    edits: int
    failing: tuple[str, ...] = ()
    runner: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    """The files that the command names."""


class Runs:
    """Collects the runs of tests, builds, linters and type checkers."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._seen: dict[Key, _Seen] = {}
        self._tries = Tries(root)
        self._waiting: dict[str, tuple[Ran, int]] = {}
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
        """The last run of each check that still says something, newest first.

        A run of one file is out of date once the whole suite ran after it. Where all files that it
        names were removed after it, a pass says so and a failure is nothing to mend: `is_gone`
        says that of a path and a running number.
        """
        out: list[_Seen] = []
        for seen in sorted(self._seen.values(), key=lambda s: -s.at):
            if seen.run.kind == "other" and self._edits - seen.edits > _STALE:
                continue
            if not any(self._outdates(later, seen) for later in out):
                out.append(seen)
        gone = {
            id(seen)
            for seen in out
            if is_gone and seen.files and all(is_gone(path, seen.at) for path in seen.files)
        }
        return tuple(
            replace(self._told(seen), summary=REMOVED) if id(seen) in gone else self._told(seen)
            for seen in out
            if seen.run.outcome == "passed" or id(seen) not in gone
        )

    def failing(self) -> tuple[Run[str], ...]:
        """Checks whose last run failed and that no later run covers, newest first."""
        return tuple(run for run in self.last() if run.outcome == "failed")

    def bursts(self) -> tuple[Burst, ...]:
        """Commands that failed again and again and never worked after, newest first."""
        return self._tries.bursts()

    def _told(self, seen: _Seen) -> Run[str]:
        run = seen.run
        return Run(
            command=run.command,
            kind=run.kind,
            outcome=run.outcome,
            summary=run.summary,
            decisive=run.decisive,
            edits_after=self._edits - seen.edits,
            cwd=run.cwd,
            places=run.places,
        )

    def _outdates(self, later: _Seen, seen: _Seen) -> bool:
        """Whether a later run leaves nothing to say of an earlier one.

        An unseen outcome does not wipe out a known one.
        """
        if (later.run.cwd, later.run.kind) != (seen.run.cwd, seen.run.kind):
            return False
        if later.run.outcome == "unseen" != seen.run.outcome:
            return False
        if covers(later.form, seen.form):
            return True
        if later.run.outcome != "passed" or seen.run.outcome == "passed":
            # What passed by another command is as true as before, and may be typed again.
            return False
        whole = is_whole(later.form, seen.form) or _same_runner(later, seen)
        return whole or _mended(later.form, seen)

    def _ran(self, ran: Ran, at: int) -> None:
        if self._is_tail(ran, at):
            return
        found = checks(ran, self._root)
        if ran.background:
            self._waiting[ran.background] = (ran, at)
            keep(self._waiting, _MOST)
        for check in found:
            self._note(check, ran.place, at, cut=ran.state in {"interrupted", "timeout"})
        if not found:
            self._script(ran, at)
        changes = written(ran)
        self._told_of.note(ran, changes)
        changed = (paths.relative(w.to or w.path, self._root) for w in changes)
        self._edits += sum(not paths.apart(path) for path in changed)
        self._tries.take(ran, found, at)

    def _script(self, ran: Ran, at: int) -> None:
        """A script of the project: worth telling while its last run failed, and no longer."""
        check = scripts.failed(ran, self._root)
        if check:
            self._note(check, ran.place, at)
        elif ran.failed is False:
            again = scripts.forms(ran, self._root)
            for key in [k for k in self._seen if k[1][:3] in again]:
                if self._seen[key].run.kind == "other":
                    del self._seen[key]

    def _note(self, check: Check, place: str, at: int, *, cut: bool = False) -> None:
        cwd = paths.relative(folder_of(check.command), self._root)
        cwd = "" if cwd == "." else cwd
        key = (cwd, check.form)
        before = self._seen.pop(key, None)
        scratch = paths.apart(check.form.program) or paths.apart(check.form.arg)
        if scratch and check.outcome != "passed":
            return  # a trial that fails is nothing to mend
        if before and check.outcome == "unseen":
            if before.run.outcome == "failed" and not cut:
                before = _in_doubt(before, place, at, self._edits)
            # What is known of it is worth more than that it ran once more.
            if before.run.outcome != "unseen" or before.run.summary:
                self._seen[key] = before
                return
        run = Run[str](
            command=one_line(check.command.text, COMMAND),
            kind=check.kind,
            outcome=check.outcome,
            summary=check.summary or None,
            decisive=check.decisive,
            cwd=cwd or None,
            places=(place,),
        )
        self._seen[key] = _Seen(
            run=run,
            form=check.form,
            at=at,
            edits=self._edits,
            failing=check.failing,
            runner=check.runner,
            files=frozenset(_named(check.command)),
        )
        keep(self._seen, _MOST)
        if check.outcome == "passed" and check.kind == "test" and not scratch:
            self._green[is_narrow(check.form)] = at

    def _is_tail(self, ran: Ran, at: int) -> bool:
        """`tail /tmp/…/b12.output`: news of the background task `b12`."""
        for name in self._waiting:
            if len(name) > 2 and name in ran.command and not ran.background:
                commands = split(ran.command)
                if commands and all(is_looking(c) for c in commands):
                    self._news(name, ran.output, "running", at)
                    return True
        return False

    def _news(self, name: str, output: str, state: str, at: int) -> None:
        """The end of a background task, or a look at what it has printed so far."""
        if name not in self._waiting or state == "killed":
            self._waiting.pop(name, None)
            return
        ran, began = self._waiting[name]
        commands = split(ran.command, ran.cwd)
        status = {"done": 0, "failed": 1}.get(state)
        told = re.search(r"exit code:?\s*(\d+)", output[:400])
        if status is not None and told:
            status = int(told.group(1))
        text = summary.clean(output)
        found = find(commands, self._root, text)
        judged = judge(found, commands, text, status, pipefail="pipefail" in ran.command)
        for check in judged:
            if check.outcome != "unseen":
                self._end(check, ran.place, at, began)
        if status is not None:
            del self._waiting[name]

    def _end(self, check: Check, place: str, at: int, began: int) -> None:
        """A background run's outcome; edits made while it ran came after it."""
        cwd = paths.relative(folder_of(check.command), self._root)
        before = self._seen.get(("" if cwd == "." else cwd, check.form))
        if before and before.at > began:
            return
        edits, now = (before.edits if before else self._edits), self._edits
        self._edits = edits
        self._note(check, place, at)
        self._edits = now


def _named(command: Command) -> Iterator[str]:
    """The files that a command names, as paths from the root."""
    for word in command.words[1:]:
        if paths.known(word) and paths.has_suffix(word) and not word.startswith("-"):
            yield paths.join(folder_of(command), word)


def _in_doubt(seen: _Seen, place: str, at: int, edits: int) -> _Seen:
    """A failure that was run again, with an end that nobody saw: it may be mended or not."""
    told = next(iter(filter(None, [seen.run.summary, *seen.run.decisive[:1]])), "")
    run = Run[str](
        command=seen.run.command,
        kind=seen.run.kind,
        outcome="unseen",
        summary=f"failed earlier ({told}); run again since, end not seen",
        cwd=seen.run.cwd,
        places=(place, *seen.run.places[:1]),
    )
    return _Seen(run=run, form=seen.form, at=at, edits=edits, runner=seen.runner)


def _same_runner(later: _Seen, seen: _Seen) -> bool:
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


def _mended(later: Form, seen: _Seen) -> bool:
    """Whether a narrower pass ran every test that had failed: `-run TestA` after TestA failed."""
    if later[:2] != seen.form[:2] or not seen.failing:
        return False
    parts = [p.strip("^$") for p in later.narrow.split("|")] if later.narrow else [later.arg]
    return all(any(part and part in name for part in parts) for name in seen.failing)
