"""How long bare `onward` takes over 500 sessions: `python benchmarks/overview.py [SESSIONS]`.

Budget: at most 300 ms warm, start and end of the process and git in every project included. On a
busy machine the ratio to bare Python, measured in turn, says more.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

BUDGET = 0.300  # seconds
ROUNDS = 15
PROJECTS = 20
TURNS = 40


def record(kind: str, number: int, where: Path, session: str, content: Any) -> dict[str, Any]:
    """One line of a transcript."""
    return {
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "isSidechain": False,
        "cwd": str(where),
        "sessionId": session,
        "version": "2.1.0",
        "gitBranch": "main",
        "timestamp": f"2026-03-{1 + number % 28:02}T13:{number % 60:02}:00.000Z",
        "message": {"role": kind, "content": content},
    }


def edit(root: Path, session: str) -> list[dict[str, Any]]:
    """The agent changes a file that nobody commits, so that git has to be asked."""
    path = str(root / "src/app.py")
    given = {"file_path": path, "old_string": "x = 0", "new_string": "x = 1"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Edit", "input": given}
    told = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "updated"}
    patch = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1}
    result = record("user", 2 * TURNS, root, session, [told])
    result["toolUseResult"] = {
        "filePath": path,
        "structuredPatch": [patch | {"lines": ["-x = 0", "+x = 1"]}],
    }
    return [record("assistant", 2 * TURNS, root, session, [call]), result]


def make(top: Path, sessions: int) -> Path:
    """A home with so many sessions in 20 repositories, each with open questions and edits."""
    home = top / "home"
    for number in range(PROJECTS):
        root = top / f"code/project-{number}"
        (root / "src").mkdir(parents=True)
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
        (root / "src/app.py").write_text("x = 1\n")
    for number in range(sessions):
        root = top / f"code/project-{number % PROJECTS}"
        session = f"{number:08}-0000-4000-8000-000000000000"
        lines = []
        for turn in range(TURNS):
            asked = f"Make part {turn} of the importer quick, and say what it costs in memory"
            lines.append(record("user", 2 * turn, root, session, asked))
            told = [{"type": "text", "text": f"Part {turn} is quick now. " * 40}]
            lines.append(record("assistant", 2 * turn + 1, root, session, told))
        if (number // PROJECTS) % 5 == 0:
            lines[-1]["message"]["content"][0]["text"] = "It is quick. Shall I go on with the rest?"
            lines[-1:-1] = edit(root, session)
        path = home / f".claude/projects/p{number % PROJECTS}/{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return home


def timed(words: list[str], home: Path) -> float:
    """Seconds of one process."""
    env = {**os.environ, "HOME": str(home), "ONWARD_DATA": str(home / "data")}
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        env.pop(name, None)
    start = time.perf_counter()
    subprocess.run(words, cwd=home, env=env, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> int:
    """Measure; status 1 where the budget is not kept."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    bare = [sys.executable, "-c", "pass"]
    program = [str(Path(sys.executable).with_name("onward"))]
    with tempfile.TemporaryDirectory() as name:
        home = make(Path(name), sessions)
        print(f"cold, {sessions} sessions: {timed(program, home):.1f} s")
        pairs = [(timed(program, home), timed(bare, home)) for _ in range(ROUNDS)]
    ours = statistics.median(ours for ours, _ in pairs)
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    print(
        f"warm: {ours * 1000:.0f} ms (budget {BUDGET * 1000:.0f}), ratio to bare Python {ratio:.1f}"
    )
    return 0 if ours <= BUDGET else 1


if __name__ == "__main__":
    sys.exit(main())
