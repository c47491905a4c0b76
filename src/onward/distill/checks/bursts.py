"""Distil: commands that failed again and again. Red-green work ends green and is none."""

from __future__ import annotations

import re

from msgspec import Struct

from onward.distill.checks import summary
from onward.distill.checks.decisive import decisive, last_line
from onward.distill.checks.outcome import Check, Outcome, status_of
from onward.distill.fold import keep
from onward.distill.shell.forms import Form, covers, normal_form
from onward.distill.shell.looking import is_looking, is_plain
from onward.distill.shell.split import split
from onward.distill.text import one_line, vocabulary
from onward.model import Ran

_MOST = 200
COMMAND = 300
"""Characters of a command that are told."""
_POLLS = vocabulary("curl wget nc telnet psql redis-cli pg_isready")
"""Programs that are asked again until something answers."""
_STOPPED = frozenset({124, 130, 137, 143})
"""Exit statuses of a time limit, Ctrl-C, and the two signals that end a program."""
_STOP = re.compile(r"^(?:\w+Error: )?KeyboardInterrupt\b", re.MULTILINE)
_TAIL = 2000
_BURST = 3
"""Failures in a row that make a burst."""


class Burst(Struct, frozen=True, kw_only=True):
    """A command that failed at least three times in a row and was never seen to work after."""

    command: str
    cwd: str
    times: int
    error: str
    """The line of its last output that tells most."""
    first: int
    at: int
    """Running numbers of the first and the last failure."""
    places: tuple[str, ...]


def _by_hand(ran: Ran) -> bool:
    """Whether somebody or a time limit stopped it: that says nothing of what it does."""
    return status_of(ran) in _STOPPED or _STOP.search(ran.output[-_TAIL:]) is not None


class _Row(Struct, kw_only=True):
    command: str
    first: int
    times: int = 0
    error: str = ""
    at: int = 0
    places: tuple[str, ...] = ()


class Tries:
    """Counts failures in a row of each command that does something."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._rows: dict[tuple[str, Form], _Row] = {}

    def take(self, ran: Ran, found: tuple[Check, ...], at: int) -> None:
        """One script and the checks in it. Of other scripts only those with one act count:
        which of several failed, the status does not tell.
        """
        for check in found:
            key = (check.command.cwd, check.form)
            self._count(key, check.command.text, check.outcome, ran, at)
        status = status_of(ran)
        if found or status is None or ran.state != "done":
            return
        acts = [c for c in split(ran.command, ran.cwd) if not is_looking(c)]
        form = normal_form(acts[0].words, self._root) if len(acts) == 1 else None
        if form and not acts[0].piped and not is_plain(form) and form.program not in _POLLS:
            outcome: Outcome = "failed" if status else "passed"
            self._count((acts[0].cwd, form), acts[0].text, outcome, ran, at)

    def bursts(self) -> tuple[Burst, ...]:
        """Bursts that never went green, newest first."""
        rows = [(key[0], row) for key, row in self._rows.items() if row.times >= _BURST]
        return tuple(
            Burst(
                command=row.command,
                cwd=cwd,
                times=row.times,
                error=row.error,
                first=row.first,
                at=row.at,
                places=row.places,
            )
            for cwd, row in sorted(rows, key=lambda pair: -pair[1].at)
        )

    def _count(self, key: tuple[str, Form], text: str, outcome: Outcome, ran: Ran, at: int) -> None:
        if outcome == "passed":
            for other in [k for k in self._rows if k[0] == key[0] and covers(key[1], k[1])]:
                del self._rows[other]
        if outcome != "failed" or _by_hand(ran):
            return
        row = self._rows.pop(key, None) or _Row(command=one_line(text, COMMAND), first=at)
        row.times += 1
        row.error = next(iter(decisive(text := summary.clean(ran.output))), "") or last_line(text)
        row.at = at
        row.places = (*row.places, ran.place)[-_BURST:]
        self._rows[key] = row
        keep(self._rows, _MOST)
