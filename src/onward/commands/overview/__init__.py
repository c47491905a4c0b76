"""`onward`: what was I in the middle of? Open work in all projects, of all agents.

Here the answer of one look: threads as rows, rows as lines for a terminal or a pipe, JSON, and how
to go on with one. `threads` has the folders, the projects, what git says, and what is known of each file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from onward import commands
from onward.briefing.text import one_line
from onward.commands import listing
from onward.commands.overview.threads import Place, Places, Seen, look
from onward.commands.result import Result, compose
from onward.commands.world import Tell, World, quoted
from onward.documents.times import seconds
from onward.model import Clean
from onward.open_work import Fault, Sign
from onward.storage import overview as kept
from onward.transcripts import registry

_NOW = 60  # seconds
_CHECKS = {"test": "test", "build": "build", "lint": "lint", "types": "type check"}
_NARROW = 64  # columns: below it the state has no room beside a branch
_HEAD = ("", "PROJECT", "BRANCH", "AGE", "STATE")
_NAME, _BRANCH = 24, 28  # columns that a name may take, where there are more to be had
_GAP = "  "
_OF_LEAD = ("status", "task", "wanted", "noted", "agent", "session")
_SESSION = re.compile(r"[0-9A-Za-z][\w-]{0,99}", re.ASCII)
"""What is no such id could be an option of the agent's."""

FIRST_STEPS = """\
Nothing to continue yet: no agent has left a session on this machine.

Once, in a project (hooks and commands for your agent):
  onward install
Then work with your agent as always, and leave as you like. Later, from anywhere:
  onward

All verbs: onward --help"""
_FAULTS: Mapping[Fault, str] = {
    "file": "not to be read; to see which: onward sessions --all",
    "settings": "the settings of the project are broken; to see how, in its folder: onward list",
}


class Row(Struct, frozen=True, kw_only=True):
    """One thread."""

    project: Clean
    folder: Clean
    branch: Clean
    branch_gone: bool  # the branch was deleted since, so nothing of its sessions counts as open
    work_tree: Clean  # the name of a linked work tree; "" for the main one
    age: str
    ended: str
    open: bool
    live: bool  # a session of it is open in another window
    done: bool  # the user marked it as done, and nothing happened in it since
    status: str  # how its newest session stood (`model.Status.kind`), "" if unknown
    state: Clean  # all reasons in brief, and what else is to be known of the place
    task: Clean
    wanted: Clean
    noted: bool  # what was wanted is the words of a note, not of a request
    next_action: Clean
    reasons: tuple[dict[str, Any], ...]  # why it counts as open: in a word or two, and what says so
    uncommitted: tuple[Clean, ...]
    pending_backups: int
    checkpoints: tuple[Clean, ...]
    agent: str
    session: Clean
    start: Clean  # the command that starts the agent there; "" where the folder is gone


def row_of(world: World, seen: Seen, places: Places, *, is_done: bool) -> Row:
    """A thread as it is told at this moment."""
    thread, place, lead = seen.thread, seen.place, seen.thread.lead
    root, at = place.root, seconds(thread.ended)
    state = _state(seen)
    if "" < lead.ended < thread.ended:
        state = compose(f"{state} · as of a session {world.age(seconds(lead.ended))} ago")
    folder = lead.folder if place.gone else places.path(root, root)
    backups = (sign.count for sign in thread.reasons if sign.kind == "backup")
    return Row(
        project=_name(place, folder, places),
        folder=folder,
        branch=compose("") if seen.branch == "HEAD" else seen.branch,
        branch_gone=thread.branch_gone,
        work_tree=places.text(place.work_tree, root),
        age="now" if world.now.timestamp() - at < _NOW else world.age(at),
        ended=thread.ended,
        open=thread.is_open and not is_done,
        live=seen.live,
        done=is_done,
        state=compose(f"marked as done · {state}") if is_done else state,
        next_action=lead.following,
        reasons=tuple(map(_reason, thread.reasons)),
        uncommitted=thread.uncommitted,
        pending_backups=next(backups, 0),
        checkpoints=tuple(each.name for each in thread.named),
        **{name: getattr(lead, name) for name in _OF_LEAD},
        start=compose("") if place.gone else command(folder, registry.start(lead.agent)),
    )


