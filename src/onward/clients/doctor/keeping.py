"""Install, doctor: what was captured of this project's sessions, and what will be lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from onward.clients.doctor.case import Case, Session
from onward.clients.doctor.finding import Finding, broken, ok, remark
from onward.clients.doctor.levels import levels, setting
from onward.documents.times import age
from onward.storage import backups, markers, reading, sessions
from onward.storage.backups import Backup

DAYS = 30
"""`cleanupPeriodDays` where nobody set it (clients 2.1.197 and 2.1.330)."""
_SOON = 7  # days
_QUIET = 600.0  # seconds after which a session that wrote nothing is taken for ended
_SHOWN = 3


def captured(case: Case) -> Iterator[Finding]:
    """The newest copy, and whether the end of the newest session is in one."""
    kept = backups.entries(case.project)
    if kept:
        when = datetime.strptime(kept[0].taken, "%Y%m%d_%H%M%S").replace(tzinfo=case.now.tzinfo)
        seconds = max(0.0, (case.now - when).total_seconds())
        yield ok("capture", f"the last one {age(seconds)} ago: {kept[0].path.name}")
    newest = next(iter(case.sessions), None)
    if newest is None:
        if not kept:
            yield ok("capture", "no session of this project yet")
        return
    if case.now.timestamp() - newest.mtime < _QUIET or _running(case, newest):
        return
    have = max((each.size for each in kept if each.session == newest.session), default=0)
    if have < newest.size:
        who = f"session {newest.session[:8]} ended"
        missing = f"{newest.size - have:,} bytes of it are not kept"
        yield remark(
            "capture",
            f"{who} and {missing if have else 'nothing of it is kept'}",
            "the client deletes its own transcripts after some weeks",
            f"onward save NAME --session {newest.session}",
        )


def _running(case: Case, session: Session) -> bool:
    """Whether it may still be open: the next start looks after one whose process died."""
    return sessions.running(str(case.data), session.session) is not None


def cleanup(case: Case) -> Iterator[Finding]:
    """The client deletes transcripts that nobody wrote to for some days; copies of ours stay."""
    value, level = setting(levels(case), "cleanupPeriodDays")
    days = value if isinstance(value, int) and not isinstance(value, bool) else DAYS
    if level is not None and (days != value or days < 1):
        yield broken(
            "clean-up",
            f"{case.shown(level.path)}: cleanupPeriodDays must be a whole number from 1",
            "the client refuses the value, and may skip the whole file with the hooks in it",
            f'set "cleanupPeriodDays": {DAYS} in {case.shown(level.path)}',
        )
        days = DAYS
    if case.sessions and not case.claude_sessions:
        return
    kept = {each.session for each in backups.entries(case.project)}
    alone = sorted(
        (s for s in case.claude_sessions if s.session not in kept), key=lambda s: s.mtime
    )
    said = f"the client deletes transcripts after {days} days"
    due = [each for each in alone if _due(each, days, case) - case.now < timedelta(days=_SOON)]
    if not due:
        first = f"; the next one goes on {_due(alone[0], days, case):%Y-%m-%d}" if alone else ""
        yield ok("clean-up", said + first)
        return
    named = ", ".join(f"{s.session[:8]} on {_due(s, days, case):%Y-%m-%d}" for s in due[:_SHOWN])
    more = f" and {len(due) - _SHOWN} more" if len(due) > _SHOWN else ""
    yield remark(
        "clean-up",
        f"{said}; of these there is no copy: {named}{more}",
        "what is not saved by then is gone",
        f"onward save NAME --session {due[0].session}\n"
        f'or set a larger "cleanupPeriodDays" in {case.shown(case.config / "settings.json")}',
    )


def _due(session: Session, days: int, case: Case) -> datetime:
    try:
        return datetime.fromtimestamp(session.mtime, case.now.tzinfo) + timedelta(days=days)
    except (OverflowError, ValueError):  # "for ever" is written as a very large number
        return datetime.max.replace(tzinfo=case.now.tzinfo)


def marker(case: Case) -> Iterator[Finding]:
    """Lines of the marker that lead nowhere."""
    waiting = set(markers.pending(case.project))
    stale = [
        line
        for path in sorted(case.project.memory.glob(f"{markers.MARKER}*"))
        if path.is_file()
        for line in reading.data(path).decode("utf-8", "replace").split("\n")
        if line.strip() and not _leads(line.strip(), waiting)
    ]
    if stale:
        count = f"{len(stale)} line{'s' * (len(stale) > 1)}"
        yield remark(
            "marker",
            f"{count} of .pending-backup lead nowhere",
            "the copy was deleted, or the file came with somebody else's repository",
            "onward doctor --fix",
            "markers",
        )
    else:
        yield ok("marker", f"{len(waiting)} pending" if waiting else "nothing is pending")


def _leads(line: str, waiting: set[Path]) -> bool:
    name = line.replace("\\", "/").rsplit("/", 1)[-1]
    return any(path.name == name for path in waiting)


def cap(case: Case) -> Iterator[Finding]:
    """Copies beyond the cap are those that wait to be resumed."""
    kept: list[Backup] = backups.entries(case.project)
    total = sum(each.size for each in kept)
    if total > backups.CAP:
        waiting = sum(each.pending for each in kept)
        yield remark(
            "capture",
            f"the copies take {total / 1e6:,.0f} MB, more than {backups.CAP / 1e6:,.0f} MB; "
            f"{waiting} wait to be resumed",
            "pending ones and the newest are never removed",
            "onward backup list, then onward backup resume, or onward backup discard",
        )
