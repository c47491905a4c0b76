"""Install, doctor: what running the registered commands showed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import groupby

from onward.clients.doctor import foreign
from onward.clients.doctor.case import Case
from onward.clients.doctor.finding import Finding, broken, ok, remark
from onward.clients.doctor.levels import entries, levels
from onward.clients.doctor.trial import LIMIT, Probe, Run, probe

_SLOW = 1.0  # seconds; a user waits for a prompt's hook and for a start's
_LOUD = {"SessionStart", "PreCompact"}  # the events whose output the client is meant to use
_RUN = "run"
_SHOWN = 3


def commands(case: Case) -> Iterator[Finding]:
    """Each registration by itself: its commands' ends, their time, and their work."""
    shell = "/bin/sh" if os.name != "nt" else shutil.which("sh") or ""
    found = entries(levels(case))
    if found and not shell:
        yield remark(_RUN, "there is no sh here", "the hooks could not be tried", "install git")
        return
    for level, group in groupby(found, lambda entry: entry.level):
        ours = list(group)
        if strange := foreign.parts(case, level, ours):
            yield _not_run(strange)
            continue
        try:
            done = probe(case, level, ours, shell)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            why = "the hooks could not be tried"
            yield remark(_RUN, f"no throw-away project: {reason}", why, "look at TMPDIR")
            return
        faults = [*_ends(done), *_work(case, done)]
        yield from faults or [_well(case, done)]
        yield from _slow(done)


def _not_run(strange: list[str]) -> Finding:
    more = f" and {len(strange) - _SHOWN} more" if len(strange) > _SHOWN else ""
    return remark(
        _RUN,
        f"not as onward wrote them, so not run: {', '.join(strange[:_SHOWN])}{more}",
        "they may have come with the repository, and the client was never told to trust this folder",
        "read them; if they are good, start claude here and trust the folder, then: onward doctor",
    )


def _ends(done: Probe) -> Iterator[Finding]:
    for run in done.runs:
        event = run.entry.event
        if run.exit_code is None:
            limit = run.entry.timeout or LIMIT
            yield broken(
                _RUN,
                f"the command of {event} was still running after {limit:g} s",
                "the client waits so long each time, then throws its answer away",
                "onward doctor --fix",
                "launcher",
            )
        elif run.exit_code:
            yield broken(
                _RUN,
                f"the command of {event} ended with status {run.exit_code}",
                "status 2 blocks the user's prompts, any other discards what we say",
                "onward install",
                "files",
            )
        elif run.stdout.strip() and event not in _LOUD:
            yield broken(
                _RUN,
                f"the command of {event} printed {len(run.stdout)} characters with nothing to say",
                "the model reads them as if they belonged to the work",
                "onward install",
                "files",
            )


def _work(case: Case, done: Probe) -> Iterator[Finding]:
    """Whether the work was done that a session's end and the next one's beginning are there for."""
    tried = {run.entry.event for run in done.runs}
    logged = f"; the log says: {done.log}" if done.log else ""
    where = case.shown(done.level.path)
    if not done.kept and tried & {"SessionEnd", "PreCompact"}:
        yield broken(
            _RUN,
            f"the commands in {where} kept no copy of a transcript{logged}",
            "they end well and do nothing: sessions are not captured",
            "onward doctor --fix",
            "launcher",
        )
    elif done.kept and not done.told and "SessionStart" in tried:
        yield broken(
            _RUN,
            f"the command of SessionStart in {where} did not tell of the kept copy{logged}",
            "the next session does not know that there is something to resume",
            "onward install; if that does not help, report what the log says",
            "files",
        )
    if done.kept and done.prepared is None:
        yield remark(
            _RUN,
            f"no hand-over was prepared after a session's end{logged}",
            "the next session is told that there is a backup, and not what it was about",
            "onward doctor --fix",
            "launcher",
        )


def _well(case: Case, done: Probe) -> Finding:
    times = ", ".join(f"{run.entry.name} {run.seconds * 1000:.0f} ms" for run in done.runs)
    return ok(_RUN, f"{case.shown(done.level.path)}: {times}")


def _slow(done: Probe) -> Iterator[Finding]:
    slow: list[Run] = [r for r in done.runs if r.exit_code is not None and r.seconds > _SLOW]
    if slow:
        names = ", ".join(f"{run.entry.name} {run.seconds:.1f} s" for run in slow)
        yield remark(
            _RUN,
            f"slow: {names}",
            "the client waits for them; with nothing to do each takes a fraction of a second",
            "the machine was busy or the disk is slow; measure again: onward doctor",
        )
