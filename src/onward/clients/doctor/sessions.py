"""What was captured of this project's sessions, what will be lost, and what a session is told."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from onward.briefing.tokens import estimate
from onward.clients.claude_code import HOOKS
from onward.clients.doctor.findings import Case, Finding, Fix, Session, broken, ok, some, warning
from onward.clients.doctor.registration import entries, is_ours, levels, setting
from onward.documents.times import age, moment
from onward.model import Fate
from onward.storage import backups, markers, reading, sessions

DAYS = 30
"""`cleanupPeriodDays` where nobody set it (clients 2.1.197 and 2.1.330)."""
CUT = 10_000
"""Characters of a hook's text above which the model gets a preview of 2 KB only (clients
2.1.197 and 2.1.330)."""
_SOON = 7  # days
_QUIET = 600.0  # seconds after which a session that wrote nothing is taken for ended
_END = 256 << 10
"""Bytes of a transcript's end that are looked at for a torn record."""
_PACKED = b"\x28\xb5\x2f\xfd"
"""How a compressed file begins."""
_LETTERS = 4  # characters of a token, roughly: the text itself is not at hand
_WRONG: dict[Fate, tuple[str, str, str, Fix]] = {
    "cut": (
        f"the text was over {CUT:,} characters",
        "the client put it into a file and gave the model the first 2 KB",
        'write "handover = false" below [hooks] in onward.toml',
        "",
    ),
    "cancelled": (
        "the hook was stopped at its time limit",
        "the model was told nothing",
        "onward doctor --fix",
        "launcher",
    ),
    "failed": (
        "the hook ended with an error",
        "the client threw its text away",
        "onward install",
        "files",
    ),
}
_IMPORT = re.compile(r"(?:^|\s)@([^\s`]+)")
# What is never closed goes on to the end, as in Markdown: else each one that opens would look there.
_FENCED = re.compile(r"^```.*?(?:^```|\Z)|`[^`\n]*`|<!--.*?(?:-->|\Z)", re.MULTILINE | re.DOTALL)


def captured(case: Case) -> Iterator[Finding]:
    """The newest copy, whether the end of the newest session is in one, and how much they take."""
    kept = backups.entries(case.project)
    if kept:
        when = datetime.strptime(kept[0].taken, "%Y%m%d_%H%M%S").replace(tzinfo=case.now.tzinfo)
        seconds = max(0.0, (case.now - when).total_seconds())
        yield ok("capture", f"the last one {age(seconds)} ago: {kept[0].path.name}")
    elif not case.sessions:
        yield ok("capture", "no session of this project yet")
    if (total := sum(each.size for each in kept)) > backups.CAP:
        waiting = sum(each.pending for each in kept)
        yield warning(
            "capture",
            f"the copies take {total / 1e6:,.0f} MB, more than {backups.CAP / 1e6:,.0f} MB; "
            f"{waiting} wait to be resumed",
            "pending ones and the newest are never removed",
            "onward backup list, then onward backup resume, or onward backup discard",
        )
    for newest in case.sessions[:1]:
        have = max((each.size for each in kept if each.session == newest.session), default=0)
        if have < newest.size and not _may_run(case, newest):
            missing = f"{newest.size - have:,} bytes of it are not kept"
            yield warning(
                "capture",
                f"session {newest.session[:8]} ended and {missing if have else 'nothing of it is kept'}",
                "the client deletes its own transcripts after some weeks",
                f"onward save NAME --session {newest.session}",
            )


def _may_run(case: Case, session: Session) -> bool:
    """The next start looks after one whose process died."""
    is_recent = case.now.timestamp() - session.mtime < _QUIET
    return is_recent or sessions.running(str(case.data), session.session) is not None


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
        (s for s in case.claude_sessions if not s.kept and s.session not in kept),
        key=lambda s: s.mtime,
    )
    said = f"the client deletes transcripts after {days} days"
    due = [each for each in alone if _due(each, days, case) - case.now < timedelta(days=_SOON)]
    if not due:
        first = f"; the next one goes on {_due(alone[0], days, case):%Y-%m-%d}" if alone else ""
        yield ok("clean-up", said + first)
        return
    named = some([f"{s.session[:8]} on {_due(s, days, case):%Y-%m-%d}" for s in due], 3)
    yield warning(
        "clean-up",
        f"{said}; of these there is no copy: {named}",
        "what is not saved by then is gone",
        f"onward keep --all\nonward save NAME --session {due[0].session}\n"
        f'or set a larger "cleanupPeriodDays" in {case.shown(case.config / "settings.json")}',
    )


