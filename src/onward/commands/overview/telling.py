"""The answer of one look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from onward.commands.overview import lines, rows
from onward.commands.overview.clean import Cleaner
from onward.commands.overview.finding import Tell
from onward.commands.overview.rows import Row
from onward.commands.overview.threads import Seen, look
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.model import Clean
from onward.open_work.known import Fault

FIRST_STEPS = (
    "Nothing to continue yet: no agent has left a session on this machine.",
    "",
    "Once, in a project (hooks and commands for your agent):",
    "  onward install",
    "Then work with your agent as always, and leave as you like. Later, from anywhere:",
    "  onward",
    "",
    "All verbs: onward --help",
)


_FAULTS: Mapping[Fault, str] = {
    "file": "not to be read; to see which: onward sessions --all",
    "settings": "the settings of the project are broken; to see how, in its folder: onward list",
}


class Overview(NamedTuple):
    """The rows that are shown, what each was told from, and what to say beside them."""

    rows: list[Row]
    seen: list[Seen]
    notes: tuple[str, ...]
    first: bool
    """There is nothing at all on this machine."""


def overview(world: World, tell: Tell, *, everything: bool = False) -> Overview:
    """Open work, the newest first; finished work too with `everything`."""
    found = look(world, tell)
    shown = [each for each in found.seen if everything or each.thread.is_open]
    cleaner = Cleaner(world)
    notes = []
    if not shown and found.seen:
        notes.append("nothing is open")
    if left := len(found.seen) - len(shown):
        notes.append(f"{left} finished left out; to see them too: onward --all")
    for fault, reason in _FAULTS.items():
        if count := found.faults.get(fault, 0):
            notes.append(f"{count} file{'s' * (count > 1)} left out: {reason}")
    told = [rows.row(world, each, cleaner) for each in shown]
    return Overview(told, shown, tuple(notes), first=not found.seen)


def plain(found: Overview, *, why: bool) -> Result:
    """The answer where no terminal is: a line each, and JSON."""
    if found.first:
        return Result(text=compose(*FIRST_STEPS), data=found.rows, notes=found.notes)
    return Result(
        text=compose(*lines.plain(found.rows, why=why)), data=found.rows, notes=found.notes
    )


def drawn(found: Overview, width: int, *, why: bool) -> tuple[Clean, list[list[Clean]]]:
    """The heading and the lines of each thread, for a terminal of that width."""
    return lines.entries(found.rows, width, why=why)
