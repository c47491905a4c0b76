"""The last outcome of each test, build, lint and type check, and what failed again and again.

One check is one command, whatever folder, wrapper or variables it ran with. Runs of it stay
apart only where both really ran in folders beside each other, as in two packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.evidence import order_of
from onward.model import Background, Event, Failure, Ran, Run, RunEnd
from onward.record.checks import (
    Check,
    checks,
    could_not_start,
    decisive,
    last_lines,
    status_of,
    with_hooks,
)
from onward.record.commands import (
    Form,
    covers,
    folder_of,
    is_check_by_name,
    is_inline,
    is_looking,
    is_narrow,
    is_plain,
    kind_of,
    named_files,
    normal_form,
)
from onward.record.edits import Edits
from onward.record.pasted import pasted
from onward.record.runners import clean, counts
from onward.record.shell import Command, bare, split, variables
from onward.record.text import keep, one_line, vocabulary

_MOST = 200
"""Checks and commands that are remembered; the oldest go first."""
_COMMAND = 300
_TWICE = 2
_STALE = 9
"""Edits after which a run whose result is unknown says nothing."""
_LINES, _CHANGES = 3, 20
_STOPPED = frozenset({124, 130, 137, 143})
"""Exit statuses of a time limit, Ctrl-C, and the two signals that end a program."""
_NOT_TRIED = re.compile(r"^\^C|\bcd: ", re.MULTILINE)
"""Ctrl-C as the terminal shows it, and a folder that was not there."""
_COMPILERS = vocabulary("go cargo dotnet swift")
"""What they test, they build first; go only the test's own binary (`go test -c`): the names that `go build`
misses may stand in a `_test.go` file, which `go test` and `go vet` read too, and vet links nothing.
"""
_OUTPUT_OPTIONS = frozenset({"-c", "-o"})
"""Options that only say what a build leaves behind."""
_WHOLE = vocabulary(
    "npm pnpm yarn bun make just task tox nox turbo nx mise mvn gradle gradlew mvnw"
)
"""Programs behind which stands the project's own idea of "all tests"."""
_ENDED_BY: dict[str, RunEnd] = {"timeout": "time-limit", "interrupted": "interrupted"}
_STATUS = re.compile(r"exit code:?\s*(\d+)")


class _Last(Struct, frozen=True, kw_only=True):
    """The last known outcome of one check in one folder."""

    run: Run[str]
    check: Check
    at: int
    edits: int


