"""What a command prints stays far below what the client takes, however large the transcript."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.slash import ask

KEPT = Path(__file__).resolve().parents[1] / "golden/sessions/answered/session.jsonl"
LARGE = 60_000_000  # bytes
FILES = 100_000
LONGEST_LINE = 5_000_000  # characters
LIMIT = 9_000  # characters; the client takes 30,000
SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
_UUID = re.compile(r'(?<="uuid":")([0-9a-f]{8})|(?<="parentUuid":")([0-9a-f]{8})')
_CALL = re.compile(r"\b(toolu_|msg_)(\w{8})")


def repeated() -> Iterator[str]:
    """A kept session, again and again, each time with ids of its own."""
    text = KEPT.read_text("utf-8")
    for time in range(LARGE // len(text) + 1):
        mark = f"{time:08x}"
        yield _CALL.sub(rf"\g<1>{mark}", _UUID.sub(mark, text))


def record(kind: str, number: int, content: Any) -> str:
    more = {"id": f"msg_{number}", "usage": {"output_tokens": 1}} if kind == "assistant" else {}
    made = {
        "type": kind,
        "uuid": f"{number:08x}-0000-4000-8000-000000000000",
        "parentUuid": f"{number - 1:08x}-0000-4000-8000-000000000000" if number else None,
        "isSidechain": False,
        "sessionId": SESSION,
        "cwd": "/home/ada/keel",
        "timestamp": "2026-03-01T13:00:00.000Z",
        "message": {"role": kind, "content": content, **more},
    }
    return json.dumps(made) + "\n"


def hostile() -> Iterator[str]:
    """Very long lines, and more files than anybody can name, with names that are none."""
    yield record("user", 0, f"Caulk {'all of it ' * (LONGEST_LINE // 10)}")
    yield record("assistant", 1, [{"type": "text", "text": "```\n" + "x" * LONGEST_LINE}])
    for number in range(2, 2 + 2 * FILES // 100, 2):
        names = [f"deck/{'plank-' * 20}`$(x)`-{number}-{each}.md" for each in range(100)]
        ids = [f"toolu_{number}_{each}" for each in range(100)]
        calls = [
            {
                "type": "tool_use",
                "id": id_,
                "name": "Write",
                "input": {"file_path": f"/home/ada/keel/{name}", "content": "-"},
            }
            for id_, name in zip(ids, names, strict=True)
        ]
        results = [{"type": "tool_result", "tool_use_id": id_, "content": "done"} for id_ in ids]
        yield record("assistant", number, calls)
        yield record("user", number + 1, results)
    last = 2 + 2 * FILES // 100
    yield record("user", last, "Now " + "go on and on " * 100_000)
    yield record("assistant", last + 1, [{"type": "text", "text": "next " * 1_000_000}])


@pytest.mark.parametrize("made", [repeated, hostile], ids=["60 MB", "hostile"])
def test_a_resume_prints_less_than_a_third_of_what_the_client_takes(
    lab: Lab, made: Callable[[], Iterator[str]]
) -> None:
    lab.install("--project")
    name = "20260301_140000_other.jsonl"
    backup = lab.memory(f"raw/{name}")
    backup.parent.mkdir(parents=True)
    with backup.open("w", encoding="utf-8") as file:
        file.writelines(made())
    lab.write(".claude/memory/.pending-backup", f".claude/memory/raw/{name}\n")
    ran = ask(lab, "/resume-latest")
    assert f"Taken in: .claude/memory/raw/{name}" in ran.command.printed
    assert ran.command.printed.endswith("Ready to continue? (yes/no)")
    assert len(ran.command.body) < LIMIT
