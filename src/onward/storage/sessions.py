"""Which sessions run, which were captured as they ended, and what a
session took up.

Three records of `live`, read and written here alone. `alive`: the client's process and when it
began, the project's root, the repository's common folder, the transcript. `captured`: size and
time of the transcript before it was copied, the copy's name ("" once it is no longer pending),
then the same three; beside it `waits` names the copy as long as it is pending. `resumed`: the kind
of the saved place that the session goes on from (`transcript` for a backup), the project's root,
and "yes" once that was agreed to. Hooks import this at once, so it imports next to nothing.
"""

from __future__ import annotations

from onward.storage import live

_ALIVE, _CAPTURED, _WAITS = "alive", "captured", "waits"
_RESUMED, _AGREED = "resumed", "yes"
BACKUP = "transcript"
"""The kind of what was resumed where that was a backup."""


class Running:
    """A session that began and has not ended, as far as we were told. `pid` and `began` are the
    client's process, in the system's own words.
    """

    __slots__ = ("began", "common", "pid", "root", "transcript")

    def __init__(self, pid: str, began: str, root: str, common: str, transcript: str) -> None:
        self.pid, self.began = pid, began
        self.root, self.common, self.transcript = root, common, transcript


class Captured:
    """A session that was copied. `status` is its transcript's size and time before that, `copy`
    the copy's name, "" once it is no longer pending.
    """

    __slots__ = ("common", "copy", "root", "status", "transcript")

    def __init__(  # noqa: PLR0917 - the lines of a record
        self, size: str, changed: str, copy: str, root: str, common: str, transcript: str
    ) -> None:
        self.status, self.copy = (size, changed), copy
        self.root, self.common, self.transcript = root, common, transcript


class Resumed:
    """What a session took up: its kind, the root of the project, whether that was agreed to."""

    __slots__ = ("agreed", "kind", "root")

    def __init__(self, kind: str, root: str, *, agreed: bool = False) -> None:
        self.kind, self.root, self.agreed = kind, root, agreed


def running(data: str, session: str) -> Running | None:
    """The record of a session that runs; None where there is none."""
    lines = live.get(data, session, _ALIVE)
    return Running(*lines) if len(lines) == 5 else None


def run(data: str, session: str, record: Running) -> None:
    """Put on record that a session runs."""
    lines = (record.pid, record.began, record.root, record.common, record.transcript)
    live.put(data, session, _ALIVE, *lines)


def end(data: str, session: str) -> None:
    """It runs no more."""
    live.drop(data, session, _ALIVE)


def captured(data: str, session: str) -> Captured | None:
    """The record of a session's last capture; None where there is none."""
    lines = live.get(data, session, _CAPTURED)
    return Captured(*lines) if len(lines) == 6 else None


def capture(data: str, session: str, record: Captured) -> None:
    """Put a capture on record."""
    place = (record.root, record.common, record.transcript)
    live.put(data, session, _CAPTURED, *record.status, record.copy, *place)
    if record.copy:
        live.put(data, session, _WAITS, record.copy)
    else:
        live.drop(data, session, _WAITS)


def near(data: str, *, wait: bool) -> set[str]:
    """The ids of the sessions that run and, with `wait`, of those whose copies wait."""
    return {*live.having(data, _ALIVE), *(live.having(data, _WAITS) if wait else ())}


def resumed(data: str, session: str) -> Resumed | None:
    """What a session took up; None where it took up nothing."""
    lines = live.get(data, session, _RESUMED)
    if len(lines) < 2:
        return None
    return Resumed(lines[0], lines[1], agreed=lines[2:] == [_AGREED])


def resume(data: str, session: str, record: Resumed) -> None:
    """Put on record what a session takes up."""
    agreed = [_AGREED] if record.agreed else []
    live.put(data, session, _RESUMED, record.kind, record.root, *agreed)


def leave(data: str, session: str) -> None:
    """It took up nothing after all."""
    live.drop(data, session, _RESUMED)
