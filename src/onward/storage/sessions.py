"""Which sessions run, which were captured as they ended, what a session took up or was briefed on, and
the question that waits in it: records of `live`, read and written here alone.

Their lines: `alive` process, its begin, root, common folder, transcript; `captured` size, time, copy,
then the last three; `waits` the copy as long as it is pending; `resumed` kind, root, "yes" once agreed;
`briefed` a session's id; `saved` kind, name, root, file, bytes, time, prompts since; `awaiting` the
question. Hooks import this at once, so it imports next to nothing.
"""

from __future__ import annotations

import os

from onward.storage import live

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Made = tuple[str, str, str, float]  # kind, name, file, and time of a save

_ALIVE, _CAPTURED, _WAITS = "alive", "captured", "waits"
_RESUMED, _BRIEFED, _AWAITING = "resumed", "briefed", "awaiting"
_AGREED = "yes"
_KIND, _LATER, _AT, _FILE = "resume", "later", "at ", "file "
_SAVED, _SAVED_LINES = "saved", 6
CHECKPOINT, DOCUMENT, PROTOCOL = "checkpoint", "document", "protocol"  # forms of a saved place
BACKUP = "transcript"  # the kind of what was resumed where that was a backup
_GONE = ("Z", "X")  # a killed process stays on the system's list until its parent looks
_SILENCE = 3600.0  # seconds of silence after which a session counts as dead


class Running:
    """A session that has not ended, as far as we were told; `began` in the system's own words."""

    def __init__(self, pid: str, began: str, root: str, common: str, transcript: str) -> None:
        self.pid, self.began = pid, began
        self.root, self.common, self.transcript = root, common, transcript


class Captured:
    """A session that was copied; `copy` is "" once it is no longer pending."""

    def __init__(  # noqa: PLR0917 - the lines of a record
        self, size: str, changed: str, copy: str, root: str, common: str, transcript: str
    ) -> None:
        self.status, self.copy = (size, changed), copy
        self.root, self.common, self.transcript = root, common, transcript


class Resumed:
    """What a session took up: its kind, the root of the project, whether that was agreed to."""

    def __init__(self, kind: str, root: str, *, agreed: bool = False) -> None:
        self.kind, self.root, self.agreed = kind, root, agreed


class Question:
    """What waits for an answer: the checkpoint `name` that a no puts into the trash ("" where it
    deletes nothing), in the project at `root`. `again` names the backups that wait again, `is_late`
    says that a prompt passed which was no answer, `at` is in seconds since 1970 (0: unknown),
    `file` the place.
    """

    def __init__(
        self,
        name: str,
        root: str,
        again: Iterable[str] = (),
        *,
        is_late: bool = False,
        at: float = 0.0,
        file: str = "",
    ) -> None:
        self.name, self.root, self.file, self.at = name, root, file, at
        self.again, self.is_late = list(again), is_late


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


