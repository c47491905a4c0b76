"""A session's transcript into `raw/`, marked as pending, and a record of it: at its end,
before a compaction, and at the next start where its client was killed.

No capture is the last word: clients write late, and what has grown since is captured again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from onward.errors import OnwardError
from onward.hooks import context, processes, triage
from onward.hooks.environment import Here
from onward.storage import atomic, backups, locks, ranking, sessions

LARGE = 8 << 20
"""Bytes of a transcript that are copied while the client waits: a slow disk takes 10 MB a second."""


def job(
    session: str, transcript: str, where: tuple[str, str], event: str, **more: str
) -> dict[str, str]:
    """What is to be captured, as a detached child is told of it: `where` is the project's root and its
    repository's common folder, `event` "end", "lost" or "compact"; `more` may hold `reason`, `pid`
    and `settled` ("yes" or ""), as `backups.save` has them.
    """
    place = {"project": where[0], "common": where[1], "session": session, "transcript": transcript}
    return {**place, "event": event, "reason": "", "pid": "0", "settled": "", **more}


def begin(here: Here, fields: dict[str, str]) -> bool:
    """Capture now, or leave a large transcript to a detached child; returns whether it was left. Then
    the session stays on record as running until the child is done: where that is killed, the next
    start finds it. Raises as `capture`.
    """
    is_large = int(triage.grown(fields["transcript"])[0] or 0) > LARGE
    if is_large:
        processes.later(here, "capture", fields)
    else:
        capture(here, fields)
    return is_large


def capture(here: Here, fields: dict[str, str], *, resumes: bool = False) -> None:
    """Copy, mark, log, then record, and tell the active context of an end; a detached child applies
    the cap and prepares the hand-over. What was lost ended when its transcript was last written. Raises
    StorageError, RefusedError; OSError where no child can be started.
    """
    session, transcript, settled = fields["session"], fields["transcript"], bool(fields["settled"])
    project, status = context.project(here, fields["project"]), triage.grown(transcript)
    is_lost = fields["event"] == "lost"
    written = datetime.fromtimestamp(int(status[1] or 0) / 1e9).astimezone()
    at = written if is_lost else context.now(here)
    kept = backups.save(
        project,
        Path(transcript),
        now=at,
        reason=fields["reason"],
        session=session,
        # It stands in the place of the backup that it went on from, whatever little was done in it.
        standing=ranking.WORK if triage.is_heir(here, session) else triage.standing(transcript),
        settled=settled,
        resumes=resumes,
    )
    if settled:
        settle(here, fields)
    if kept is None:
        return
    place = (fields["project"], fields["common"], transcript)
    sessions.capture(here.data, session, sessions.Captured(*status, kept.name, *place))
    own = {name: fields[name] for name in ("project", "session", "transcript")}
    processes.later(here, "prepare", own)
    if fields["event"] != "compact":
        triage.rests(here, session)
        stamp_exit(here, fields, at, settled=settled)


def finish(here: Here, fields: dict[str, str]) -> None:
    """Do what was left. Raises as `capture`; StorageError where another child is at it."""
    session, status = fields["session"], triage.grown(fields["transcript"])
    project = context.project(here, fields["project"])
    name = "".join(each for each in session if each.isalnum() or each == "-")
    lock = project.memory / f".capture-{name[:64]}.lock"
    with locks.hold(lock, 0, inside=project.root):
        known = sessions.captured(here.data, session)
        if known is None or known.status != status or not Path(known.root).is_dir():
            capture(here, fields, resumes=True)
        alive = sessions.running(here.data, session)
        is_over = alive and (alive.pid == fields["pid"] or not sessions.is_running(alive, here.now))
        if is_over and fields["event"] != "compact":
            sessions.end(here.data, session)


def settle(here: Here, fields: dict[str, str]) -> None:
    """What was marked of a session before it was saved waits no more."""
    project = context.project(here, fields["project"])
    backups.settle(project, fields["session"], now=context.now(here))


def clear(here: Here, root: str, folder: str) -> None:
    """Remove old temporary files of a folder of the project."""
    with guarded(here, "old temporary files stay"):
        atomic.sweep(atomic.within(Path(folder), Path(root)))


def complete(here: Here, session: str) -> bool:
    """Add to the copy of a session that has ended what its client wrote afterwards (measured,
    2.1.197: the command `/exit` itself). Returns whether there was any.
    """
    known = sessions.captured(here.data, session)
    if known is None or sessions.running(here.data, session):
        return False
    status = triage.grown(known.transcript)
    if not known.copy or status == known.status:
        return False
    project = context.project(here, known.root)
    copy = project.memory / "raw" / known.copy
    backups.renew(project, copy, Path(known.transcript), now=context.now(here))
    known.status = status
    sessions.capture(here.data, session, known)
    return True


def stamp_exit(here: Here, fields: dict[str, str], at: datetime, *, settled: bool | None) -> None:
    """Write the end of a session into the active context, and whether that tells of an earlier state
    than a session's with work in it, which did not end with a session document. `settled` says whether
    it was saved, None that nothing new was done in it.
    """
    save = sessions.saved(here.data, fields["session"], fields["project"]) if settled else None
    is_behind = save is None or save.kind != sessions.DOCUMENT
    is_work = settled is not None and triage.standing(fields["transcript"]) == ranking.WORK
    project = context.project(here, fields["project"])
    backups.stamp_exit(project, at=at, is_older=is_behind and is_work)


def ask_again(here: Here, session: str, root: str) -> None:
    """Let what a session took in wait again, where it ended before anybody said yes or no to it."""
    asked = sessions.asked(here.data, session)
    if asked and asked.at and not (asked.again or asked.is_late or asked.name):
        project = context.project(here, root)
        asked.again = backups.put_back(project, since=asked.at, now=context.now(here))
        sessions.ask(here.data, session, asked)


def capture_lost(here: Here, found: Mapping[str, str], where: tuple[str, str]) -> bool:
    """Capture the sessions of these transcripts, as far as there is anything to come back to. Returns
    whether a large one was left to a child.

    What the disk refuses is told in the log, and such a session stays on record as lost.
    """
    is_left = False
    for session, transcript in found.items():
        with guarded(here):
            if not triage.is_worth(here, session, transcript):
                _close(here, session, where[0])
                continue
            saved = triage.is_settled(here, session, transcript, where[0])
            told = {"reason": "lost", "settled": "yes" * saved}
            fields = job(session, transcript, where, "lost", **told)
            if begin(here, fields):
                is_left = True
            else:
                _close(here, session, where[0])
    return is_left


def _close(here: Here, session: str, root: str) -> None:
    """A lost session is one no more."""
    ask_again(here, session, root)
    sessions.end(here.data, session)


@contextmanager
def guarded(here: Here, what: str = "a lost session was not captured") -> Iterator[None]:
    """Let one session, or folder, fail for itself."""
    try:
        yield
    except (OnwardError, OSError, ValueError) as error:
        here.note(what, error)
