"""Hooks: a session's transcript into `raw/`, marked as pending, and a record of it.

The record `captured` of a session: size and time of the transcript before it was copied, the
copy's name ("" once it is no longer pending), the project's root, the repository's common
folder, the transcript. No capture is the last word: clients write late, and what has grown
since is captured again. The record `waits` names the copy as long as it is pending.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from onward.hooks import ground, spawn
from onward.hooks.here import Here
from onward.hooks.settled import is_settled
from onward.hooks.worth import grown, is_trivial, rests
from onward.store import backups, live


def capture(  # noqa: PLR0913 - what is known of the end of a session
    here: Here,
    session: str,
    transcript: str,
    where: tuple[str, str],
    *,
    reason: str = "",
    at: datetime | None = None,
    settled: bool = False,
) -> bool:
    """Copy, mark, log, then record; a detached child applies the cap and prepares the hand-over.

    `where` is the project's root and its repository's common folder; `reason` and `settled` as
    `store.backups.save` has them; `at` is now, if not given. Returns whether there was anything
    to copy. Raises StorageError, RefusedError; OSError where no child can be started.
    """
    project, status = ground.project(here, where[0]), grown(transcript)
    now = at or ground.now(here)
    kept = backups.save(
        project,
        Path(transcript),
        now=now,
        reason=reason,
        session=session,
        trivial=is_trivial(transcript),
        settled=settled,
    )
    if settled:
        settle(here, session, where[0])
    if kept is None:
        return False
    record(here, session, status, kept.name, *where, transcript)
    fields = {"project": where[0], "session": session, "transcript": transcript}
    spawn.later(here, "prepare", fields)
    return True


def record(here: Here, session: str, status: tuple[str, str], copy: str, *place: str) -> None:
    """Put a capture on record; `place` is root, common folder and transcript."""
    live.put(here.data, session, "captured", *status, copy, *place)
    if copy:
        live.put(here.data, session, "waits", copy)
    else:
        live.drop(here.data, session, "waits")


def settle(here: Here, session: str, root: str) -> None:
    """What was marked of a session before it was saved waits no more."""
    backups.settle(ground.project(here, root), session, now=ground.now(here))


def complete(here: Here, session: str) -> None:
    """Add to the copy of a session that has ended what its client wrote afterwards (measured,
    2.1.197: the command `/exit` itself).
    """
    captured = live.get(here.data, session, "captured")
    if len(captured) != 6 or live.get(here.data, session, "alive"):
        return
    size, changed, name, root, common, transcript = captured
    status = grown(transcript)
    if name and status != (size, changed):
        project = ground.project(here, root)
        copy = project.memory / "raw" / name
        backups.renew(project, copy, Path(transcript), now=ground.now(here))
        record(here, session, status, name, root, common, transcript)


def recover(here: Here, session: str, transcript: str, where: tuple[str, str]) -> None:
    """Capture a session that was lost, at the time of its last record. It stays on record as
    lost where that raises anything: StorageError, RefusedError, OSError.
    """
    at = datetime.fromtimestamp(int(grown(transcript)[1] or 0) / 1e9).astimezone()
    saved = is_settled(here, session, transcript, where[0])
    if capture(here, session, transcript, where, reason="lost", at=at, settled=saved):
        backups.stamp_exit(ground.project(here, where[0]), at=at)
        rests(here, session)
    live.drop(here.data, session, "alive")
