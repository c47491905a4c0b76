"""What was captured of this project's sessions, what will be lost, and what a session is told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from onward.clients.doctor import Case, Finding, Fix, Session, broken, ok, some, warning
from onward.clients.doctor.registration import levels, setting
from onward.documents.times import age, moment
from onward.model import Fate
from onward.storage import backups, sessions

DAYS = 30
"""`cleanupPeriodDays` where nobody set it (clients 2.1.197 and 2.1.330)."""
CUT = 10_000
"""Characters of a hook's text above which the model gets a preview of 2 KB only (clients
2.1.197 and 2.1.330)."""
_SOON = 7  # days
_QUIET = 600.0  # seconds after which a session that wrote nothing is taken for ended
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


def captured(case: Case) -> Iterator[Finding]:
    """The newest copy, and whether the end of the newest session is in one."""
    kept = backups.entries(case.project)
    if kept:
        when = datetime.strptime(kept[0].taken, "%Y%m%d_%H%M%S").replace(tzinfo=case.now.tzinfo)
        seconds = max(0.0, (case.now - when).total_seconds())
        yield ok("capture", f"the last one {age(seconds)} ago: {kept[0].path.name}")
    elif not case.sessions:
        yield ok("capture", "no session of this project yet")
    for newest in case.sessions[:1]:
        have = max((each.size for each in kept if each.session == newest.session), default=0)
        may_run = case.now.timestamp() - newest.mtime < _QUIET or sessions.running(
            str(case.data), newest.session
        )
        if have < newest.size and not may_run:  # the next start looks after a killed one
            missing = f"{newest.size - have:,} bytes of it are not kept"
            text = f"session {newest.session[:8]} ended and {missing if have else 'nothing of it is kept'}"
            why = "the client deletes its own transcripts after some weeks"
            yield warning("capture", text, why, f"onward save NAME --session {newest.session}")


def cleanup(case: Case) -> Iterator[Finding]:
    """The client deletes transcripts that nobody wrote to for some days; copies of ours stay."""
    value = setting(levels(case), "cleanupPeriodDays")
    days = value if type(value) is int and value > 0 else DAYS
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


def last_injection(case: Case) -> Iterator[Finding]:
    """The last text that a start's hook gave, as the client recorded it in the transcript."""
    start = next(hook for hook in case.here.hooks() if hook.event == "SessionStart")
    found = [
        (each.at, session.session[:8], each)
        for session in case.sessions
        for each in session.injections
        if start.meant(each.command)
    ]
    if not found:
        return
    at, session, newest = max(found, key=lambda each: each[0])
    told = moment(at)
    when = f"{age(max(0.0, (case.now - told).total_seconds()))} ago" if told else "once"
    if newest.fate in _WRONG:
        text, effect, advice, fix = _WRONG[newest.fate]
        yield broken("injection", f"{when}, for session {session}: {text}", effect, advice, fix)
        return
    size = f"{newest.size:,} characters, about {newest.size // _LETTERS:,} tokens"
    state = "the model got it" if newest.fate == "reached" else "no answer has come since"
    yield ok("injection", f"{when}, for session {session}: {size}; {state}")
