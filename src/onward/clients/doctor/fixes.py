"""Install, doctor: the safe fixes, which lose nothing and decide nothing for the user."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from onward.clients.doctor import folders
from onward.clients.doctor.case import Case
from onward.clients.doctor.finding import Fix
from onward.clients.launcher import write_launcher
from onward.storage import backups


def launcher(case: Case) -> str:
    """Name the Python and the code that this very call runs on."""
    write_launcher(case.data)
    return f"wrote {case.shown(case.data / 'launcher')}"


def modes(case: Case) -> str:
    """Take from others what they must not have."""
    wrong = folders.private(case)
    for path, mode in wrong.items():
        path.chmod(mode)
    return f"closed {len(wrong)} file{'s' * (len(wrong) != 1)} to others"


def markers(case: Case) -> str:
    """Take out the lines that lead nowhere."""
    count = backups.clean(case.project)
    return f"took {count} line{'s' * (count != 1)} out of .pending-backup"


FIXES: Mapping[Fix, Callable[[Case], str]] = {
    "launcher": launcher,
    "modes": modes,
    "markers": markers,
}
"""By the name that a finding has; each does one thing and says it. `files` is what installing does."""
