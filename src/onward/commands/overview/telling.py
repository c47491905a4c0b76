"""The answer of one look: rows as lines, for a terminal or a pipe, and how to go on with one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from onward.commands import listing
from onward.commands.overview import rows as rows_of
from onward.commands.overview.places import Cleaner
from onward.commands.overview.rows import Row, command
from onward.commands.overview.threads import Seen, Tell, look
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.model import Clean
from onward.open_work import Fault
from onward.transcripts import homes

_NARROWEST = 40  # columns: below it lines are broken by the terminal
_NARROW = 64  # columns: below it the state has no room beside a branch
_HEAD = ("", "PROJECT", "BRANCH", "AGE", "STATE")
_NAME, _BRANCH = 24, 28
"""Columns that a name may take, where there are more to be had."""
_GAP = "  "
_BUDGET = 1500  # tokens, as `onward brief` has it
_SESSION = re.compile(r"[0-9A-Za-z][\w-]{0,99}", re.ASCII)
"""What is no such id could be an option of the agent's."""

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
    told = [rows_of.row(world, each, cleaner) for each in shown]
    return Overview(told, shown, tuple(notes), first=not found.seen)


def plain(found: Overview, *, why: bool) -> Result:
    """The answer where no terminal is: a line each, and JSON."""
    if found.first:
        return Result(text=compose(*FIRST_STEPS), data=found.rows, notes=found.notes)
    return Result(
        text=compose(*_plain_lines(found.rows, why=why)), data=found.rows, notes=found.notes
    )


def going_on(world: World, seen: Seen, row: Row) -> Result:
    """The briefing of a thread, and below it what to type. Nothing is changed by it."""
    from onward.commands import resume  # noqa: PLC0415 - what distils is dear

    there = world if seen.place.gone else replace(world, cwd=seen.place.root)
    named = row.session if _is_known(row, seen) else ""
    told = resume.brief_only(
        there, str(seen.file), budget=_BUDGET, look=not seen.place.gone, named=named
    )
    return _with_ways(told, row, seen)


def _with_ways(told: Result, row: Row, seen: Seen) -> Result:
    """The briefing with the commands below it."""
    if seen.place.gone:
        return told._replace(notes=(f"{row.folder} is not there any more: nothing to start in",))
    ways = [f"to continue there with a fresh context: {row.start}"] if row.start else []
    again = homes.start(row.agent, row.session) if _is_known(row, seen) else []
    if again:
        ways.append(f"to continue in that very session: {command(row.folder, again)}")
    return told._replace(text=compose(told.text.rstrip("\n"), "", *ways))


def _is_known(row: Row, seen: Seen) -> bool:
    """Whether it is told by a session that has an id to be typed."""
    return bool(_SESSION.fullmatch(row.session)) and seen.thread.lead.name == ""


def _plain_lines(rows: Sequence[Row], *, why: bool) -> list[Clean]:
    """One thread a line, its fields tab-separated: project's folder, branch, age, session, state,
    what was wanted, the next action. With `why`, its reasons below it.
    """
    lines: list[Clean] = []
    for row in rows:
        fields = (row.folder, row.branch or "-", row.age, row.session[:8] or "-", row.state)
        said = (row.wanted, row.next_action or "-")
        lines.append(compose("\t".join(" ".join(field.split()) for field in (*fields, *said))))
        if why:
            lines += [compose(f"\t{line}") for line in reasons(row)]
    return lines


def drawn(rows: Sequence[Row], width: int, *, why: bool) -> tuple[Clean, list[list[Clean]]]:
    """The heading, and for each thread its lines: a row of a table, what was wanted, what is next.
    No line is wider than `width` columns; where these are few, the branch has a line of its own.
    """
    room = max(width, _NARROWEST)
    is_narrow = room < _NARROW
    head = [name for name in _HEAD if not (is_narrow and name == _HEAD[2])]
    cells = [_cells(number, row, room) for number, row in enumerate(rows, 1)]
    table = listing.table(head, cells)
    top, *tops = [compose(listing.cut(line.rstrip(), room)) for line in table]
    indent = " " * (len(str(len(rows))) + len(_GAP))
    found = []
    for first, row in zip(tops, rows, strict=True):
        branch = [compose(f"on {_where(row)}")] if is_narrow and row.branch else []
        below = [*branch, *_told(row), *(reasons(row) if why else [])]
        cut = (compose(indent + listing.cut(line, room - len(indent))) for line in below)
        found.append([first, *cut])
    return top, found


def reasons(row: Row) -> Iterator[Clean]:
    """Why it counts as open, one reason a line."""
    for each in row.reasons:
        whose = [f"session {each.session[:8]}"] if each.session else []
        source = ", ".join([each.evidence, *whose, *each.places[:2]])
        # An agent's question may have several lines.
        text = "" if each.text == row.next_action else f": {' '.join(each.text.split())}"
        yield compose(f"open, {each.brief} ({source}){text}")
    if not row.reasons:
        yield compose("finished: the last request was answered, nothing failed, all is committed")


def _told(row: Row) -> Iterator[Clean]:
    if row.wanted:
        yield compose(f"“{row.wanted}”")
    if row.next_action:
        yield compose(f"→ {row.next_action}")


def _cells(number: int, row: Row, room: int) -> list[str]:
    name = listing.cut(row.project, min(_NAME, room // 3))
    branch = [] if room < _NARROW else [listing.cut(_where(row), min(_BRANCH, room // 4))]
    return [str(number), name, *branch, row.age, row.state]


def _where(row: Row) -> str:
    told = row.branch or "-"
    if row.work_tree and row.work_tree not in told:
        told += f" ({row.work_tree})"
    return told
