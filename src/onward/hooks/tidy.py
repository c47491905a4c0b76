"""Hooks: the records of sessions on this machine, kept true and not for ever."""

from __future__ import annotations

from pathlib import Path

from onward.hooks import alive
from onward.hooks.environment import Here
from onward.storage import live, markers, sessions
from onward.storage.project import Project

_OLD = 40 * 86400.0  # seconds; clients keep their transcripts for 30 days


def records(here: Here, project: Project) -> None:
    """Note which captures are pending no more, and forget sessions of 40 days ago."""
    pending = {path.name for path in markers.pending(project)}
    for session in live.sessions(here.data):
        known = sessions.captured(here.data, session)
        is_ours = known and known.root == str(project.root)
        if known and is_ours and known.copy and known.copy not in pending:
            known.copy = ""  # once: it makes the record a new one, whose 40 days begin
            sessions.capture(here.data, session, known)
        elif _is_old(here, session):
            live.forget(here.data, session)


def _is_old(here: Here, session: str) -> bool:
    try:
        changed = Path(live.folder(here.data, session)).stat().st_mtime
    except OSError:
        return False
    known = sessions.running(here.data, session)
    is_running = known is not None and alive.is_running(known, here.now)
    return here.now - changed > _OLD and not is_running
