"""Whole transcripts kept in `raw/`, on this machine only, until somebody resumed them.

The marker names only complete backups (it is written after the copy and cleaned before a removal), and a
line of it goes only after the active context that took the backup in is durable. It has one path a line,
in the order of `ranking`. Lines that lead to anything but a copy of ours count as stale: a marker that
came with somebody's repository must not make us read or delete, nor put its words before a model.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from onward.documents import times
from onward.storage import atomic, locks, ranking, reading, roots

if TYPE_CHECKING:
    from onward.model import Clean
    from onward.storage.project import Project
    from onward.storage.trash import Trash

MARKER = roots.MARKERS[0]
LOG = ".backup-log"
KIND = "backup"  # what the trash calls them
DISCARDED = "discarded"  # where the script puts aside what is discarded on a machine without onward
IGNORE = ".gitignore"
CAP = 500 * 1024 * 1024
MOST = 100  # bytes and number of the copies of a project, pending ones among them
_LINES = 1000  # of the log
_RECORD = 4096  # bytes of a first record by which copies are told apart
_IGNORED = ("raw/", ".pending-backup*", LOG, "*.lock", f"*{atomic.TEMPORARY}")
_CHUNK = 256 * 1024
_PROCESSED = re.compile(r"^(\S+) processed (.+)$", re.MULTILINE)


class Backup(NamedTuple):
    """One copy in `raw/`. `taken` is local time as in its name, `size` in bytes."""

    path: Path
    taken: str
    reason: str
    session: str
    size: int
    pending: bool
    standing: int = ranking.WORK


def save(  # noqa: PLR0913 - what the log has to tell of a copy
    project: Project,
    transcript: Path,
    *,
    now: datetime,
    reason: str = "",
    session: str = "",
    standing: int = ranking.WORK,
    settled: bool = False,
    resumes: bool = False,
) -> Path | None:
    """Copy a transcript, mark it as pending unless it is `settled`, then log it; the copy, None for
    no complete record. `reason` is the end's, "" for a compaction; `now` is local time. A copy that
    `resumes` goes on where one of the same session was ended.
    """
    if not transcript.is_file() or not transcript.stat().st_size:
        return None
    raw = atomic.within(_raw(project), project.root)
    _ignore(project)
    why, who = re.sub(r"[^a-z_]", "", reason.lower())[:40], re.sub(r"[^\w-]", "", session)[:64]
    stem = now.strftime("%Y%m%d_%H%M%S") + (f"_{why}" if why else "")
    with atomic.copied(transcript, raw, who if resumes else "") as new:
        size = new.stat().st_size
        if not size:
            return None
        with _locked(project):
            target = reading.free(raw, stem, ".jsonl")
            with atomic.told(target):
                atomic.rename(new, target)
            if not settled:
                _mark(project, target, standing)
            words = f"saved {target.name} session={who} reason={why} bytes={size}"
            _log(project, now, words + (f" {ranking.WORDS[standing]}" if standing else ""))
    return target


def renew(project: Project, backup: Path, transcript: Path, *, now: datetime) -> None:
    """Let a backup hold what its transcript has grown by since, under the same name."""
    if not (backup.is_file() and transcript.is_file()):
        return
    raw = atomic.within(_raw(project), project.root)
    with atomic.copied(transcript, raw) as new, _locked(project), atomic.told(backup):
        if backup.is_file() and _begins(backup, new):
            atomic.rename(new, backup)
            _log(project, now, f"renewed {backup.name} bytes={backup.stat().st_size}")


def ignoring(before: bytes) -> bytes:
    """The lines of a `.gitignore` in the memory folder, with ours last where git needs them so."""
    lines = before.splitlines()
    last = max((number for number, line in enumerate(lines) if line.startswith(b"!")), default=-1)
    missing = [line for line in _IGNORED if line.encode() not in lines[last + 1 :]]
    gap = b"" if not before or before.endswith(b"\n") or not missing else b"\n"
    return before + gap + "".join(f"{line}\n" for line in missing).encode()


def to_ignore(memory: Path) -> bool:
    """Whether a memory folder holds anything that git is to leave alone."""
    return any(any(memory.glob(line.rstrip("/"))) for line in _IGNORED)


def entries(project: Project) -> list[Backup]:
    """All backups, the newest first."""
    waiting, told, found = set(pending(project)), _saved(project), list[Backup]()
    for path, size in _files(project).items():
        session, standing = told.get(path.name, ranking.UNTOLD)
        _, reason, _ = ranking.parts(path.name) or ("", "", 0)
        taken, is_pending = order(path)[0], path in waiting
        found.append(Backup(path, taken, reason, session, size, is_pending, standing))
    return found


def process(
    project: Project, done: Collection[Path], context: Clean | None, *, now: datetime
) -> None:
    """Write the active context that took backups in, if any; once durable, unmark them."""
    with _locked(project):
        if context is not None:
            atomic.write(project.active_context, context, inside=project.root)
        _unmark(project, set(done))
        _log(project, now, f"processed {' '.join(path.name for path in done)}")


def settle(project: Project, session: str, *, now: datetime) -> None:
    """Unmark the backups of a session whose work was saved otherwise, and is durable."""
    done = {each.path for each in entries(project) if each.pending and each.session == session}
    if not session or not done:
        return
    with _locked(project):
        _unmark(project, done)
        _log(project, now, f"settled {' '.join(sorted(path.name for path in done))}")


def stamp_exit(project: Project, *, at: datetime, is_older: bool = False) -> None:
    """Write the time of a session's end into the active context, if there is one."""
    path = project.active_context
    if not path.is_file():
        return
    with _locked(project):
        before, zone = reading.text(path), at.tzinfo or UTC
        text = times.with_exit(before, times.utc(at), zone, is_older=is_older)
        atomic.write_bytes(path, text.encode(), inside=project.root)


