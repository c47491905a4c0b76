"""What was captured of this project's sessions, what will be lost, and who may get at the copies."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from onward import regular
from onward.clients import files
from onward.clients.doctor import Case, Finding, Session, broken, ok, some, warning
from onward.clients.doctor.installation import levels
from onward.documents.times import age
from onward.errors import RefusedError
from onward.repo import git
from onward.storage import atomic, backups, markers, sessions
from onward.storage.reading import LARGEST

DAYS = 30
"""`cleanupPeriodDays` where nobody set it (clients 2.1.197 and 2.1.330)."""
_SOON = 7  # days
_QUIET = 600.0  # seconds after which a session that wrote nothing is taken for ended
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_WRITE = stat.S_IWGRP | stat.S_IWOTH


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
    key, found = "cleanupPeriodDays", [each for each in levels(case) if not each.plugin]
    value = next((each.data[key] for each in reversed(found) if key in each.data), None)
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


def private(case: Case) -> dict[Path, int]:
    """What others may read or write and must not: the mode that each should have."""
    if os.name == "nt":
        return {}
    memory, data, hooks = case.project.memory, case.data, case.here.base / "hooks"
    secret = [
        *memory.glob("raw/*.jsonl"),
        *memory.glob(f"{markers.MARKER}*"),
        memory / backups.LOG,
        data / "key",
        data / "hooks.log",
        *data.glob("live/*/*"),
    ]
    wanted = {path: _mode(path) & ~_OTHERS for path in secret if _mode(path) & _OTHERS}
    # Whoever may write these chooses what our hooks run.
    ours = (data, data / files.LAUNCHER, hooks, *hooks.glob("*.sh"))
    return wanted | {path: _mode(path) & ~_WRITE for path in ours if _mode(path) & stat.S_IWOTH}


def _mode(path: Path) -> int:
    try:
        found = path.lstat()
    except OSError:
        return 0
    return 0 if stat.S_ISLNK(found.st_mode) else stat.S_IMODE(found.st_mode)


def modes(case: Case) -> Iterator[Finding]:
    """Raw transcripts hold whatever was said and shown."""
    if wrong := private(case):
        names = some([case.shown(path) for path in wrong], 3)
        text = f"others on this machine may get at {names}"
        why = "they hold whole conversations, or say what the hooks run"
        yield broken("modes", text, why, "onward doctor --fix", "modes")
    else:
        yield ok("modes", "raw transcripts and our own records are for you alone")


def writable(case: Case) -> Iterator[Finding]:
    """Folders that are to be written to; the nearest one that is there decides."""
    project, why, fine = case.project, "nothing can be saved there", True
    wanted = (project.memory, project.checkpoints, project.root, case.data)
    nearest = [next((p for p in (path, *path.parents) if p.exists()), path) for path in wanted]
    for path in dict.fromkeys(nearest):
        shown = case.shown(path)
        if not path.is_dir():
            fine, text = False, f"{shown} is a file; a folder belongs there"
            yield broken("folders", text, why, "move it away")
        elif not os.access(path, os.W_OK):
            fine, advice = False, f"chmod u+w {shlex.quote(str(path))}"
            yield broken("folders", f"{shown} is read-only", why, advice)
    for path in (project.memory, project.memory / "raw", project.checkpoints):
        try:
            atomic.within(path, project.root)
        except RefusedError as error:
            fine = False
            yield broken("folders", error.message, why, error.hint)
    if fine:
        yield ok("folders", "ours can be written")


def ignored(case: Case) -> Iterator[Finding]:
    """Raw transcripts stay out of git; a file of ours in their folder sees to it."""
    memory = case.project.memory
    raw, ignore = memory / "raw", memory / backups.IGNORE
    if case.top is None or not raw.is_dir():
        return
    loose = git.ask(memory, "ls-files", "--others", "--exclude-standard", "--", "raw")
    named = ignore.is_file() and b"raw/" in regular.head(ignore, LARGEST).split()
    if loose or (loose is None and not named):
        yield broken(
            "git",
            f"{case.shown(ignore)} does not keep raw/ out of git",
            "raw transcripts hold secrets, and the next `git add` would take them up",
            f"printf '\\nraw/\\n' >> {shlex.quote(str(ignore))}",
        )
    if git.ask(memory, "ls-files", "--", "raw"):
        shown = case.shown(raw)
        yield broken(
            "git",
            f"git tracks files in {shown}",
            "raw transcripts hold secrets, and go wherever the repository goes",
            f"git rm -r --cached {shlex.quote(shown)}",
        )
