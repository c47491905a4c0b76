"""Rows as lines, for a terminal of some width or for a pipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onward.briefing.text import one_line
from onward.commands import list as listing
from onward.commands.overview.rows import Row
from onward.commands.result import compose
from onward.model import Clean

_NARROWEST = 40  # columns: below it lines are broken by the terminal
_NARROW = 64  # columns: below it the state has no room beside a branch
_HEAD = ("", "PROJECT", "BRANCH", "AGE", "STATE")
_NAME, _BRANCH = 24, 28
"""Columns that a name may take, where there are more to be had."""
_GAP = "  "


def plain(rows: Sequence[Row], *, why: bool) -> list[Clean]:
    """One thread a line, its fields tab-separated: project's folder, branch, age, session, state,
    what was wanted, the next action. With `why`, its reasons below it.
    """
    lines: list[Clean] = []
    for row in rows:
        fields = (row.folder, row.branch or "-", row.age, row.session[:8] or "-", row.state)
        said = (row.wanted, row.next_action or "-")
        lines.append(compose("\t".join(one_line(field) for field in (*fields, *said))))
        if why:
            lines += [compose(f"\t{line}") for line in reasons(row)]
    return lines


def entries(rows: Sequence[Row], width: int, *, why: bool) -> tuple[Clean, list[list[Clean]]]:
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
        text = "" if each.text == row.next_action else f": {one_line(each.text)}"
        yield compose(f"open, {each.brief} ({source}){text}")
    if not row.reasons:
        yield compose("finished: the last request was answered, nothing failed, all is committed")


def _told(row: Row) -> Iterator[Clean]:
    if row.wanted:
        yield compose(f"“{one_line(row.wanted)}”")
    if row.next_action:
        yield compose(f"→ {one_line(row.next_action)}")


def _cells(number: int, row: Row, room: int) -> list[str]:
    name = listing.cut(row.project, min(_NAME, room // 3))
    branch = [] if room < _NARROW else [listing.cut(_where(row), min(_BRANCH, room // 4))]
    return [str(number), name, *branch, row.age, row.state]


def _where(row: Row) -> str:
    told = row.branch or "-"
    if row.work_tree and row.work_tree not in told:
        told += f" ({row.work_tree})"
    return told
