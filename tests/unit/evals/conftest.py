"""A session of our own making: orders, forty calls, a break, a compaction, and what came after."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

CWD = "/w/app"
BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
ORDER = "Add exponential retries to the fetcher and keep its public interface stable"


class Writer:
    """Writes records as a client does, one minute apart unless told otherwise."""

    def __init__(self, session: str = "s1", begin: datetime = BEGIN) -> None:
        self.session, self.now, self.n = session, begin, 0
        self.records: list[dict[str, Any]] = []

    def put(self, kind: str, minutes: float = 1, **fields: Any) -> None:
        self.n += 1
        self.now += timedelta(minutes=minutes)
        stamp = self.now.isoformat().replace("+00:00", "Z")
        base = {"type": kind, "uuid": f"{self.session}-{self.n}", "sessionId": self.session}
        where = {"cwd": CWD, "gitBranch": "topic/retries", "timestamp": stamp}
        self.records.append({**base, **where, **fields})

    def says(self, text: str, minutes: float = 1) -> None:
        self.put("user", minutes, message={"role": "user", "content": text})

    def replies(self, text: str) -> None:
        content = [{"type": "text", "text": text}]
        self.put("assistant", message={"role": "assistant", "content": content})

    def calls(
        self, tool: str, given: dict[str, Any], result: str = "ok", *, bad: bool = False
    ) -> None:
        name = f"{self.session}-call-{self.n}"
        use = {"type": "tool_use", "id": name, "name": tool, "input": given}
        self.put("assistant", 0.1, message={"role": "assistant", "content": [use]})
        told = {"type": "tool_result", "tool_use_id": name, "content": result, "is_error": bad}
        self.put("user", 0.1, message={"role": "user", "content": [told]})

    def runs(self, script: str, result: str = "", *, bad: bool = False) -> None:
        self.calls("Bash", {"command": script}, result, bad=bad)

    def compacts(self, summary: str) -> None:
        self.put("system", subtype="compact_boundary")
        self.put("user", isCompactSummary=True, message={"role": "user", "content": summary})

    def write(self, path: Path) -> Path:
        lines = (json.dumps(record) for record in self.records)
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path


@pytest.fixture
def writer() -> Callable[..., Writer]:
    """Makes writers of sessions."""
    return Writer


def morning(w: Writer) -> None:
    """Work up to the cut: a red test, a clean linter, one file edited among thirty read."""
    w.says(ORDER)
    for n in range(25):
        w.calls("Read", {"file_path": f"{CWD}/src/part_{n}.py"}, f"def load_part_{n}(): ...")
    w.calls(
        "Edit",
        {"file_path": f"{CWD}/src/fetcher.py", "old_string": "a", "new_string": "retry_limit = 3"},
    )
    red = "Exit code 1\nFAILED tests/test_fetcher.py::test_backoff - assert 1 == 2\n1 failed, 4 passed in 0.3s"
    w.runs("cd /w/app && pytest -q tests/test_fetcher.py", red, bad=True)
    w.runs("ruff check src", "All checks passed!")
    todos = [
        {"content": "Write the backoff helper module", "status": "completed"},
        {"content": "Make the fetcher call the helper", "status": "in_progress"},
        {"content": "Document the retry settings page", "status": "pending"},
    ]
    w.calls("TodoWrite", {"todos": todos})


def afternoon(w: Writer) -> None:
    """What came after the cut; `brand_new_name` and `src/later.py` nobody could have known."""
    for n in range(8):
        w.calls("Read", {"file_path": f"{CWD}/src/part_{n}.py"}, "x")
    w.calls(
        "Edit",
        {
            "file_path": f"{CWD}/src/fetcher.py",
            "old_string": "retry_limit",
            "new_string": "load_part_3",
        },
    )
    w.calls(
        "Write", {"file_path": f"{CWD}/src/later.py", "content": "brand_new_name = load_part_3"}
    )
    w.runs("pytest -q tests/test_fetcher.py | tail -3", "5 passed in 0.1s")
    w.runs("make release-notes", "written")


def day(repository: str, session: str, target: Path) -> Path:
    """A session of a repository with a compaction at noon."""
    w = Writer(session)
    morning(w)
    w.compacts("SUMMARY-CANARY: the fetcher is to retry")
    afternoon(w)
    target.mkdir(exist_ok=True)
    return w.write(target / f"{repository}--{session}.jsonl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A corpus with one session that has a compaction."""
    return day("acme--app", "s1", tmp_path / "corpus").parent


@pytest.fixture
def projects(folder: Path) -> Path:
    """The same with such a session of another repository."""
    return day("acme--shop", "s2", folder).parent