def _reason(sign: Sign) -> dict[str, Any]:
    row = {"kind": sign.kind, "brief": brief(sign), "text": sign.text, "evidence": sign.evidence}
    return row | {"session": sign.session, "places": sign.places}


def command(folder: Clean, words: Sequence[str]) -> Clean:
    """What to type to be in a folder and start an agent there; "" for no words."""
    if not words:
        return compose("")
    told = " ".join(map(quote, words))
    if os.name == "nt":
        return compose(f'cd "{folder}"; {told}')
    where = folder if folder == "~" else quoted(folder)
    return compose(f"cd {where} && {told}")


def brief(sign: Sign) -> Clean:
    """A sign in a word or two."""
    number, count = sign.count, f"{sign.count} "
    told = {
        "question": "waits for you",
        "stopped": "interrupted",
        "broken-off": "cut off",
        "background": "runs in the background",
        "failing": f"{_CHECKS.get(sign.of, 'check')} fails",
        "tasks": f"{count}open task{'s' * (number > 1)}",
        "uncommitted": f"{count}uncommitted",
        "backup": f"{count if number > 1 else ''}backup{'s' * (number > 1)} pending",
        "checkpoint": f"checkpoint {sign.text}" if number == 1 else f"{count}checkpoints",
        "operation": f"{sign.of} is under way",
    }
    return compose(told[sign.kind])


def _name(place: Place, folder: Clean, places: Places) -> Clean:
    if folder == "~":
        return folder
    if place.gone:  # clean already
        parts = re.split(r"[\\/]", folder)
        # A work tree below a folder of somebody's tools: what stands before that is the project.
        tools = (n for n, part in enumerate(parts) if n > 1 and part.startswith("."))
        return compose(parts[next(tools, len(parts)) - 1] or folder)
    return places.text(place.name, place.root)


def _state(seen: Seen) -> Clean:
    """The reasons of the session that is told, then those of the place."""
    lead, reasons = seen.thread.lead.session, seen.thread.reasons
    own = [reason for reason in reasons if reason.session in {"", lead}]
    told: list[str] = list(dict.fromkeys(map(brief, own)))
    if earlier := len({reason.session for reason in reasons} - {"", lead}):
        told.append(f"{earlier} earlier open" if told else f"{earlier} open")
    told = ["open in another window"] * seen.live + (told or ["finished"])
    if seen.state and seen.state.ahead and seen.state.branch == seen.branch:
        told.append(f"{seen.state.ahead} not pushed")
    if seen.place.gone:
        told.append("folder is gone")
    return compose(" · ".join(told))


class Overview(NamedTuple):
    """The rows that are shown, what each was told from, and what to say beside them."""

    rows: list[Row]
    seen: list[Seen]
    notes: tuple[str, ...]
    first: bool  # there is nothing at all on this machine


def overview(world: World, tell: Tell, *, everything: bool = False) -> Overview:
    """Open work, the newest first; finished work too with `everything`."""
    (found, faults, closed), marks = look(world, tell), kept.marks(world.data)

    def is_done(each: Seen) -> bool:
        return marks.get(_key(each)) == each.thread.ended

    shown = [e for e in found if everything or (e.thread.is_open and not is_done(e))]
    places = Places(world)
    notes = []
    if not shown and found:
        notes.append("nothing is open")
    if left := len(found) - len(shown):
        notes.append(f"{left} finished left out; to see them too: onward --all")
    for fault, reason in _FAULTS.items():
        if count := faults[fault]:
            notes.append(f"{count} file{'s' * (count > 1)} left out: {reason}")
    for path, reason, hint in closed:
        way = f"; to fix it: {hint}" if hint else ""
        notes.append(places.text(f"{path}: {reason}{way}", path))
    told = [row_of(world, each, places, is_done=is_done(each)) for each in shown]
    return Overview(told, shown, tuple(notes), first=not (found or closed))


