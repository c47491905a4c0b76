"""Canaries in what opencode and Copilot CLI write of a session, and in what they hand their hooks."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.canary import machine as machines
from tests.canary.machine import SESSION, USER, Machine
from tests.canary.planting import TEMPLATES, Garden
from tests.canary.test_every_byte import is_kept_apart
from tests.sampling import sample
from tests.unit.transcripts.opencode_rows import (
    FIRST,
    database,
    dialogue,
    fill,
    message,
    part,
    tool,
)

import onward
from onward.redaction.engine import MARK

ENTRY = Path(onward.__file__).parent / "hooks/entry.py"
VERBS: tuple[tuple[str, ...], ...] = (
    ("save", "fix-login"), ("list",), ("check",), ("resume",), ("brief", "ID", "--budget", "6000"),
    ("--all", "--why"), ("sessions",), ("sessions", "--all"), ("distill", "FILE"), ("distill", "ID"),
    ("backup", "list"), ("protocol", "save"), ("document",), ("doctor",), ("backup", "resume"),
    ("search", "e", "--limit", "5000"),
)  # fmt: skip


def opencode(machine: Machine, garden: Garden) -> tuple[str, Path]:
    say, name, root = garden.plant, garden.name, machine.root
    path = f"{root}/src/{name('path of an edit')}.py"
    base = database(machine.home, FIRST)
    dialogue(
        base,
        {"type": "reasoning", "text": say("reasoning")},
        tool("bash", {"command": say("command", "make build #"), "description": say("why")},
             output=say("output"), metadata={"exit": 1, "output": say("output again")}),
        tool("edit", {"filePath": path, "oldString": say("old"), "newString": say("new")},
             metadata={"diff": f"@@ -1 +1 @@\n-{say('diff: old')}\n+{say('diff: new')}\n"}),
        tool("grep", {"pattern": say("pattern")}, output=say("found")),
        tool("webfetch", {"url": say("url")}, "error", error=say("error")),
        tool("question", {"questions": [{"question": say("question"), "options": [
            {"label": say("option")}]}]}, metadata={"answers": [[say("answer")]]}),
        tool("task", {"prompt": say("task")}, output=say("report")),
        tool("bash", {"command": say("refused command", "rm -r")}, "error",
             error="The user rejected permission to use this specific tool call with the"
                   f" following feedback: {say('refusal')}"),
        {"type": "text", "text": say("reply", "One test fails.")},
        {"type": "step-finish", "reason": "stop"},
        prompt=say("request", "Fix the header in src/login.py please, I ran it"),
        directory=str(root), title=say("title"), version=say("version"),
    )  # fmt: skip
    fill(base, "message", message(90, "user"), message(91, "assistant", summary=True),
         message(92, "assistant", error={"name": "APIError", "data": {"message": say("fault")}}))  # fmt: skip
    fill(base, "part", part(90, 90, type="compaction", auto=True),
         part(91, 91, type="text", text=say("summary")))  # fmt: skip
    return "ses_a", machine.data / "opencode/ses_a.jsonl"


def copilot(machine: Machine, garden: Garden) -> tuple[str, Path]:
    say, name, root = garden.plant, garden.name, machine.root
    context = {"cwd": str(root), "branch": name("branch of the session")}

    def call(n: int, tool: str, given: dict[str, Any], **end: Any) -> list[tuple[str, Any]]:
        done = {"toolCallId": f"c{n}", "success": True, **end}
        start = {"toolCallId": f"c{n}", "toolName": tool, "arguments": given}
        return [("tool.execution_start", start), ("tool.execution_complete", done)]

    changed = f"@@ -1 +1 @@\n-{say('diff: old')}\n+{say('diff: new')}\n"
    events: list[tuple[str, Any]] = [
        ("session.start", {"sessionId": SESSION, "copilotVersion": say("version"), "context": context}),
        ("user.message", {"content": say("request", "Fix the header in src/login.py please, I ran it"),
                          "transformedContent": say("request for the model")}),
        *call(1, "bash", {"command": say("command", "make build #"), "description": say("why")},
              shellExecution={"exitCode": 1}, result={"content": say("output")}),
        *call(2, "edit", {"path": f"{root}/src/{name('path of an edit')}.py", "old_str": say("old"),
                          "new_str": say("new")}, result={"content": "", "detailedContent": changed}),
        *call(3, "grep", {"pattern": say("pattern")}, result={"content": say("found")}),
        *call(4, "sql", {"query": say("query")}, success=False, error={"message": say("error")}),
        *call(5, "ask_user", {"question": say("question"), "choices": [say("choice")]},
              result={"content": f"User selected: {say('answer')}"}),
        *call(6, "bash", {"command": say("refused command", "rm -r")}, success=False,
              error={"code": "rejected", "message": say("refusal")}),
        ("assistant.message", {"content": say("reply", "One test fails."), "toolRequests": []}),
        ("assistant.turn_end", {}),
        ("session.compaction_complete", {"success": True, "summaryContent": say("summary")}),
        ("session.error", {"message": say("fault")}),
    ]  # fmt: skip
    path = machine.home / f".copilot/session-state/{SESSION}/events.jsonl"
    path.parent.mkdir(parents=True)
    lines = (
        {"type": kind, "data": data, "id": f"e{n}", "timestamp": f"2026-11-23T05:08:{n:02}.000Z"}
        for n, (kind, data) in enumerate(events)
    )
    path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in lines))
    return SESSION, path


MAKERS: dict[str, Callable[[Machine, Garden], tuple[str, Path]]] = {
    "opencode": opencode,
    "copilot": copilot,
}


@pytest.mark.parametrize("agent", sample(list(MAKERS), 1, "chat agents"))
def test_no_canary_is_in_any_byte_that_is_written_or_printed(agent: str, tmp_path: Path) -> None:
    part_of = list(MAKERS).index(agent)
    machine, garden = Machine(tmp_path), Garden(TEMPLATES[part_of::2], part_of)
    machines.repository(machine, garden)
    session, transcript = MAKERS[agent](machine, garden)
    (machine.root / "onward.toml").write_text("[hooks]\nidle-minutes = 0.001\n")
    apart = (transcript.parent, machine.home / ".local", machine.home / ".copilot")
    before = machine.written()
    assert machine.onward("install", f"--{agent}").code == 0
    env = machine.env | {"COPILOT_PROJECT_DIR": str(machine.root)}
    for event in ("start", "prompt", "turn", "compact", "compacted", "end"):
        payload = {
            "session_id": session,
            "sessionId": session,
            "cwd": str(machine.root),
            "prompt": garden.plant(f"payload: {event}", "Use RS256, not HS256, because we ran it"),
            "reason": garden.plant("payload: reason", "other"),
            "source": garden.plant("payload: source", "startup"),
        }
        words = [sys.executable, "-I", "-S", str(ENTRY), agent, event, "0"]
        machine.run(words, json.dumps(payload).encode(), env)
    is_kept_apart(machine.root / ".claude/memory/raw", machine)
    for each in VERBS:
        named = {"ID": session, "FILE": str(transcript)}
        call = [named.get(word, word) for word in each]
        machine.onward(*call)
        machine.onward(*call, "--json")
    for line in range(1, len(transcript.read_bytes().splitlines()) + 1):
        assert machine.onward("show", f"t:{line}", "--session", session).code == 0
    machine.onward("uninstall", f"--{agent}")
    assert stat.S_IMODE(transcript.stat().st_mode) == 0o600 or agent == "copilot"
    assert garden.found(machine.told) == [], "printed"
    assert USER.encode() not in machine.told
    for path, data in machine.written().items():
        if before.get(path) != data and not any(Path(path).is_relative_to(top) for top in apart):
            assert garden.found(data) == [], path
            assert USER.encode() not in data or machine.data in Path(path).parents, path
    assert len(set(MARK.findall(machine.told))) > 20