class Saved:
    """What a session was saved as last: `size` the bytes of the transcript that were there then,
    `at` in seconds since 1970, `since` the prompts behind it, -1 where nobody has counted.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the lines of a record
        self, kind: str, name: str, root: str, file: str, size: str, at: str, since: str = "-1"
    ) -> None:
        self.kind, self.name, self.root, self.file = kind, name, root, file
        self.size, self.at, self.since = int(size), float(at), int(since)


def save(data: str, session: str, transcript: str, root: str, made: Made) -> None:
    """Put a save on record."""
    kind, name, file, at = made
    if os.path.isfile(transcript):  # noqa: PTH113 - pathlib is slow to import
        size = os.stat(transcript).st_size  # noqa: PTH116 - as above
        lines = (kind, name, os.path.realpath(root), os.path.realpath(file), str(size), str(at))
        live.put(data, session, _SAVED, *lines)


def saved(data: str, session: str, root: str) -> Saved | None:
    """The last save of a session in the project at `root`, if what it wrote is still there."""
    lines = live.get(data, session, _SAVED)
    if len(lines) < _SAVED_LINES or lines[2] != os.path.realpath(root):
        return None
    try:
        return Saved(*lines[:7]) if os.path.isfile(lines[3]) else None  # noqa: PTH113 - as above
    except ValueError:
        return None


def count_since(data: str, session: str, prompts: int) -> None:
    """Record how many prompts came behind the last save."""
    lines = live.get(data, session, _SAVED)
    if len(lines) >= _SAVED_LINES:
        live.put(data, session, _SAVED, *lines[:_SAVED_LINES], str(prompts))


def saves(data: str, root: str) -> Iterator[Saved]:
    """The last saves of all sessions in the project at `root`, in no order."""
    found = (saved(data, session, root) for session in live.having(data, _SAVED))
    return (each for each in found if each)


def saved_roots(data: str) -> set[str]:
    """The roots of all projects that a session was saved in."""
    found = (live.get(data, session, _SAVED) for session in live.having(data, _SAVED))
    return {lines[2] for lines in found if len(lines) >= _SAVED_LINES}


def saved_last(data: str, root: str) -> float:
    """When the last of them was, in seconds since 1970; 0 without any."""
    return max((each.at for each in saves(data, root)), default=0.0)


def resumed(data: str, session: str) -> Resumed | None:
    """What a session took up; None where it took up nothing."""
    lines = live.get(data, session, _RESUMED)
    return Resumed(*lines[:2], agreed=lines[2:] == [_AGREED]) if len(lines) > 1 else None


def resume(data: str, session: str, record: Resumed) -> None:
    """Put on record what a session takes up."""
    agreed = [_AGREED] if record.agreed else []
    live.put(data, session, _RESUMED, record.kind, record.root, *agreed)


def leave(data: str, session: str) -> None:
    """It took up nothing after all."""
    live.drop(data, session, _RESUMED)


def brief(data: str, session: str, on: str) -> None:
    """Put on record that a session is given the briefing of another one; "" for none any more."""
    if on != session:
        live.put(data, session, _BRIEFED, on)


def briefed(data: str, session: str) -> str:
    """The session whose briefing this one was given last; "" for none."""
    return next(iter(live.get(data, session, _BRIEFED)), "")


def ask(data: str, session: str, question: Question) -> None:
    """Let the next prompt's yes or no be understood."""
    lines = [_KIND, question.name, question.root, *question.again]
    lines += [_LATER] * question.is_late
    lines += [f"{_AT}{question.at!r}"] if question.at else []
    lines += [f"{_FILE}{question.file}"] if question.file else []
    live.put(data, session, _AWAITING, *lines)


def asked(data: str, session: str) -> Question | None:
    """The question that waits; None without one."""
    lines = live.get(data, session, _AWAITING)
    if len(lines) < 3 or lines[0] != _KIND:
        return None
    question = Question(*lines[1:3])
    for each in lines[3:]:
        if each.startswith(_AT):
            question.at = float(each[len(_AT) :])
        elif each.startswith(_FILE):
            question.file = each[len(_FILE) :]
        elif each == _LATER:
            question.is_late = True
        else:
            question.again.append(each)
    return question


def answered(data: str, session: str) -> None:
    """The question is answered, or nobody will."""
    live.drop(data, session, _AWAITING)


def near(data: str, *, wait: bool) -> set[str]:
    """The ids of the sessions that run and, with `wait`, of those whose copies wait."""
    return {*live.having(data, _ALIVE), *(live.having(data, _WAITS) if wait else ())}


def is_running(record: Running, now: float) -> bool:
    """Whether the process of a record runs; where nothing tells, whether the transcript grew."""
    today = began(record.pid)
    if today != "?" and record.began != "?":
        return today == record.began != ""
    try:
        return now - os.stat(record.transcript).st_mtime < _SILENCE  # noqa: PTH116 - pathlib is slow to import
    except OSError:
        return False


def open_now(data: str, now: float) -> dict[str, Running]:
    """The sessions of this machine whose clients run at this moment, with their records."""
    found = {session: running(data, session) for session in live.having(data, _ALIVE)}
    return {each: record for each, record in found.items() if record and is_running(record, now)}


def began(pid: str) -> str:
    """When a process began, in the system's words; "" for no process, "?" where nothing tells."""
    if not pid.isdigit() or int(pid) <= 0 or os.name == "nt":
        return "?"
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            # The name of the program stands in brackets and may hold anything.
            words = file.read().rpartition(b")")[2].decode().split()
            return "" if words[0] in _GONE else words[19]
    except (OSError, IndexError):
        return "" if is_listed() else _asked(pid)


def is_listed() -> bool:
    """Whether the system keeps a list of its processes that costs next to nothing to look at."""
    return os.path.exists("/proc/self/stat")  # noqa: PTH110 - pathlib is slow to import


def _asked(pid: str) -> str:
    import subprocess  # noqa: PLC0415 - only systems without /proc pay for it

    # Whoever asks next, from whichever terminal, must be told the same.
    env = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
    try:
        words = ["ps", "-o", "stat=", "-o", "lstart=", "-p", pid]
        said = subprocess.run(words, capture_output=True, timeout=2, check=False, env=env).stdout
    except (OSError, subprocess.SubprocessError):
        return "?"
    state, _, started = " ".join(said.decode("ascii", "replace").split()).partition(" ")
    return "" if state[:1] in _GONE else started
