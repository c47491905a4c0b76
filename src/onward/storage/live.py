"""Small records of sessions that run or ran, `<data>/live/<session>/<key>`.

A record is a few plain lines, mode 0600. Of some keys `<data>/lists/<key>` names the sessions that have
one. Nothing is flushed: a record that a power cut emptied counts as none. Hooks import this at once.
"""
# The standard library's comfort (pathlib, contextlib) costs as much as a start of Python.
# ruff: noqa: PTH103, PTH105, PTH106, PTH108, PTH112, PTH118, PTH208, SIM105

from __future__ import annotations

import os

from onward import regular

_LONGEST = 100  # characters of a session's id
LISTED = ("alive", "saved", "waits")
NOTE = "note.json"  # what is kept of the agent's note, beside the records
_LARGEST = 65536  # bytes of a record; ours have a few hundred
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
_WRITE = _NEW | _NO_LINK | getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for


def get(data: str, session: str, key: str) -> list[str]:
    """The lines of a record; none where there is no such record or session."""
    place = folder(data, session)
    if not place:
        return []
    try:
        raw = regular.head(os.path.join(place, key), _LARGEST, _NO_LINK)
    except OSError:
        return []
    text = raw.decode("utf-8", "surrogateescape")
    return text.rstrip("\n").split("\n") if text and "\0" not in text else []


def put(data: str, session: str, key: str, *lines: str) -> None:
    """Write a record. Nothing is kept where the disk says no: the work goes on without."""
    place = folder(data, session)
    if not place or any("\n" in line for line in lines) or _is_homeless(data):
        return
    new = os.path.join(place, f".{key}-{os.getpid()}")
    try:
        if key in LISTED:  # first: a name without a record does no harm
            names = os.path.join(data, "lists", key)
            os.makedirs(names, 0o700, exist_ok=True)
            os.close(os.open(os.path.join(names, session), _WRITE, 0o600))
        os.makedirs(place, 0o700, exist_ok=True)
        descriptor = os.open(new, _WRITE, 0o600)
        try:
            text = "".join(f"{line}\n" for line in lines)
            os.write(descriptor, text.encode("utf-8", "surrogateescape"))
        finally:
            os.close(descriptor)
        os.replace(new, os.path.join(place, key))
    except OSError:
        _unlink(new)


def drop(data: str, session: str, key: str) -> None:
    """Remove a record; one that is gone already is no error."""
    if place := folder(data, session):
        _unlink(os.path.join(place, key))
        if key in LISTED:
            _unlink(os.path.join(data, "lists", key, session))


def claim(data: str, session: str, key: str) -> bool:
    """Make an empty record, unless there is one: then False. True where nothing can be kept."""
    place = folder(data, session)
    if not place or _is_homeless(data):
        return True
    try:
        os.makedirs(place, 0o700, exist_ok=True)
        os.close(os.open(os.path.join(place, key), _WRITE | os.O_EXCL, 0o600))
    except FileExistsError:
        return not os.path.isdir(place)
    except OSError:
        pass
    return True


def expire(data: str, session: str, beginning: str, before: float) -> None:
    """Remove the records whose keys begin so and that are older than `before`, in seconds."""
    place = folder(data, session)
    for path in (os.path.join(place, name) for name in _names(place) if name.startswith(beginning)):
        try:
            is_old = os.stat(path).st_mtime < before  # noqa: PTH116 - as above
        except OSError:  # another process was quicker
            continue
        if is_old:
            _unlink(path)


def sessions(data: str) -> list[str]:
    """The ids of all sessions with records, in no order."""
    return _ids(os.path.join(data, "live"))


def having(data: str, key: str) -> list[str]:
    """The ids of the sessions with a record of a `LISTED` key, in no order."""
    return _ids(os.path.join(data, "lists", key))


def forget(data: str, session: str) -> None:
    """Remove all that is kept of a session."""
    place = folder(data, session)
    if not place:
        return
    for key in LISTED:
        drop(data, session, key)
    for name in _names(place):
        _unlink(os.path.join(place, name))
    try:
        os.rmdir(place)
    except OSError:  # another process was quicker, or has just written anew
        pass


def folder(data: str, session: str) -> str:
    """Where a session's records lie; "" for an id that could name another place."""
    return os.path.join(data, "live", session) if data and _is_id(session) else ""


def noted(data: str, session: str) -> int:
    """When the agent's note was kept, in nanoseconds since 1970; 0 for none."""
    place = folder(data, session)
    try:
        return os.stat(os.path.join(place, NOTE)).st_mtime_ns if place else 0  # noqa: PTH116
    except OSError:
        return 0


def _ids(place: str) -> list[str]:
    return [name for name in _names(place) if _is_id(name)]


def _names(place: str) -> list[str]:
    try:
        return os.listdir(place) if place else []
    except OSError:
        return []


def _is_id(session: str) -> bool:
    plain = session.replace("-", "").replace("_", "")
    return len(session) <= _LONGEST and plain.isascii() and plain.isalnum()


def _is_homeless(data: str) -> bool:
    home = os.path.expanduser("~")  # noqa: PTH111 - as above
    return data.startswith(home + os.sep) and not os.path.isdir(home)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
