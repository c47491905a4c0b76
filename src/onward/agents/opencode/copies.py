"""Each session of the client's database as a file of JSON lines: one a row, in the order in which
the rows were made, so that a line keeps its number while the client changes the row.

Hooks import this, so it is of the standard library alone.

The database is opened for reading only. A copy has the time of the newest change in its session,
by which it is known to be stale; that of a session which is no longer there is removed.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from urllib.parse import quote

from onward.storage.machine import data_folder

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

MARK: Final = "opencode"  # the first key of every line
_SECONDS: Final = 2.0  # for which a write of the client's is waited for
_ID: Final = re.compile(r"[\w-]{1,100}", re.ASCII)
_LONGEST: Final = 4 << 20
"""Characters of the longest row that is read: on one line it has at most 16 MB."""
LATEST: Final = 1 << 42  # no time in milliseconds is later: it is the year 2109
_SESSION: Final = (
    *("parent_id", "directory", "title", "version", "revert", "time_created", "time_updated"),
)
_ROLE: Final = (
    "(SELECT CASE WHEN json_valid(m.data) THEN json_extract(m.data, '$.role') END"
    " FROM message AS m WHERE m.id = message_id)"
)
# Of a row its kind, its order within a millisecond, its id, what it belongs to, who says it.
_ROWS: Final = {
    "message": "'message' AS kind, 0 AS rank, id AS sort, id, '' AS whose, '' AS role",
    "part": f"'part' AS kind, 1 AS rank, id AS sort, id, message_id AS whose, {_ROLE} AS role",
    "session_message": (
        "'entry' AS kind, 2 AS rank, printf('%012d', seq) AS sort, id, '' AS whose, type AS role"
    ),
}
_COLUMNS: Final = (
    "time_created,"
    f" CASE WHEN typeof(data) = 'text' AND length(data) < {_LONGEST} THEN data END AS data"
)
_DATED: Final = {"id", "session_id", "time_created", "time_updated", "data"}
_NEEDED: Final = {
    "session": {"id", "directory", "time_updated"},
    "session_v2": {"id", "directory", "time_updated"},
    "message": _DATED,
    "part": {*_DATED, "message_id"},
    "session_message": {*_DATED, "type", "seq"},
}
"""Columns without which a table is left out."""


class DatabaseError(OSError):
    """The database cannot be read; `hint` is what to type for it."""

    def __init__(self, path: Path, reason: str, hint: str) -> None:
        super().__init__(errno.EIO, reason, str(path))
        self.hint = hint


def database(home: str, env: Mapping[str, str]) -> Path:
    """All sessions of the user, in the client's own place."""
    usual = Path(env.get("XDG_DATA_HOME") or f"{home}/.local/share") / "opencode"
    return usual.absolute() / (env.get("OPENCODE_DB") or "opencode.db")


def folder(home: str, env: Mapping[str, str]) -> Path:
    """Where the copies lie, with our own things."""
    return Path(data_folder(env, home)) / "opencode"


def refresh(base: Path, into: Path, only: str = "") -> Iterator[Path]:
    """The copy of every session, brought up to date; of one alone with `only`. Raises OSError
    where the copies cannot be written; DatabaseError: the copies of before stay.
    """
    with _opened(base) as held:
        tables = _tables(held, base)
        changed = _changed(held, *tables)
        into.mkdir(0o700, parents=True, exist_ok=True)
        for session, newest in changed.items():
            if only and session != only:
                continue
            at = newest * 1_000_000
            path = into / f"{session}.jsonl"
            if not _is_fresh(path, at):
                _write(path, _lines(held, *tables, session), at)
            yield path
    if not only:
        for path in into.glob("*.jsonl"):
            if path.stem not in changed:
                path.unlink(missing_ok=True)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    import sqlite3  # noqa: PLC0415 - for the users of this client alone

    # Without a log nobody writes; to read with one makes files beside it, which are not ours.
    log = Path(f"{path}-wal")
    mode = "mode=ro" if log.exists() else "mode=ro&immutable=1"
    try:
        base = sqlite3.connect(f"file:{quote(str(path))}?{mode}", timeout=_SECONDS, uri=True)
        with closing(base):
            base.text_factory = lambda raw: raw.decode(errors="replace")
            yield base
    except sqlite3.Error as error:
        if "locked" in str(error) or "busy" in str(error):
            reason = "another program has locked the database: end it, then try again"
            raise DatabaseError(path, reason, f"lsof {path}") from None
        raise DatabaseError(
            path, f"the database cannot be read: {error}", f"ls -l {path}"
        ) from None


