"""Hooks: sessions whose end nobody told us of, because their client was killed or cut off.

Found at the next start in the same project, by the records of this machine. A session in a work
tree that was removed is found from any other one of its repository, also one that ended and
still waited to be resumed: its copy went with the folder. Sessions that were never seen are no
business of ours.
"""

from __future__ import annotations

import os

from onward.hooks import alive, sleeping, triage
from onward.storage import sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here
    from onward.model import Checkpoint
    from onward.storage.sessions import Captured, Running
    from onward.transcripts.hook_call import HookCall


def run(call: HookCall, here: Here, where: tuple[str, str]) -> dict[str, Checkpoint]:
    """Capture what was lost, each as if it had ended when its transcript was last written.
    Returns what was learnt of a session by the way.

    What the disk refuses is told in the log: the start goes on, and the next one tries again.
    """
    found: dict[str, str] = {}
    for session, record in _found(here, where).items():
        if session == call.session or _runs(record, call, here.now):
            continue
        sleeping.end(here, session)
        if triage.is_empty(record.transcript):  # nobody said a word in it
            sessions.end(here.data, session)
        else:
            found[session] = record.transcript
    if not found:
        return {}
    from onward.hooks import recovery  # noqa: PLC0415 - most starts find nothing, and it is dear

    return recovery.run(call, here, found, where)


def _found(here: Here, where: tuple[str, str]) -> dict[str, Running | Captured]:
    """The sessions that may be lost ones of this project, with their records. Looked for among
    those that run and, as only a repository has several work trees, those that wait.
    """
    near = sessions.near(here.data, wait=bool(where[1]))
    found = {session: _lost(here, session, where) for session in near}
    return {session: record for session, record in found.items() if record}


def _lost(here: Here, session: str, where: tuple[str, str]) -> Running | Captured | None:
    """The record by which a session may be a lost one of this project; None if it is not."""
    root, common = where
    if seen := sessions.running(here.data, session):
        return seen if seen.root == root or _is_removed(seen, common) else None
    captured = sessions.captured(here.data, session)
    return captured if captured and captured.copy and _is_removed(captured, common) else None


def _is_removed(record: Running | Captured, common: str) -> bool:
    """Whether a record speaks of a work tree of this repository that is there no more."""
    return record.common == common != "" and not os.path.isdir(record.root)  # noqa: PTH112 - dear


def _runs(record: Running | Captured, call: HookCall, now: float) -> bool:
    """One process serves one session at a time: its next one tells that this one is over."""
    if isinstance(record, sessions.Captured) or (call.pid and record.pid == str(call.pid)):
        return False
    return alive.is_running(record, now)
