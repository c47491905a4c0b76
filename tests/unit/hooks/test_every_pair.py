"""A session begun in each agent is offered to each other one, and its checkpoint is resumed there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.conftest import GIT
from tests.unit.transcripts.opencode_rows import FIRST, database, dialogue, tool

import onward
from onward.transcripts.registry import AGENTS

ASKED = "Caulk the seam between plank four and plank five"
ENTRY = Path(onward.__file__).parent / "hooks/entry.py"
ID = "5f0a1b2c-0000-4000-8000-00000000000"
AT = "2026-11-23T05:08:05.000Z"
Maker = Callable[[Path, Path], tuple[str, Path]]


def lines(path: Path, *records: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (json.dumps(each, separators=(",", ":")) + "\n" for each in records)
    path.write_text("".join(text))
    return path


def claude_code(home: Path, root: Path) -> tuple[str, Path]:
    given = {"file_path": str(root / "seams.md"), "content": "oakum\n"}
    call = {"type": "tool_use", "id": "t1", "name": "Write", "input": given}
    done = {"type": "tool_result", "tool_use_id": "t1", "content": "File created"}
    said: list[tuple[str, Any]] = [("user", ASKED), ("assistant", [call]), ("user", [done])]
    shared = {"sessionId": f"{ID}1", "cwd": str(root), "timestamp": AT, "isSidechain": False}
    records = [
        {
            "type": role,
            "uuid": f"u{n}",
            "message": {"id": f"m{n}", "role": role, "content": content},
        }
        for n, (role, content) in enumerate(said)
    ]
    path = home / f".claude/projects/p/{ID}1.jsonl"
    return f"{ID}1", lines(path, *({**shared, **each} for each in records))


def codex(home: Path, root: Path) -> tuple[str, Path]:
    patch = "*** Begin Patch\n*** Add File: seams.md\n+oakum\n*** End Patch\n"
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c1", "input": patch}
    done = "Success. Updated the following files:\nA seams.md\n"
    asked = [{"type": "input_text", "text": ASKED}]
    payloads: list[tuple[str, dict[str, Any]]] = [
        ("session_meta", {"id": f"{ID}2", "timestamp": AT, "cwd": str(root), "source": "cli"}),
        ("response_item", {"type": "message", "role": "user", "content": asked}),
        ("response_item", call),
        ("response_item", {"type": "custom_tool_call_output", "call_id": "c1", "output": done}),
    ]
    path = home / f".codex/sessions/2026/11/23/rollout-2026-11-23T05-08-05-{ID}2.jsonl"
    records = ({"timestamp": AT, "type": kind, "payload": each} for kind, each in payloads)
    return f"{ID}2", lines(path, *records)


def opencode(home: Path, root: Path) -> tuple[str, Path]:
    given = {"filePath": str(root / "seams.md"), "content": "oakum\n"}
    made = tool("write", given, metadata={"exists": False})
    dialogue(database(home, FIRST), made, prompt=ASKED, directory=str(root))
    return "ses_a", home / "data/opencode/ses_a.jsonl"


def copilot(home: Path, root: Path) -> tuple[str, Path]:
    call = {"toolCallId": "c1", "toolName": "create"}
    given = {"path": str(root / "seams.md"), "file_text": "oakum\n"}
    events: list[tuple[str, dict[str, Any]]] = [
        ("session.start", {"sessionId": f"{ID}4", "context": {"cwd": str(root), "branch": "main"}}),
        ("user.message", {"content": ASKED}),
        ("tool.execution_start", {**call, "arguments": given}),
        ("tool.execution_complete", {**call, "success": True, "result": {"content": "Created"}}),
    ]
    path = home / f".copilot/session-state/{ID}4/events.jsonl"
    records = ({"type": kind, "data": data, "id": "e", "timestamp": AT} for kind, data in events)
    return f"{ID}4", lines(path, *records)


MAKERS: dict[str, Maker] = {
    "claude-code": claude_code,
    "codex": codex,
    "opencode": opencode,
    "copilot": copilot,
}


def test_every_agent_has_a_session_here() -> None:
    assert set(MAKERS) == {agent.NAME for agent in AGENTS}


@pytest.mark.parametrize("first", MAKERS)
def test_work_begun_in_one_is_taken_up_in_each_other(tmp_path: Path, first: str) -> None:
    home, root = tmp_path, tmp_path / "keel"
    root.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE", "CODEX", "XDG"))}
    env |= {**GIT, "HOME": str(home), "ONWARD_DATA": str(home / "data")}
    env |= {"CLAUDE_PROJECT_DIR": str(root), "COPILOT_PROJECT_DIR": str(root)}

    def run(*words: str, stdin: str = "") -> str:
        done = subprocess.run(
            [sys.executable, *words], input=stdin, env=env, cwd=root,
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        return done.stdout

    def hook(agent: str, event: str, session: str, transcript: Path, **more: str) -> str:
        payload = {"cwd": str(root), "session_id": session, "sessionId": session}
        payload |= {"transcript_path": str(transcript), "transcriptPath": str(transcript), **more}
        return run("-I", "-S", str(ENTRY), agent, event, "0", stdin=json.dumps(payload))

    run("-c", "import subprocess; subprocess.run(['git', 'init', '-q'], check=True)")
    session, transcript = MAKERS[first](home, root)
    (root / "seams.md").write_text("oakum\n")
    run("-m", "onward", "save", "caulk-seams", "--session", session)
    hook(first, "prompt", session, transcript, prompt=ASKED)
    hook(first, "end", session, transcript, reason="other")
    assert not (home / "data/hooks.log").exists()
    for n, second in enumerate(each for each in MAKERS if each != first):
        told = hook(second, "start", f"{ID}{7 + n}", home / "none.jsonl", source="startup")
        assert "caulk-seams" in told or "SESSION_BACKUP_PENDING" in told
        resumed = run("-m", "onward", "resume", "caulk-seams")
        assert ASKED in resumed
        assert "seams.md" in resumed