def _due(session: Session, days: int, case: Case) -> datetime:
    try:
        return datetime.fromtimestamp(session.mtime, case.now.tzinfo) + timedelta(days=days)
    except (OverflowError, ValueError):  # "for ever" is written as a very large number
        return datetime.max.replace(tzinfo=case.now.tzinfo)


def torn(case: Case) -> Iterator[Finding]:
    """Transcripts that end in the middle of a record, as after a full disk or a power cut."""
    found = [s for s in case.sessions if not _may_run(case, s) and _is_torn(s.path)]
    if found:
        named = some([s.session[:8] for s in found], 3)
        yield warning(
            "transcripts",
            f"{len(found)} end{'s' * (len(found) == 1)} in the middle of a record: {named}",
            "each is read as far as it goes; what its client had not written is lost",
            f"onward read {found[0].session}",
        )


def _is_torn(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            if stream.read(len(_PACKED)) == _PACKED:
                return False
            end = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, end - _END))
            last = stream.read().rpartition(b"\n")[2]
    except OSError:  # told elsewhere
        return False
    # A longer record than that is taken for a whole one where it ends as one does.
    whole = last if len(last) < _END else b"{}" if last.endswith(b"}") else b"{"
    try:
        json.loads(whole or b"{}")
    except (ValueError, RecursionError):
        return True
    return False


def marker(case: Case) -> Iterator[Finding]:
    """Lines of the marker that lead nowhere."""
    waiting = {path.name for path in markers.pending(case.project)}
    lines = [
        line.strip()
        for path in sorted(case.project.memory.glob(f"{markers.MARKER}*"))
        if path.is_file()
        for line in reading.data(path).decode("utf-8", "replace").split("\n")
    ]
    stale = [
        each for each in lines if each and each.replace("\\", "/").rsplit("/", 1)[-1] not in waiting
    ]
    if not stale:
        yield ok("marker", f"{len(waiting)} pending" if waiting else "nothing is pending")
        return
    yield warning(
        "marker",
        f"{len(stale)} line{'s' * (len(stale) > 1)} of .pending-backup lead nowhere",
        "the copy was deleted, or the file came with somebody else's repository",
        "onward doctor --fix",
        "markers",
    )


def imports(case: Case) -> Iterator[Finding]:
    """The two files that the client loads into each session, by an `@` line in CLAUDE.md."""
    project_level = any(entry.level.name == "project" for entry in entries(levels(case)))
    sources = (case.claude / "CLAUDE.md", case.project.root / "CLAUDE.md")
    named = {_real(source.parent / each): each for source in sources for each in _named(source)}
    for path in (case.project.active_context, case.project.memory / "project-memory.md"):
        shown = case.shown(path)
        wrong = next((each for each in named.values() if each.endswith(path.name)), None)
        if _real(path) in named:
            text = reading.text(path) if path.is_file() else ""
            size = f"{len(text):,} characters, about {estimate(text):,} tokens"
            yield ok("imports", f"{shown}: {size if text else 'not written yet'}")
        elif wrong:
            yield broken(
                "imports",
                f"@{wrong} leads nowhere: {shown} is not loaded",
                "an import is relative to the file it stands in; the client says nothing where it fails",
                "in .claude/CLAUDE.md write @memory/" + path.name,
            )
        elif project_level:
            yield broken(
                "imports",
                f"{shown} is imported nowhere",
                "a new session does not begin with it, as the session rules say it does",
                "onward doctor --fix",
                "files",
            )


def _named(source: Path) -> list[str]:
    if not source.is_file():
        return []
    return _IMPORT.findall(_FENCED.sub(" ", reading.text(source)))


def _real(path: Path) -> Path:
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError, ValueError):  # no such user's home, a ring of links, a NUL
        return path


def last_injection(case: Case) -> Iterator[Finding]:
    """The last text that a start's hook gave, as the client recorded it in the transcript."""
    shim = next(hook.shim for hook in HOOKS if hook.event == "SessionStart")
    found = [
        (each.at, session, each)
        for session in case.sessions
        for each in session.injections
        if is_ours(each.command, shim)
    ]
    if not found:
        return
    at, session, newest = max(found, key=lambda each: each[0])
    told = moment(at)
    when = f"{age(max(0.0, (case.now - told).total_seconds()))} ago" if told else "once"
    who = f"session {session.session[:8]}"
    if newest.fate in _WRONG:
        text, effect, advice, fix = _WRONG[newest.fate]
        yield broken("injection", f"{when}, for {who}: {text}", effect, advice, fix)
        return
    size = f"{newest.size:,} characters, about {newest.size // _LETTERS:,} tokens"
    state = "the model got it" if newest.fate == "reached" else "no answer has come since"
    yield ok("injection", f"{when}, for {who}: {size}; {state}")
