"""`list`: the checkpoints of this project.

It must start within four times a bare Python. So what was read of a file, redacted, is kept until the file
changes, and pathlib, typed decoding, git and the rules of redaction are left to the cases that need them.
"""
# pathlib alone would cost a fifth of that.
# ruff: noqa: PTH110, PTH118, PTH119

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import east_asian_width

from onward import __version__, commands, evidence, regular
from onward.commands.result import Result, compose
from onward.documents.times import age, in_zone, seconds
from onward.storage import live, machine, roots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onward.commands.world import World
    from onward.model import Clean
    from onward.sharing import Peer

_HEAD = 4096  # bytes; the lines of creation and task stand at the top
_WORD = 200  # characters of the longest
_DAY = re.compile(r"(?<=^\d{4}-\d\d-\d\d) .*")
_WIDEST_TASK = 60
NARROWEST = 40  # columns: below it lines are broken by the terminal
_NARROWEST_TASK = 12
_TASK_BESIDE_STATUS = 30
_LOG = "autosave-log.md"
_UNREADABLE = "(cannot be read)"
_NOW = 60  # seconds
_KEY = "rows"
_HEADS = ("NAME", "CREATED", "TASK", "STATUS", "AGE")


class Row(NamedTuple):
    """One checkpoint as the table has it. `saved` is the file's time, seconds since 1970."""

    name: Clean
    created: Clean
    task: Clean
    saved: float
    status: str = ""  # how the session stood (`Status.kind`), "" where the file does not say


def list_checkpoints(
    cwd: str,
    now: float,
    world: Callable[[], World],
    data: str,
    width: int | None = None,
    *,
    make: str = "onward save NAME",
) -> Result:
    """The table of the checkpoints here and of those that were pulled, newest first; `now` in seconds
    since 1970, `data` is onward's folder; tasks are cut to `width` columns.
    """
    found, others = rows(cwd, world, data)
    way = "with a key for them: git config onward.identity FILE, then onward pull"
    sealed = [(each.label, each.sealed) for each in others if each.sealed]
    notes = tuple(f"{n} encrypted record{'s' * (n != 1)} of {label}; {way}" for label, n in sealed)
    # Its first minute takes one word, in a column.
    past = [now - row.saved for row in found]
    ages = ["now" if each < _NOW else age(each) for each in past]
    printed = [
        {**row._asdict(), "age": old, "age_seconds": max(0, int(gone))}
        for row, old, gone in zip(found, ages, past, strict=True)
    ]
    if not found:
        note = f"no checkpoints here yet; to make one: {make}"
        return Result(text=compose(), data=printed, notes=(note, *notes))
    return Result(text=compose(*_table(found, ages, width)), data=printed, notes=notes)


def _table(found: Sequence[Row], ages: Sequence[str], width: int | None) -> list[str]:
    """The lines of the table. The end of a task goes first, then the status, the time of day."""
    zone = datetime.now().astimezone().tzinfo or UTC
    times = [compose(in_zone(row.created, zone)) for row in found]
    days = [compose(_DAY.sub("", each)) for each in times]
    shown = [row.status for row in found] if any(row.status for row in found) else None
    for dates, states in ((times, shown), (times, None), (days, None)):
        columns = [[row.name for row in found], dates, [""] * len(found), states, ages]
        kept = [column for column in columns if column is not None]
        head = [name for name, column in zip(_HEADS, columns, strict=True) if column is not None]
        without = table([*head[:2], "", *head[3:]], list(zip(*kept, strict=True)))
        rest = max(map(display_width, without))
        room = _WIDEST_TASK if width is None else width - rest
        if room >= (_TASK_BESIDE_STATUS if states else _NARROWEST_TASK):
            break
    room = max(_NARROWEST_TASK, min(_WIDEST_TASK, room))
    kept[2] = [cut(row.task, room) for row in found]
    return table(head, list(zip(*kept, strict=True)))


def rows(
    cwd: str, world: Callable[[], World], data: str, *, pulled: bool = True
) -> tuple[list[Row], Sequence[Peer]]:
    """The checkpoints of a project, the newest first; `pulled` also those of other machines, and
    these machines.
    """
    root, folder, plain = _folder(cwd, world)
    stem = machine.shared_stem(data, root)
    every = _own(folder, world, data, os.path.basename(stem) if plain else "")
    others: Sequence[Peer] = ()
    if pulled and os.path.exists(index := f"{stem}.json"):
        others = commands.shared.index(index).peers
    for peer in others:  # redaction took the text in hand as it was pulled
        for held in (each for each in peer.held if each.kind == "checkpoint"):
            name, created = compose(f"{held.name}@{peer.label}"), compose(held.created)
            every.append(Row(name, created, compose(held.task), seconds(held.saved)))
    return sorted(every, key=lambda row: (-row.saved, row.name)), others


