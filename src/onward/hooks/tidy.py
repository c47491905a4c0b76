"""Hooks: the records of sessions on this machine, kept true and not for ever."""

from __future__ import annotations

from pathlib import Path

from onward.hooks import alive, capture
from onward.hooks.here import Here
from onward.store import live, markers
from onward.store.project import Project

_OLD = 40 * 86400.0  # seconds; clients keep their transcripts for 30 days


def records(here: Here, project: Project) -> None:
    """Note which captures are pending no more, and forget sessions of 40 days ago."""
    waiting = {path.name for path in markers.pending(project)}
    for session in live.sessions(here.data):
        captured = live.get(here.data, session, "captured")
        size, changed, copy, root, *rest = captured if len(captured) == 6 else [""] * 6
        if copy and copy not in waiting and root == str(project.root):
            # Once: it makes the record a new one, whose 40 days begin.
            capture.record(here, session, (size, changed), "", root, *rest)
        elif _is_old(here, session):
            live.forget(here.data, session)


def _is_old(here: Here, session: str) -> bool:
    try:
        changed = Path(live.folder(here.data, session)).stat().st_mtime
    except OSError:
        return False
    running = alive.is_running(live.get(here.data, session, "alive"), here.now)
    return here.now - changed > _OLD and not running
