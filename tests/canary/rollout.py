"""A rollout as Codex writes it, of either form, with an example of a secret in each of its fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.canary.planting import Garden
from tests.unit.transcripts.codex.conftest import Rollout
from tests.unit.transcripts.codex.test_codex_canaries import fill


class Wrapped(Rollout):
    """Up to 0.146: what was said stands as news for the screen."""

    history = "legacy"

    def __init__(self, path: Path, thread: str, root: Path, garden: Garden) -> None:
        super().__init__(path, thread)
        self.root, self.garden = root, garden

    def fill(self) -> None:
        """One of everything; then what only a machine with its own files has."""
        fill(self, self.garden)
        self._tools()
        self._background()
        self.says(self.garden.plant("request", "Fix the header in src/login.py please, I ran it"))
        self._working()
        self.replies(f"{self.garden.plant('closing', 'One test fails.')}\n\nNext: fix test_b")
        self.news(
            "task_complete", turn_id="t", last_agent_message=self.garden.plant("last message")
        )
        self.write()

    def meta(self, **fields: Any) -> int:
        """The facts of the thread; behind them, the turn's."""
        say = self.garden.plant
        given = {
            "originator": say("originator"),
            "instructions": say("instructions"),
            "base_instructions": {"text": say("base instructions")},
            "history_mode": self.history,
            "git": {"branch": self.garden.name("branch"), "commit_hash": say("commit"), "repository_url": say("url")},
        }  # fmt: skip
        made = super().meta(**{"cwd": str(self.root), **fields, **given})
        turn = {"cwd": str(self.root), "model": say("model"), "summary": say("turn summary")}
        self.add("turn_context", **turn, user_instructions=say("user instructions"))
        self.add("world_state", state={"agents_md": say("rules of the project")})
        return made

    def _working(self) -> None:
        """A day's work in the project itself."""
        say, name = self.garden.plant, self.garden.name
        self.ran("make", say("command of the day", "make build #"), say("output of the day"), 0)
        failing = f"FAILED tests/test_a.py::test_b - {say('failing line')}\n1 failed in 1s"
        self.ran("tests", "pytest -q tests", f"{failing}\nE   {say('error line')}", 1)
        subject = f'git commit -m "{say("subject of a commit")}"'
        self.ran("commit", subject, f"[main 9f5a3c7] {say('subject that git prints')}", 0)
        path = f"{name('path of an edit', 'src/login')}.py"
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{say('old')}\n+{say('new', 'x = 1  #')}\n"
        patch += f"*** Add File: {name('path of a new file')}.md\n+{say('text of a new file')}\n"
        self.free("apply_patch", "edit", f"{patch}*** End Patch")
        self.item("custom_tool_call_output", call_id="edit", output=f"Success. {say('its output')}")
        steps = [
            {"step": say(f"step, {how}", f"Fix {how}"), "status": how}
            for how in ("completed", "in_progress", "pending")
        ]
        self.call("update_plan", "plan", plan=steps, explanation=say("explanation"))
        self.result("plan", "Plan updated")

    def _tools(self) -> None:
        say = self.garden.plant
        action = {"type": "search", "query": say("search")}
        self.item("web_search_call", action=action, status="completed")
        self.call("view_image", "image", path=f"{self.garden.name('path of an image')}.png")
        self.result("image", say("image's output"))
        words = ["bash", "-lc", say("local command", "npm run deploy #")]
        self.item("local_shell_call", call_id="local", action={"type": "exec", "command": words})
        self.result("local", f"exec command rejected by user {say('rejection')}")
        self.item("reasoning", summary=[{"type": "summary_text", "text": say("thinking")}])
        code = f"const cmd = {json.dumps(say('command in code', 'pytest #'))};\n"
        code += f"await tools.exec_command({{cmd, workdir: {json.dumps(say('its folder'))}}})\n"
        code += f"await tools.{self.garden.name('name of a tool', 'own')}({{}})"
        self.free("exec", "code", code)
        told = json.dumps({"output": say("output in code"), "exit_code": 1})
        parts = [{"type": "input_text", "text": text} for text in ("Script completed\n", told)]
        self.item("custom_tool_call_output", call_id="code", output=parts)

    def _background(self) -> None:
        say = self.garden.plant
        self.call("exec_command", "server", cmd=say("background command", "npm run dev #"))
        head = "Wall time: 1 seconds\nProcess running with session ID 9\nOutput:\n"
        self.result("server", f"{head}{say('background output')}")
        self.done("HookPrompt", id="h", fragments=[{"text": say("hook's words")}])
        query = {"sql": say("argument of a tool")}
        self.done("McpToolCall", id="m", server="db", arguments=query, error=say("tool's error"))
        self.done(
            "CommandExecution",
            id="server",
            command=["bash", "-lc", "npm run dev"],
            status="failed",
            exit_code=1,
            aggregated_output=say("end of a background command"),
        )
        self.news("exec_command_end", call_id="x", command=[say("argv")], stdout=say("news"))
        kept = [{"type": "message", "role": "user", "content": [{"text": say("kept prompt")}]}]
        self.add("compacted", message=say("summary of a compaction"), replacement_history=kept)

    def ran(self, key: str, command: str, output: str, code: int) -> None:
        """A command and its end."""
        self.call("exec_command", key, cmd=command, workdir=str(self.root))
        head = f"Chunk ID: a\nWall time: 1 seconds\nProcess exited with code {code}\nOutput:\n"
        self.result(key, f"{head}{output}")


class Paginated(Wrapped):
    """Since 0.150: finished items in the place of news."""

    history = "paginated"

    def says(self, text: str, **_: Any) -> int:
        """A prompt: for the model, then as a finished item."""
        self.message("user", text)
        return self.done("UserMessage", id="u", content=[{"type": "text", "text": text}])

    def replies(self, text: str) -> int:
        """The agent's words."""
        self.message("assistant", text)
        return self.done("AgentMessage", id="a", content=[{"type": "Text", "text": text}])

    def ran(self, key: str, command: str, output: str, code: int) -> None:
        """A command, its end as an item and its result."""
        self.call("exec_command", key, cmd=command, workdir=str(self.root))
        words = ["/bin/bash", "-lc", command]
        how = "failed" if code else "completed"
        told = {"status": how, "exit_code": code, "aggregated_output": output}
        self.done("CommandExecution", id=key, command=words, cwd=str(self.root), **told)
        self.result(key, f"Process exited with code {code}\nOutput:\n{output}")