def _own(folder: str, world: Callable[[], World], data: str, record: str) -> list[Row]:
    """The rows of a folder. Of a file that did not change, what was read before lies in a record of
    that name, as of a session, and goes as these do; "" for none.
    """
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    version, *lines = live.get(data, record, _KEY) or [""]
    parts = [line.split("\t") for line in lines if version == __version__]
    known = {tuple(each[:4]): each[4:] for each in parts if len(each) == 8}
    found, rows = dict[tuple[str, ...], list[str]](), list[Row]()
    inside = os.path.realpath(folder) + os.sep
    for entry in entries:
        # A link that stays within the folder is listed.
        is_here = not entry.is_symlink() or os.path.realpath(entry.path).startswith(inside)
        if entry.name.endswith(".md") and entry.name != _LOG and entry.is_file() and is_here:
            try:
                status = entry.stat()
            except OSError:  # removed a moment ago
                continue
            stamp = status.st_mtime_ns, status.st_ctime_ns, status.st_size
            key = (entry.name, *map(str, stamp))
            found[key] = known.get(key) or _read(entry, world())
            name, created, task, state = map(compose, found[key])
            rows.append(Row(name, created, task, status.st_mtime, state))
    if found != known:
        told = ("\t".join((*key, *said)) for key, said in found.items())
        live.put(data, record, _KEY, __version__, *told)
    return rows


def table(head: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """Lines with columns under each other; the last column is not padded."""
    lines = [head, *cells]
    widths = [max(display_width(line[n]) for line in lines) for n in range(len(head) - 1)] + [0]
    return [
        "  ".join(
            cell + " " * (width - display_width(cell))
            for cell, width in zip(line, widths, strict=True)
        )
        for line in lines
    ]


def _folder(cwd: str, world: Callable[[], World]) -> tuple[str, str, bool]:
    """The project's root, where checkpoints lie, and whether the project has no settings."""
    root, _ = roots.work_tree(cwd)
    if root and _is_plain(root):
        return root, os.path.join(root, roots.PLACES["checkpoints"]), True
    project = world().project
    return str(project.root), str(project.checkpoints), _is_plain(str(project.root))


def _is_plain(root: str) -> bool:
    return not (roots.may_be_set(root) or os.path.lexists(os.path.join(root, ".onwardignore")))


def _read(entry: os.DirEntry[str], world: World) -> list[str]:
    """Name, creation, task and status of a file, redacted again, as a user may have edited it."""
    try:
        data = regular.head(entry.path, _HEAD)
        head = data.decode("utf-8-sig", "replace")
        if len(data) == _HEAD and (end := max(head.rfind(each, -_WORD) for each in " \n")) >= 0:
            head = f"{head[:end]}…"  # the file goes on
        said = told(head)
    except OSError:  # the others are listed all the same
        said = "", _UNREADABLE, ""
    clean = world.display_redactor.text
    return [" ".join(clean(each).split()) for each in (entry.name.removesuffix(".md"), *said)]


def told(text: str) -> tuple[str, str, str]:
    """When, what for and how the session stood, as the lines above the first section, or the title,
    say.
    """
    from onward.documents import checkpoint_md  # noqa: PLC0415 - only what has changed pays for it

    head = text.partition("\n##")[0]
    (page, _), draft = checkpoint_md.opened(head), checkpoint_md.parse(head)
    created = next((line.text for line in page.found.get("created", ())), "")
    when = "" if created.startswith("YYYY") else created  # the template's own
    task = evidence.escape(draft.task.text)
    return evidence.escape(when), task, draft.status.kind.replace("unknown", "")


def cut(text: str, room: int) -> str:
    """As much of a text as fits into so many columns, cut between words if it has any."""
    if display_width(text) <= room:
        return text
    kept = ""
    while display_width(kept + text[len(kept)]) < room:
        kept += text[len(kept)]
    words = kept if text[len(kept)].isspace() else kept.rpartition(" ")[0]
    return (words if 3 * len(words) > len(kept) else kept).rstrip(" …,;:·") + "…"


def display_width(text: str) -> int:
    """Columns on a terminal; those of East Asia take two."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