def _tables(base: sqlite3.Connection, path: Path) -> tuple[list[str], list[str]]:
    """The tables of sessions and of rows that can be read, of either generation. Raises DatabaseError
    where they are of none that is known, or there by half.
    """
    there = {
        table
        for table, needed in _NEEDED.items()
        if needed <= {str(row[1]) for row in base.execute(f"PRAGMA table_info({table})")}
    }
    sessions: list[str] = [table for table in ("session", "session_v2") if table in there]
    rows = [table for table in _ROWS if table in there]
    if not sessions or not rows:
        reason = "the database is of a generation that onward does not know: update onward"
        raise DatabaseError(path, reason, "uv tool upgrade onward")
    if ("message" in there) != ("part" in there):
        reason = "the database is migrated by half: start opencode once, then try again"
        raise DatabaseError(path, reason, "opencode")
    return sessions, rows


def _changed(base: sqlite3.Connection, sessions: list[str], rows: list[str]) -> dict[str, int]:
    """The sessions, each with the time of its newest change."""
    found: dict[str, int] = {}
    for table in sessions:
        for id_, at in base.execute(f"SELECT id, time_updated FROM {table}"):  # noqa: S608 - a name of ours
            if isinstance(id_, str) and _ID.fullmatch(id_):
                found[id_] = max(found.get(id_, 0), _whole(at))
    for table in rows:
        newest = f"SELECT session_id, max(time_updated) FROM {table} GROUP BY session_id"  # noqa: S608 - as above
        for id_, at in base.execute(newest):
            if id_ in found:
                found[id_] = max(found[id_], _whole(at))
    return found


def _lines(
    base: sqlite3.Connection, sessions: list[str], rows: list[str], session: str
) -> Iterator[bytes]:
    for table in sessions:
        found = base.execute(f"SELECT * FROM {table} WHERE id = ?", (session,))  # noqa: S608 - as above
        if row := found.fetchone():
            given = {each[0]: value for each, value in zip(found.description, row, strict=True)}
            data = {
                name: given[name] for name in _SESSION if isinstance(given.get(name), str | int)
            }
            at = _whole(given.get("time_created"))
            yield _line(data, opencode="session", id=session, whose="", role="", created=at)
            break
    each = (
        f"SELECT {_ROWS[table]}, {_COLUMNS} FROM {table} WHERE session_id = ?"  # noqa: S608 - as above
        for table in rows
    )
    wanted = "SELECT kind, id, whose, role, time_created, data"
    ordered = f"{wanted} FROM ({' UNION ALL '.join(each)}) ORDER BY time_created, rank, sort"
    for kind, *names, at, data in base.execute(ordered, (session,) * len(rows)):
        id_, whose, role = (str(name or "") for name in names)
        yield _line(data, opencode=kind, id=id_, whose=whose, role=role, created=_whole(at))


def _line(data: object, **row: object) -> bytes:
    try:
        given = json.loads(data) if isinstance(data, str) else data
        text = json.dumps({**row, "data": given}, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):  # which a reader counts as lost
        text = json.dumps({**row, "data": None}, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace") + b"\n"


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value <= LATEST else 0


def _is_fresh(path: Path, at: int) -> bool:
    try:
        return path.stat().st_mtime_ns == at
    except OSError:
        return False


def _write(path: Path, lines: Iterator[bytes], at: int) -> None:
    new = path.with_name(f".{path.stem}.{os.getpid()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        stream: BinaryIO
        with os.fdopen(os.open(new, flags, 0o600), "wb") as stream:
            stream.writelines(lines)
        os.utime(new, ns=(at, at))
        new.replace(path)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