class Runs:
    """Collects the runs of tests, builds, linters and type checkers. `edits` is the collector of
    edits, which is shown each event after this one.
    """

    def __init__(self, root: str, edits: Edits) -> None:
        self._root = root
        self._edits = edits
        self._last: dict[tuple[str, Form], _Last] = {}
        self._unstarted: dict[Form, _Last] = {}
        self._started: dict[str, tuple[Ran, int, int]] = {}
        """Commands in the background, with when they began and the edits by then."""
        self.last_green_at = -1
        """Running number of the last run of tests that passed, of all or of some; -1 if none did."""
        self.last_unseen_at = -1
        """The same of one whose result is not known."""
        self.failures = Failures(root, edits)
        self._own = frozenset[Form]()
        """Checks that only their output told to be any, most often programs of the project."""

    def see(self, event: Event, at: int) -> None:
        """Take note of runs, pasted ones too, and of news of background tasks."""
        for check in pasted(event, self._root):
            self._note(check, event.place, at)
        if isinstance(event, Ran):
            self._ran(event, at)
        elif isinstance(event, Background) and event.state != "running":
            self._ended(event, at)

    def last(self) -> tuple[Run[str], ...]:
        """The last run of each check that no later one covers, newest first. One that did not pass
        says nothing any more where all files that its command names were removed since.
        """
        out: list[_Last] = []
        ran = {form for _, form in self._last}
        tried = (seen for form, seen in self._unstarted.items() if form not in ran)
        for seen in sorted((*self._last.values(), *tried), key=lambda s: -s.at):
            outcome, files = seen.run.outcome, named_files(seen.check.command)
            gone = files and all(self._edits.is_removed(path, seen.at) for path in files)
            stale = outcome == "unseen" and self._edits.count - seen.edits > _STALE
            stale = stale and seen.check.started
            over = stale or (gone and outcome != "passed")
            if not over and not any(_closes(later, seen) for later in out):
                out.append(seen)
        return tuple(replace(s.run, edits_after=self._edits_after(s)) for s in out)

    def _edits_after(self, seen: _Last) -> int:
        """Edits since; those of another folder say nothing of a check of the project, and the other
        way round. A document undoes no pass and no unknown result, but it may be the repair of a failure.
        """
        if not seen.check.started:
            return 0
        inside, failed = not paths.absolute(seen.run.cwd or ""), seen.run.outcome == "failed"
        return self._edits.since(seen.edits, inside=inside, prose=failed)

    def _ran(self, ran: Ran, at: int) -> None:
        if ran.background:
            self._started[ran.background] = (ran, at, self._edits.count)
            keep(self._started, _MOST)
        found = checks(ran, self._root, self._own)
        for check in found:
            self._note(check, ran.place, at, cut=_ENDED_BY.get(ran.state, ""))
        if tried := could_not_start(ran, self._root):
            self._unstarted.pop(tried.form, None)
            run = self._run(tried, ran.place)
            self._unstarted[tried.form] = _Last(run=run, check=tried, at=at, edits=0)
            keep(self._unstarted, _MOST)
        if ran.state == "done" and not ran.background and not ran.thread:
            self.failures.see(ran, found)
        if "git" in ran.command and not found:
            # How the hooks ended this time was not seen.
            hooked = {with_hooks(command) for command in split(ran.command, ran.cwd)}
            self._last = {key: seen for key, seen in self._last.items() if key[1] not in hooked}

    def _note(
        self, check: Check, place: str, at: int, edits: int | None = None, *, cut: RunEnd = ""
    ) -> None:
        """Take note of a check; `cut` says what ended it before its own end."""
        key = cwd, form = self._key(check)
        self._own |= set() if kind_of(form, check.command.words) else {form}
        run = self._run(check, place, cut)
        before = self._last.pop(key, None)
        scratch = paths.apart(check.form.program) or paths.apart(check.form.arg)
        if scratch and check.outcome != "passed":
            return  # a trial outside of the project
        self.failures.judge(check, cwd, place)
        if check.kind == "test" and not scratch:
            self.last_green_at = at if check.outcome == "passed" else self.last_green_at
            unknown = check.outcome == "unseen" and not cut
            self.last_unseen_at = at if unknown else self.last_unseen_at
        if before and check.outcome == "unseen" and before.run.outcome != "unseen":
            if before.run.outcome == "passed" or cut:
                # What is known is worth more than that it, or a part of it, ran again.
                same = before.check.command.words == check.command.words
                places = (before.run.places[0], place) if same else before.run.places
                self._last[key] = replace(before, run=replace(before.run, places=places))
                return
            told = next(iter(filter(None, [before.run.summary, *before.run.decisive[:1]])), None)
            places = (place, *before.run.places[:1])
            run = replace(run, known="failed-before", summary=told, places=places)
        elif before and check.outcome == "unseen" and before.run.places[1:]:
            # The same a second time.
            places = (place, *before.run.places[1:])
            run = replace(run, known=before.run.known, summary=before.run.summary, places=places)
        edits = self._edits.count if edits is None else edits
        self._last[key] = _Last(run=run, check=check, at=at, edits=edits)
        keep(self._last, _MOST)

    def _run(self, check: Check, place: str, known: RunEnd = "") -> Run[str]:
        # `ok` and `PASS` say no more than that it passed.
        tells = check.outcome != "passed" or counts(check.summary)
        by_status = check.outcome == "passed" and not check.summary and is_check_by_name(check.form)
        known = "status" if by_status else known if check.started else "not-started"
        return Run(
            command=one_line(check.command.typed, _COMMAND),
            kind=check.kind,
            outcome=check.outcome,
            summary=(tells and check.summary) or None,
            decisive=check.decisive,
            pasted=check.pasted,
            known=known,
            cwd=self._key(check)[0] or None,
            places=(place,),
        )

    def _ended(self, news: Background, at: int) -> None:
        """The end of a background task."""
        ran, began, edits = self._started.pop(news.id, (None, 0, 0))
        if ran is None or news.state == "killed":
            return
        told = _STATUS.search(news.output[:400])
        status = int(told.group(1)) if told else int(news.state == "failed")
        whole = replace(
            ran, output=news.output, background="", failed=bool(status), exit_code=status
        )
        found = checks(whole, self._root)
        self.failures.see(whole, found)
        for check in found:
            before = self._last.get(self._key(check))
            if check.outcome != "unseen" and not (before and before.at > began):
                # Edits that were made while it ran came after it.
                self._note(check, ran.place, at, edits=edits)

    def _key(self, check: Check) -> tuple[str, Form]:
        cwd = paths.relative(folder_of(check.command), self._root)
        return "" if cwd == "." else cwd, check.form