def put_back(project: Project, *, since: float, now: datetime) -> list[str]:
    """Mark what was processed after `since` as pending once more; returns the names."""
    log = project.memory / LOG
    lines = _PROCESSED.findall(reading.text(log)) if log.is_file() else []
    at = times.moment(lines[-1][0]) if lines else None
    names = set(lines[-1][1].split()) if at and at.timestamp() >= int(since) else set()
    again = [path for path in _files(project) if path.name in names]
    told = [path.name for path in again]
    if again:
        with _locked(project):
            for path in reversed(again):
                _mark(project, path)
            _log(project, now, f"pending again {' '.join(told)}")
    return told


def discard(project: Project, which: Sequence[Path], trash: Trash, *, now: datetime) -> list[Path]:
    """Unmark backups, then put them into the trash; a file outside our folder is only unmarked, and
    one that is too large for the trash stays until the cap takes it. Returns what went there.
    """
    with _locked(project):
        sizes = _files(project)
        gone = [path for path in which if 0 < sizes.get(path, 0) <= reading.LARGEST_CACHE]
        # A copy without a marker is not offered: so a kill in between leaves it in one place.
        _unmark(project, set(which))
        for path in gone:
            trash.put(path.resolve(), KIND, project)
            atomic.remove(path, inside=project.root)
        _log(project, now, f"discarded {' '.join(path.name for path in which)}")
    return gone


def offer(project: Project, backup: Path) -> None:
    """Mark one that came back from the trash as pending again."""
    with _locked(project):
        _mark(project, backup)


def clean(project: Project) -> None:
    """Take stale lines out of the marker."""
    if project.memory.is_dir():
        with _locked(project):
            _unmark(project, ())


def prune(project: Project, *, now: datetime, cap: int = CAP, most: int = MOST) -> list[Path]:
    """Remove copies that are the beginning of a newer one, then others until no more than `most` of
    at most `cap` bytes are left: what was put aside, the oldest that nobody waits for, then pending
    ones, never the newest or the first offered. The log is shortened. Returns what went.
    """
    gone = _superseded(_files(project))
    with _locked(project):
        left = {path: size for path, size in _files(project).items() if path not in gone}
        waiting = [path for path in pending(project) if path in left]
        kept = {*list(left)[:1], *waiting[:1]}
        order = [path for path in reversed(left) if path not in waiting] + waiting[::-1]
        aside = _files(project, DISCARDED)
        first = [*reversed(aside), *(path for path in order if path not in kept)]
        sizes = left | aside
        while first and (sum(sizes.values()) > cap or len(sizes) > most):
            gone.append(first.pop(0))
            del sizes[gone[-1]]
        _unmark(project, set(gone))
        for path in gone:
            atomic.remove(path, inside=project.root)
        _shorten_log(project)
        if gone:
            _log(project, now, f"removed {' '.join(path.name for path in gone)}")
    atomic.sweep(_raw(project))
    return gone


def _superseded(newest_first: dict[Path, int]) -> list[Path]:
    """Copies that a newer one begins with: equal first records are the same session."""
    gone: list[Path] = []
    newer: dict[bytes, list[Path]] = {}
    for path, size in newest_first.items():
        with suppress(FileNotFoundError):  # another session removed one a moment ago
            with path.open("rb") as file:
                alike = newer.setdefault(file.readline(_RECORD).rstrip(b"\n"), [])
            if any(newest_first[other] >= size and _begins(path, other) for other in alike):
                gone.append(path)
            else:
                alike.append(path)
    return gone


def _begins(old: Path, newer: Path) -> bool:
    with old.open("rb") as first, newer.open("rb") as second:
        while part := first.read(_CHUNK):
            if part != second.read(len(part)):
                return False
    return True


