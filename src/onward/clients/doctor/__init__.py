"""The doctor: what is registered, run and measured; each finding with what fixes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from onward.clients.doctor import (
    codex,
    installation,
    permissions,
    plain,
    registration,
    sessions,
    trial,
)
from onward.clients.doctor.findings import Case, Finding, Fix, Session, broken
from onward.clients.files import LAUNCHER, write_launcher
from onward.errors import OnwardError
from onward.storage import backups

__all__ = ["CHECKS", "FIXES", "Case", "Finding", "Session", "examine"]

CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    registration.settings,
    registration.hooks,
    registration.starts,
    codex.hooks,
    plain.hooks,
    installation.launcher,
    installation.on_path,
    installation.git,
    trial.commands,
    installation.shipped,
    installation.shadowed,
    sessions.imports,
    sessions.last_injection,
    sessions.captured,
    sessions.marker,
    sessions.cleanup,
    sessions.torn,
    permissions.modes,
    permissions.ignored,
    permissions.writable,
    installation.log,
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


def _launcher(case: Case) -> str:
    """Name the Python and the code that this very call runs on."""
    write_launcher(case.data)
    return f"wrote {case.shown(case.data / LAUNCHER)}"


def _modes(case: Case) -> str:
    """Take from others what they must not have."""
    wrong = permissions.private(case)
    for path, mode in wrong.items():
        path.chmod(mode)
    return f"closed {len(wrong)} file{'s' * (len(wrong) != 1)} to others"


def _markers(case: Case) -> str:
    """Take out the lines that lead nowhere."""
    count = backups.clean(case.project)
    return f"took {count} line{'s' * (count != 1)} out of .pending-backup"


FIXES: Mapping[Fix, Callable[[Case], str]] = {
    "launcher": _launcher,
    "modes": _modes,
    "markers": _markers,
}
"""The safe fixes, which lose nothing and decide nothing for the user, by the name that a finding
has. `files` is what installing does."""
