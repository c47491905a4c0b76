"""Install, doctor: what is registered, run and measured; each finding with what fixes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from onward.clients.doctor import (
    codex,
    folders,
    injected,
    keeping,
    logs,
    program,
    registration,
    running,
    templates,
)
from onward.clients.doctor.case import Case, Session
from onward.clients.doctor.finding import Finding, broken
from onward.clients.doctor.fixes import FIXES
from onward.errors import OnwardError

__all__ = ["CHECKS", "FIXES", "Case", "Finding", "Session", "examine"]

CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    registration.settings,
    registration.hooks,
    registration.starts,
    codex.hooks,
    program.launcher,
    program.on_path,
    program.git,
    running.commands,
    templates.shipped,
    templates.shadowed,
    injected.imports,
    injected.last,
    keeping.captured,
    keeping.cap,
    keeping.marker,
    keeping.cleanup,
    folders.modes,
    folders.ignored,
    folders.writable,
    logs.records,
    logs.log,
)


def examine(case: Case) -> list[Finding]:
    """All findings, in the order of the checks; one that cannot be made is a finding itself."""
    return [finding for check in CHECKS for finding in _made(check, case)]


def _made(check: Callable[[Case], Iterator[Finding]], case: Case) -> Iterator[Finding]:
    name = (check.__doc__ or "").split("\n", maxsplit=1)[0]
    why = f"this could not be looked at: {name}"
    try:
        yield from check(case)
    except OnwardError as error:
        yield broken("doctor", error.message, why, error.hint)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        where = case.shown(case.project.root) if error.filename is None else str(error.filename)
        yield broken("doctor", f"{where}: {reason}", why, "make it readable, then: onward doctor")