def _raw(project: Project) -> Path:
    return project.memory / "raw"


def _locked(project: Project) -> AbstractContextManager[None]:
    return locks.of(project, project.active_context)


def _files(project: Project, folder: str = "") -> dict[Path, int]:
    """The complete copies with their sizes in bytes, the newest first."""
    found = reading.files(_raw(project).resolve() / folder, "*.jsonl", inside=_raw(project))
    ordered = sorted(found, key=order, reverse=True)
    return {path: found[path].st_size for path in ordered if found[path].st_size}


def _ignore(project: Project) -> None:
    """Keep raw text out of git before there is any; a user's own lines stay."""
    path = project.memory / IGNORE
    before = reading.data(path) if path.is_file() else b""
    after = ignoring(before)
    if after != before:
        atomic.write_bytes(path, after, inside=project.root)


def _log(project: Project, now: datetime, event: str) -> None:
    """The caller holds the lock of the memory folder."""
    line = f"{now.isoformat(timespec='seconds')} {event}".encode("utf-8", "replace")
    atomic.append_bytes(project.memory / LOG, line, atomic.PRIVATE, inside=project.root)


def _shorten_log(project: Project) -> None:
    """As above."""
    log, there = project.memory / LOG, {path.name for path in _files(project)}
    lines = reading.data(log).splitlines(keepends=True) if log.is_file() else []
    old = lines[:-_LINES]
    names = (ranking.saved(line.decode("utf-8", "replace")) for line in old)
    kept = [line for line, saved in zip(old, names, strict=True) if not there.isdisjoint(saved)]
    if len(kept) < len(old):
        data = b"".join(kept + lines[-_LINES:])
        atomic.write_bytes(log, data, atomic.PRIVATE, inside=project.root)


# ------------------------------------------------------------------------ the marker


def pending(project: Project) -> list[Path]:
    """The backups that wait, complete ones only, in the order in which they are offered."""
    lines = [line for name in roots.MARKERS for line in _lines(project.memory / name)]
    found = {path for line in lines if (path := _meant(project, line))}
    return _ordered(project, found)


def _mark(project: Project, backup: Path, standing: int | None = None) -> None:
    """Add a complete, durable backup at its place in the order, under the lock."""
    lines = [Path(line) for line in _lines(project.memory / MARKER)]
    more = {} if standing is None else {backup.name: standing}
    _write(project, MARKER, [str(path) for path in _ordered(project, [backup, *lines], more)])


def _unmark(project: Project, done: Collection[Path]) -> None:
    """Take out the lines of `done` and stale ones, under the lock."""
    for name in roots.MARKERS:
        lines, is_there = _lines(project.memory / name), (project.memory / name).is_file()
        kept = [line for line in lines if (path := _meant(project, line)) and path not in done]
        if is_there and (kept != lines or not kept):
            _write(project, name, kept)


def order(path: Path) -> tuple[str, float, int]:
    """Sorts backups by the time in their names, then by their own time and the suffix."""
    try:
        changed = path.stat().st_mtime
    except (OSError, ValueError):  # removed a moment ago, or no name of a file at all
        changed = 0.0
    if named := ranking.parts(path.name):
        return named[0], changed, named[2]
    return time.strftime("%Y%m%d_%H%M%S", time.localtime(changed)), changed, 1


def _ordered(project: Project, found: Iterable[Path], more: Mapping[str, int] = {}) -> list[Path]:
    told = _saved(project)

    def key(path: Path) -> tuple[int, tuple[str, float, int]]:
        _, standing = told.get(path.name, ranking.UNTOLD)
        return ranking.rank(more.get(path.name, standing), order(path))

    return sorted(found, key=key, reverse=True)


def _saved(project: Project) -> dict[str, tuple[str, int]]:
    """What the log tells of the backups, as `ranking.saved` has it."""
    log = project.memory / LOG
    return ranking.saved(reading.text(log)) if log.is_file() else {}


def _lines(marker: Path) -> list[str]:
    if not marker.is_file():
        return []
    text = reading.data(marker).decode("utf-8", "surrogateescape")
    return [line.strip() for line in text.splitlines() if line.strip()]


def _write(project: Project, name: str, lines: list[str]) -> None:
    marker = project.memory / name
    if lines:
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        atomic.write_bytes(marker, data, atomic.PRIVATE, inside=project.root)
    else:
        atomic.remove(marker, inside=project.root)


def _meant(project: Project, line: str) -> Path | None:
    """The backup that a line means; also after the project was moved to another folder."""
    name = re.split(r"[/\\]", line)[-1]
    if not ranking.parts(name):
        return None
    path = Path(os.path.realpath(project.memory / "raw")) / name
    is_own = path.is_relative_to(os.path.realpath(project.root)) and not path.is_symlink()
    return path if is_own and path.is_file() and path.stat().st_size else None