def plain(found: Overview, *, why: bool) -> Result:
    """The answer without a terminal: one thread a line, tab-separated; with `why` its reasons."""
    if found.first:
        return Result(text=compose(FIRST_STEPS), data=found.rows, notes=found.notes)
    lines: list[str] = []
    for row in found.rows:
        fields = (row.folder, row.branch or "-", row.age or "-", row.session[:8] or "-", row.state)
        said = (row.wanted, row.next_action or "-")
        lines.append("\t".join(one_line(field) for field in (*fields, *said)))
        if why:
            lines += [f"\t{line}" for line in reasons(row)]
    return Result(text=compose(*lines), data=found.rows, notes=found.notes)


def mark(world: World, seen: Seen, *, is_done: bool) -> None:
    """Mark a thread as done until something happens in it again, or take that back."""
    kept.mark(world.data, _key(seen), seen.thread.ended if is_done else "")


def _key(seen: Seen) -> str:
    return kept.mark_key(seen.place.root, seen.branch)


def departure(world: World, seen: Seen, *, native: bool | None) -> commands.go.Departure:
    """How the client of a thread is started. Raises as `go.prepare`."""
    there = world if seen.place.gone else replace(world, cwd=seen.place.root)
    what = seen.thread.lead.session if _is_session(seen) else str(seen.file)
    return commands.go.prepare(there, what, "", native=native)


def going_on(world: World, seen: Seen, row: Row) -> Result:
    """The briefing of a thread, and below it what to type. Nothing is changed by it."""
    there = world if seen.place.gone else replace(world, cwd=seen.place.root)
    told = commands.resume.brief_only(there, str(seen.file), look=not seen.place.gone)
    if seen.place.gone:
        return told._replace(notes=(f"{row.folder} is not there any more: nothing to start in",))
    ways = [f"to continue there with a fresh context: {row.start}"] if row.start else []
    again = registry.start(row.agent, row.session) if _is_session(seen) else []
    if again:
        ways.append(f"to continue in that very session: {command(row.folder, again)}")
    return told._replace(text=compose(told.text.rstrip("\n"), "", *ways))


def _is_session(seen: Seen) -> bool:
    """Whether it is told by a session that has an id to be typed."""
    lead = seen.thread.lead
    return bool(_SESSION.fullmatch(lead.session)) and lead.name == ""


def drawn(rows: Sequence[Row], width: int, *, why: bool) -> tuple[Clean, list[list[Clean]]]:
    """The heading, and for each thread its lines, none wider than `width` columns."""
    room = max(width, listing.NARROWEST)
    is_narrow = room < _NARROW
    head = [name for name in _HEAD if not (is_narrow and name == _HEAD[2])]
    cells = []
    for number, row in enumerate(rows, 1):
        name = listing.cut(row.project, min(_NAME, room // 3))
        where = [] if is_narrow else [listing.cut(_where(row), min(_BRANCH, room // 4))]
        cells.append([str(number), name, *where, row.age, row.state])
    table = listing.table(head, cells)
    top, *tops = [compose(listing.cut(line.rstrip(), room)) for line in table]
    indent = " " * (len(str(len(rows))) + len(_GAP))
    found = []
    for first, row in zip(tops, rows, strict=True):
        below = [f"on {_where(row)}"] if is_narrow and row.branch else []
        if row.wanted:
            below.append(one_line(row.wanted) if row.noted else f"“{one_line(row.wanted)}”")
        if row.next_action:
            below.append(f"→ {one_line(row.next_action)}")
        below += reasons(row) if why else ()
        cut = (compose(indent + listing.cut(line, room - len(indent))) for line in below)
        found.append([first, *cut])
    return top, found


def reasons(row: Row) -> Iterator[Clean]:
    """Why it counts as open, one reason a line."""
    for each in row.reasons:
        whose = [f"session {each['session'][:8]}"] if each["session"] else []
        source = ", ".join([each["evidence"], *whose, *each["places"][:2]])
        # An agent's question may have several lines.
        text = "" if each["text"] == row.next_action else f": {one_line(each['text'])}"
        yield compose(f"open, {each['brief']} ({source}){text}")
    if not row.reasons and row.branch_gone:
        yield compose("finished: its branch was deleted since")
    elif not row.reasons:
        yield compose(
            "finished: the last turn ended, and no failing check, open task or uncommitted file is known"
        )


def _where(row: Row) -> str:
    told = row.branch or "-"
    is_told = not row.work_tree or row.work_tree in told
    return told if is_told else f"{told} ({row.work_tree})"
