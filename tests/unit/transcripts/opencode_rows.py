"""Databases of opencode as its releases lay them out, with the rows that a test wants."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

NOW = 1_795_410_000_000
FIRST = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text,
  directory text NOT NULL, title text NOT NULL, version text NOT NULL, revert text,
  time_created integer NOT NULL, time_updated integer NOT NULL, time_compacting integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
"""
SECOND = """
CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, directory text NOT NULL,
  title text NOT NULL, version text NOT NULL, time_created integer, time_updated integer NOT NULL);
CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL,
  seq integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL,
  data text NOT NULL);
"""


def database(home: Path, *statements: str) -> Path:
    """The client's database in its usual place, made by these statements."""
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode=WAL")
        for each in statements:
            base.executescript(each)
        base.commit()
    return path


def fill(path: Path, table: str, *rows: dict[str, Any]) -> None:
    """Put rows in; objects become JSON."""
    with closing(sqlite3.connect(path)) as base:
        for row in rows:
            values = [json.dumps(v) if isinstance(v, dict | list) else v for v in row.values()]
            marks = ", ".join("?" * len(row))
            base.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", values)
        base.commit()


def session(id_: str = "ses_a", **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "project_id": "global",
        "directory": "/home/dev/demo",
        "title": "New session - 2026-11-23T05:08:38.815Z",
        "version": "1.18.33",
        "time_created": NOW,
        "time_updated": NOW + 1,
        **more,
    }


def message(n: int, role: str, *, session_id: str = "ses_a", **data: Any) -> dict[str, Any]:
    at = NOW + n * 1000
    return {
        "id": f"msg_{n:03}",
        "session_id": session_id,
        "time_created": at,
        "time_updated": at,
        "data": {"role": role, **data},
    }


def part(n: int, of: int, session_id: str = "ses_a", **data: Any) -> dict[str, Any]:
    at = NOW + n * 1000 + 500
    return {
        "id": f"prt_{n:03}",
        "message_id": f"msg_{of:03}",
        "session_id": session_id,
        "time_created": at,
        "time_updated": at,
        "data": data,
    }


def tool(name: str, given: dict[str, Any], status: str = "completed", **state: Any) -> Any:
    return {"type": "tool", "tool": name, "callID": "call", "state": {
        "status": status, "input": given, **state}}  # fmt: skip


def dialogue(path: Path, *parts: dict[str, Any], prompt: str = "Do it", **more: Any) -> None:
    """A session in which the user says one thing and the agent does these parts."""
    fill(path, "session", session(**more))
    fill(path, "message", message(1, "user"), message(2, "assistant", finish="tool-calls"))
    told: Sequence[dict[str, Any]] = [part(3 + n, 2, **each) for n, each in enumerate(parts)]
    fill(path, "part", part(1, 1, type="text", text=prompt), *told)
