"""Hooks: a session's transcript into `raw/`, marked as pending, and a record of it.

No capture is the last word: clients write late, and what has grown since is captured again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Self

from onward.hooks import context, spawn
from onward.hooks.environment import Here
from onward.hooks.triage import grown, is_trivial, rests
from onward.storage import backups, sessions

_TURN = 0.0005
"""Seconds until a thread that computes lets one go on whose system call is done; the usual 5 ms
after each of them would keep a copy from beginning at all.
"""


class Beside:
    """Does `work` in a thread of its own while the body of `with` runs, and waits for it at the
    end, whatever error there was; not where our time is up, which is no error: then the client
    waits no longer either. What the work raises is raised at the end of a body that raised
    nothing.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        sys.setswitchinterval(_TURN)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, Exception):
            return
        self._thread.join()
        if kind is None and self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            self._work()
        finally:
            self._error = sys.exc_info()[1]


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
    project, status = context.project(here, where[0]), grown(transcript)
    now = at or context.now(here)
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
    sessions.capture(here.data, session, sessions.Captured(*status, kept.name, *where, transcript))
    fields = {"project": where[0], "session": session, "transcript": transcript}
    spawn.later(here, "prepare", fields)
    return True


def settle(here: Here, session: str, root: str) -> None:
    """What was marked of a session before it was saved waits no more."""
    backups.settle(context.project(here, root), session, now=context.now(here))


def complete(here: Here, session: str) -> None:
    """Add to the copy of a session that has ended what its client wrote afterwards (measured,
    2.1.197: the command `/exit` itself).
    """
    known = sessions.captured(here.data, session)
    if known is None or sessions.running(here.data, session):
        return
    status = grown(known.transcript)
    if known.copy and status != known.status:
        project = context.project(here, known.root)
        copy = project.memory / "raw" / known.copy
        backups.renew(project, copy, Path(known.transcript), now=context.now(here))
        known.status = status
        sessions.capture(here.data, session, known)


def recover(
    here: Here, session: str, transcript: str, where: tuple[str, str], *, settled: bool = False
) -> None:
    """Capture a session that was lost, at the time of its last record. It stays on record as
    lost where that raises anything: StorageError, RefusedError, OSError.
    """
    at = datetime.fromtimestamp(int(grown(transcript)[1] or 0) / 1e9).astimezone()
    if capture(here, session, transcript, where, reason="lost", at=at, settled=settled):
        backups.stamp_exit(context.project(here, where[0]), at=at)
        rests(here, session)
    sessions.end(here.data, session)
