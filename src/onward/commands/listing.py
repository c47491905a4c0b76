"""`list`: the checkpoints of this project.

It must start within four times a bare Python, so it reads only the heads of the files and
leaves pathlib, typed decoding, git and the rules of redaction to the cases that need them.
"""
# pathlib alone would cost a fifth of that.
# ruff: noqa: PTH110, PTH118

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import east_asian_width

from onward import commands, regular
from onward.commands.result import Result, compose
from onward.documents.headings import field_of
from onward.documents.times import age, in_zone, seconds
from onward.storage import machine, roots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onward.commands.world import World
    from onward.model import Clean
    from onward.sharing import Peer

_HEAD = 4096  # bytes; the lines of creation and task stand at the top
_WORD = 200  # characters of the longest
_LINE = re.compile(
    r"^[^\w\n]*(?P<key>\w[^:：*_\n]{0,39}?)[ *_]*[:：][\s*]*(?P<text>[^\n]*?)[\s*]*$",  # noqa: RUF001 - people type it
    re.MULTILINE,
)
_TITLE = re.compile(r"(?i)^\ufeff?#[ \t]+(?:(?:checkpoint|session|autosave)\b\W*)?(.*\S)")
_SECTION = re.compile(r"^##", re.MULTILINE)
_DAY = re.compile(r"(?<=^\d{4}-\d\d-\d\d) .*")
_STATUS = re.compile(
    r"^\*\*Status:\*\* .*\[observed (waiting|finished|interrupted|cut-off|background)\b",
    re.MULTILINE,
)
_TAG = re.compile(r"\s*\[(?:asked|observed|claimed)\b[^\[\]]*\]$")
_TEMPLATE = re.compile(r"<[^<>]*>|YYYY\b.*")
_WIDEST_TASK = 60
NARROWEST = 40  # columns: below it lines are broken by the terminal
_NARROWEST_TASK = 12
_TASK_BESIDE_STATUS = 30
_LOG = "autosave-log.md"
_UNREADABLE = "(cannot be read)"
_NOW = 60  # seconds
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d GMT(?:[+-]\d{1,2}(?::\d\d)?)?")
_ODD = re.compile(
    r"[^\w ,.()!?+'\"“”‘’`…–—;:/#&*%、。，：；！？（）「」-]"  # noqa: RUF001 - punctuation of prose
    r"|//|(?:^|[\s\"'`(])/|(?:home|users)[/-]"  # URLs and absolute paths
    r"|(?:^|\s)--?\w|bearer|basic"  # flags and headers
    r"|[:：]\s*\d{4,}"  # noqa: RUF001 - a code that is told
    r"|pass|pwd|pw\b|secret|clave|log ?in with|logged in|kennwort|contrase|wachtwoord|l[oö]senord|has[lł]o|parola|senha"
    r"|adgangskode|salasana|парол|密码|密碼|口令|パスワード|비밀번호"  # passwords, told in a sentence
    r"|κωδικ|סיסמ|पासवर्ड|lozinka|šifra|jelsz|kata sandi|암호|parol|şifre|sifre|รหัสผ่าน|mật khẩu|كلمة|mdp|kodeord"
    r"|zugangscode|пасс|codes?\b.*\d|otp\b|pin\b|(?:recovery|backup) key|\b(?:log|sign)(?:ged|ed)? ?in (?:as )?\S+ (?:with|pass|pw|using) \S*\d|\buser \w+ with"
    r"|[r-][w-][x-]r[w-][x-]|\d\.\d +\d+\.\d|whoami|owned by|sudo:|logname"  # listings of names
    r"|heslo|mnemonic|phrase|(?:seed|recovery|backup|wallet)[ _-]?words|identified"
    r"|:\w+:|\(.*[\"'`]|pytest-of-"  # fields of a line, arguments of a call, names in folders
    r"|(?:pass|secret|token|key|auth|cred|cookie|jwt)\S*[ ]*:",  # assignments
    re.IGNORECASE,
)
_RUN = re.compile(r"[\w-]{16,}")
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
    width: int | None = None,
    *,
    data: str = "",
    make: str = "onward save NAME",
) -> Result:
    """The table of the checkpoints here, newest first; `now` in seconds since 1970. With `data`,
    onward's folder, those that were pulled are among them; tasks are cut to `width` columns.
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


def rows(cwd: str, world: Callable[[], World], data: str = "") -> tuple[list[Row], Sequence[Peer]]:
    """The checkpoints of a project, the newest first; with `data` also those of other machines, and
    these machines.
    """
    root, folder, plain = _folder(cwd, world)
    others: Sequence[Peer] = ()
    if data and os.path.exists(index := f"{machine.shared_stem(data, root)}.json"):
        others = commands.shared.index(index).peers
    every = _own(folder, plain, world)
    for peer in others:  # redaction took the text in hand as it was pulled
        for held in (each for each in peer.held if each.kind == "checkpoint"):
            name, created = compose(f"{held.name}@{peer.label}"), compose(held.created)
            every.append(Row(name, created, compose(held.task), seconds(held.saved)))
    return sorted(every, key=lambda row: (-row.saved, row.name)), others


def _own(folder: str, plain: bool, world: Callable[[], World]) -> list[Row]:
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    clean = partial(_clean, world=world, plain=plain)
    return [
        _row(entry, clean)
        for entry in entries
        if entry.name.endswith(".md") and entry.name != _LOG and entry.is_file()
        if not entry.is_symlink()  # one that stays within the folder is listed
        or os.path.realpath(entry.path).startswith(os.path.realpath(folder) + os.sep)
    ]


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
    if root and not roots.may_be_set(root):
        return root, os.path.join(root, roots.PLACES["checkpoints"]), True
    project = world().project
    root = str(project.root)
    return root, str(project.checkpoints), not roots.may_be_set(root)


def _row(entry: os.DirEntry[str], clean: Callable[[str], Clean]) -> Row:
    name = clean(entry.name.removesuffix(".md"))
    saved = 0.0
    try:
        saved = entry.stat().st_mtime
        data = regular.head(entry.path, _HEAD)
    except OSError:  # the others are listed all the same
        return Row(name=name, created=compose(""), task=compose(_UNREADABLE), saved=saved)
    head = data.decode("utf-8-sig", "replace")
    if len(data) == _HEAD and (end := max(head.rfind(each, -_WORD) for each in " \n")) >= 0:
        head = f"{head[:end]}…"  # the file goes on
    created, task = told(head)
    status = _STATUS.search(_SECTION.split(head, maxsplit=1)[0])
    return Row(name, clean(created), clean(task), saved, status[1] if status else "")


def told(text: str) -> tuple[str, str]:
    """When and what for, as the lines above the first section, or the title, say."""
    head = _SECTION.split(text[:_HEAD], maxsplit=1)[0]
    said: dict[str, str] = {}
    for line in _LINE.finditer(head):
        shown = _TAG.sub("", line["text"])
        field = field_of(line["key"])
        if field and not _TEMPLATE.fullmatch(shown):
            said.setdefault(field, shown)
    title = _TITLE.match(head)
    return said.get("created", ""), said.get("task") or (title[1] if title else "")


def _clean(text: str, *, world: Callable[[], World], plain: bool) -> Clean:
    """Redacted again, as a user may have edited it, if there is anything to redact."""
    if plain and is_plain(text):
        return compose(text)
    return world().display_redactor.text(text)


def is_plain(text: str) -> bool:
    """Whether a line is prose that no rule of redaction is after; no rule is loaded for that."""
    if _TIME.fullmatch(text):
        return True
    # A long run is only words, as `build-login-page` is, and no token.
    runs = (run.replace("-", "").replace("_", "") for run in _RUN.findall(text))
    return not _ODD.search(text) and all(run.isalpha() and run == run.lower() for run in runs)


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