def _closes(later: _Last, seen: _Last) -> bool:
    """Whether a later run leaves nothing to say of an earlier one."""
    new, old, outcome = later.check.form, seen.check.form, later.run.outcome
    if _compiles(later, seen):
        return True
    if later.run.kind != seen.run.kind or not _same_place(later, seen):
        return False
    if seen.run.outcome == "passed" and new[:2] != old[:2]:
        # What passed by another command is as true as before, and may be typed again.
        return False
    if covers(new, old):
        # A run of a part whose end is unknown takes nothing from what is known of it.
        return outcome != "unseen" or new == old
    if outcome != "passed" or seen.run.outcome == "passed" or is_narrow(new):
        return False
    # `make test` after `pytest x.py`; but `npm run test:unit` not after `npm run test:e2e`.
    every = old.program not in _WHOLE or new.sub.endswith((":ci", ":all", "-all"))
    return new.program in _WHOLE and every


def _compiles(later: _Last, seen: _Last) -> bool:
    """Whether a build that failed was made since, as a part of a later run of tests with the same options.
    What only checks the types (`cargo clippy`) generates no code and does not link.
    """
    new, old = later.check, seen.check
    failed = seen.run.kind in {"build", "types"} and seen.run.outcome == "failed"
    if not failed or later.run.kind not in {"build", "test"} or later.run.outcome != "passed":
        return False
    same = new.form.program == old.form.program and new.form.arg == old.form.arg
    same = same and (new.form.program != "go" or new.form.sub == old.form.sub)
    asked = {word for word in bare(old.command.words) if word.startswith("-")} - _OUTPUT_OPTIONS
    built = same and old.form.program in _COMPILERS and asked <= {*new.command.words}
    return built and _same_place(later, seen)


def _same_place(later: _Last, seen: _Last) -> bool:
    """Whether both ran in one folder, or one of them above the other."""
    one, other = (f"{each.run.cwd or ''}/" for each in (later, seen))
    return "/" in {one, other} or one.startswith(other) or other.startswith(one)


# ------------------------------------------------------------------ repeated failures


class _Key(NamedTuple):
    """By what a command is known again: its form, and its other words or, of a check, its folder."""

    form: Form
    rest: tuple[str, ...]
    is_check: bool = False


