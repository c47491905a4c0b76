"""Hooks: sessions whose end nobody told us of, because their client was killed or cut off.

Found at the next start in the same project, by the records of this machine. A session in a work
tree that was removed is found from any other one of its repository, also one that ended and
still waited to be resumed: its copy went with the folder. Sessions that were never seen are no
business of ours.
"""

from __future__ import annotations

import os

from onward.hooks import alive, sleeping, worth
from onward.store import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.agents.hook_call import HookCall
    from onward.hooks.here import Here


def run(call: HookCall, here: Here, where: tuple[str, str]) -> None:
    """Capture what was lost, each as if it had ended when its transcript was last written.

    What the disk refuses is told in the log: the start goes on, and the next one tries again.
    """
    for session, record in _found(here, where).items():
        if session != call.session and not _runs(record, call, here.now):
            _capture(here, session, record[-1], where)


def _capture(here: Here, session: str, transcript: str, where: tuple[str, str]) -> None:
    # Most starts find nothing, and these are dear.
    from onward.errors import OnwardError  # noqa: PLC0415
    from onward.hooks import capture, log  # noqa: PLC0415

    try:
        sleeping.end(here, session)
        if worth.is_worth(here, session, transcript):
            capture.recover(here, session, transcript, where)
        else:
            live.drop(here.data, session, "alive")
    except (OnwardError, OSError, ValueError) as error:
        log.note(here, f"a lost session was not captured: {log.told(error)}")


def _found(here: Here, where: tuple[str, str]) -> dict[str, list[str]]:
    """The sessions that may be lost ones of this project, with their records. Looked for among
    those that run and, as only a repository has several work trees, those that wait.
    """
    near = set(live.having(here.data, "alive"))
    if where[1]:
        near.update(live.having(here.data, "waits"))
    found = {session: _lost(here, session, where) for session in near}
    return {session: record for session, record in found.items() if record}


def _lost(here: Here, session: str, where: tuple[str, str]) -> list[str]:
    """The record by which a session may be a lost one of this project; none if it is not."""
    root, common = where
    seen = live.get(here.data, session, "alive")
    if len(seen) == 5 and (seen[2] == root or _is_removed(seen, common)):
        return seen
    captured = live.get(here.data, session, "captured")
    waits = len(captured) == 6 and captured[2]
    return captured if waits and not seen and _is_removed(captured, common) else []


def _is_removed(record: list[str], common: str) -> bool:
    """Whether a record speaks of a work tree of this repository that is there no more. Both
    kinds of record end in root, common folder and transcript.
    """
    return record[-2] == common != "" and not os.path.isdir(record[-3])  # noqa: PTH112 - dear


def _runs(record: list[str], call: HookCall, now: float) -> bool:
    """One process serves one session at a time: its next one tells that this one is over."""
    if len(record) != 5 or (call.pid and record[0] == str(call.pid)):
        return False
    return alive.is_running(record, now)