class Failures:
    """Collects commands that failed again and again. Of a script without checks only one counts that
    does something with its last command alone: which of several failed, the status does not tell.
    """

    def __init__(self, root: str, edits: Edits) -> None:
        self._root = root
        self._edits = edits
        self._found: dict[_Key, Failure[str]] = {}
        self._given: dict[_Key, frozenset[str]] = {}
        """The variables with which each failed last."""

    def see(self, ran: Ran, found: Sequence[Check]) -> None:
        """Take note of a run, but for the checks that were `found` in it."""
        status, every = status_of(ran), split(ran.command, ran.cwd)
        if status is None or status in _STOPPED or _NOT_TRIED.search(ran.output):
            return
        acts = [c for c in every if not is_looking(c)]
        alone = len(acts) == 1 and acts[0] is every[-1] and not acts[0].hidden and not found
        for command in acts:
            key = self._key(command)
            given = command.given or (command.before == "|" and any(c.given for c in every))
            if key and not status:
                self._worked(key, command, ran.place, sure=alone and not is_plain(key.form))
            # A merge with conflicts goes on by hand.
            elif key and alone and not (is_inline(key.form) or given or "CONFLICT (" in ran.output):
                text = clean(ran.output)
                lines = decisive(text) or last_lines(text, _LINES)[::-1]
                self._failed(key, command, lines, ran.place)

    def judge(self, check: Check, cwd: str, place: str) -> None:
        """Take note of how a check ended, a sub-agent's only if it passed."""
        key = _Key(check.form, (cwd,), is_check=True)
        if check.outcome == "failed" and order_of(place):
            self._failed(key, check.command, check.decisive or (check.summary,), place)
        elif check.outcome == "passed":  # what a linter finds is no approach
            self._worked(key, check.command, place, sure=check.kind != "lint")
            if plain := self._key(check.command):  # that it is a check, only its output tells
                self._worked(plain, check.command, place, sure=False)

    def _key(self, command: Command) -> _Key | None:
        form = normal_form(command.words, self._root)
        rest = (w for w in bare(command.words)[1:] if form and not w.endswith(form.program))
        return _Key(form, tuple(w for w in rest if not w.startswith("-"))) if form else None

    def _failed(self, key: _Key, command: Command, lines: Sequence[str], place: str) -> None:
        before = self._found.pop(key, None)
        if before is None or before.outcome == "passed":
            before = Failure(command="", times=0)
        # A test that fails again may do so in another way.
        line = next((line for line in lines if line not in before.lines), "".join(lines[:1]))
        cwd = paths.relative(folder_of(command), self._root)
        given = variables(command.words)
        varied = before.varied or (before.times > 0 and given != self._given.pop(key, given))
        self._given[key] = given
        self._found[key] = Failure(
            command=one_line(command.typed, _COMMAND),
            times=before.times + 1,
            varied=varied,
            lines=(*(x for x in before.lines if x != line), *filter(None, [line]))[-_LINES:],
            cwd=cwd if cwd not in {"", "."} else None,
            places=(*before.places[:1], place),
        )
        keep(self._found, _MOST)
        keep(self._given, _MOST)

    def _worked(self, key: _Key, command: Command, place: str, *, sure: bool) -> None:
        for k, each in [*self._found.items()]:
            apart = k.is_check and k[1:] != key[1:]
            if each.outcome == "failed" and not apart and covers(key.form, k.form):
                del self._found[k]
                same = k == key and variables(command.words) == self._given.get(k)
                if sure and same and order_of(place) > order_of(each.places[-1]):
                    self._found[k] = replace(each, outcome="passed", places=(*each.places, place))

    def items(self, runs: Iterable[Run[str]] = ()) -> tuple[Failure[str], ...]:
        """Commands that failed at least twice, most failures first, then the newest: those that were
        not seen to work since, of checks only what fails in `runs`; and those that then worked. Of
        these and of checks only where something was changed between the failures.
        """
        failing, out = {(run.command, run.cwd) for run in runs if run.outcome == "failed"}, []
        for key, each in reversed(self._found.items()):
            if each.times < _TWICE:
                continue
            first, last, *worked = map(order_of, each.places)
            tried = self._edits.between(first, last)
            told = worked or not key.is_check or (each.command, each.cwd) in failing
            if told and (tried or not (worked or key.is_check)):
                changed = self._edits.between(last, *worked) if worked else tried
                out.append(replace(each, changed=changed[:_CHANGES]))
        return tuple(sorted(out, key=lambda each: -each.times))
