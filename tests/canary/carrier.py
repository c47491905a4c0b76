"""A transcript as the client writes it, with an example of a secret in each of its fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.canary.planting import Garden

HELPER = "a52452fe593bbdee4"


class Carrier:
    """Writes records one a line; `root` is the project's folder, `pad` the garden's."""

    def __init__(self, garden: Garden, root: Path, session: str, pad: int = 0) -> None:
        self.garden, self.root, self.session = garden, root, session
        garden.pad = pad
        self.branch = garden.name("branch in the transcript")
        self.lines: list[dict[str, Any]] = []
        self.helper: list[dict[str, Any]] = []

    def write(self, path: Path) -> None:
        """The transcript, and the sub-agent's beside it."""
        for lines, place in (
            (self.lines, path),
            (self.helper, path.with_suffix("") / "subagents" / f"agent-{HELPER}.jsonl"),
        ):
            place.parent.mkdir(parents=True, exist_ok=True)
            text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
            place.write_text(text, "utf-8")

    def fill(self) -> None:
        """One of everything that a session may hold, in the order of a day's work."""
        self._titles()
        self._asking()
        self._working()
        self._planning()
        self._deciding()
        self._delegating()
        self._compacted()
        self._ending()

    # ------------------------------------------------------------------------- the parts

    def _titles(self) -> None:
        self.bare("ai-title", aiTitle=self.say("title of the client"))
        self.bare("custom-title", customTitle=self.say("title of the user"))
        self.bare("summary", leafUuid="x", summary=self.say("summary"))

    def _asking(self) -> None:
        self.user(self.say("prompt", "Fix the login page in src/login.py please, I ran it"))
        blocks = [{"type": "text", "text": self.say("prompt in blocks", "Also add tests, run")}]
        self.add("user", blocks)
        queued = self.say("queued prompt", "And please write the docs, I ran it")
        self.bare("queue-operation", operation="enqueue", content=queued)
        self.bare("queue-operation", operation="remove")
        prompt = self.say("queued prompt as an attachment", "Then also fix the footer, I ran it")
        self.attached({"type": "queued_command", "prompt": prompt})
        args = self.say("slash command's words")
        tag = "<command-message>review</command-message>\n<command-name>/review</command-name>"
        self.user(f"{tag}\n<command-args>{args}</command-args>")
        self.user(f"<bash-input>{self.say('shell line of the user', 'ls')}</bash-input>")
        self.user(f"<bash-stdout>{self.say('output for the user')}</bash-stdout>")

    def _working(self) -> None:
        self.says(self.say("reply", "I looked at it."))
        self.agent({"type": "thinking", "thinking": self.say("thinking")})
        path = f"{self.root}/src/{self.garden.name('path of an edit', 'login')}.py"
        text = self.say("text of an edit", "x = 1  #")
        patch = [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2}]
        patch[0]["lines"] = [" a", f"-{self.say('line of a patch')}", f"+{text}"]  # type: ignore[assignment]
        self.call(
            "Edit",
            {"file_path": path, "old_string": self.say("old text"), "new_string": text},
            f"The file {path} has been updated. {self.say('result of an edit')}",
            {"filePath": path, "structuredPatch": patch, "originalFile": self.say("old file")},
        )
        made = f"{self.root}/{self.garden.name('path of a new file', 'notes')}.md"
        content = self.say("content of a new file", "# Notes\n")
        self.call(
            "Write",
            {"file_path": made, "content": content},
            f"File created successfully at: {made}",
            {"type": "create", "filePath": made, "content": content, "structuredPatch": []},
        )
        self._shell()
        self.call(
            "WebFetch",
            {"url": self.say("web address", "https://a.test/?q="), "prompt": self.say("web words")},
            self.say("web error", "Error: failed"),
            None,
            bad=True,
        )
        self.call(
            "mcp__db__query",
            {"sql": self.say("words for a tool", "select 1")},
            "no",
            None,
            bad=True,
        )
        self.call(
            "TodoWrite",
            {
                "todos": [
                    {"content": self.say(f"todo, {how}", f"Fix {how}"), "status": how}
                    for how in ("pending", "in_progress", "completed")
                ]
            },
            "ok",
            {},
        )

    def _shell(self) -> None:
        diff = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1}
        shown = {**diff, "lines": [f"+{self.say('line of a shell diff')}"]}
        name = f"{self.root}/src/{self.garden.name('path of a shell diff', 'made')}.py"
        files = [{"filePath": name, "hunks": [shown]}]
        self.bash(
            self.say("command", "make build &&  echo"),
            self.say("output", "built."),
            bashEditDiff={"files": files, "changedFiles": [name]},
        )
        self.bash("pytest -q tests", f"3 passed in 0.1s\n{self.say('output of a test')}")
        self.bash(
            f'git commit -m "{self.say("subject of a commit")}"',
            f"[main 9f5a3c7] {self.say('subject that git prints')}\n 1 file changed",
        )
        failing = f"FAILED tests/test_a.py::test_b - AssertionError: {self.say('failing line')}"
        self.bash("pytest -q tests", f"{failing}\nE   {self.say('error line')}\n1 failed", bad=True)
        self.bash(
            self.say("failing command", "npm run deploy --"),
            f"Error: {self.say('error of a command')}\nnpm ERR! {self.say('npm error')}",
            bad=True,
        )
        self.bash(
            self.say("background command", "npm run dev --"),
            "Command running in background with ID: b1. ",
            backgroundTaskId="b1",
        )
        note = f"<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n<summary>{self.say('summary of a task')}</summary>\n<result>{self.say('result of a task')}</result>\n</task-notification>"
        self.user(note)

    def _planning(self) -> None:
        plan = f"# {self.say('plan', 'Fix the links')}\n\n1. {self.say('step of a plan', 'Fix it')}\n2. Test it"
        words = self.say("words of a refused plan", "No, smaller, I ran it")
        refused = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
        self.call("ExitPlanMode", {"plan": plan}, refused + words, "Error: rejected", bad=True)
        where = f"/home/zoequist/.claude/plans/{self.garden.name('path of a plan')}.md"
        self.call(
            "ExitPlanMode",
            {"plan": plan, "planFilePath": where},
            f"User has approved your plan. ## Approved Plan:\n{plan}",
            {"plan": plan, "filePath": where, "isAgent": False},
        )
        self.attached(
            {
                "type": "plan_file_reference",
                "planFilePath": where,
                "planContent": self.say("plan file"),
            }
        )

    def _deciding(self) -> None:
        question, answer = self.say("question", "Which one"), self.say("answer", "The first")
        options = [
            {"label": self.say("option", "First"), "description": self.say("what an option is")},
            {"label": "Second", "description": "no"},
        ]
        self.call(
            "AskUserQuestion",
            {"questions": [{"question": question, "header": "h", "options": options}]},
            f'User has answered your questions: "{question}"="{answer}".',
            {"answers": {question: answer}, "annotations": {question: {"notes": self.say("note")}}},
        )
        refused = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
        self.call(
            "Bash",
            {"command": self.say("refused command", "rm -rf"), "description": "d"},
            refused + self.say("words of a refusal", "No, never, I ran it"),
            "Error: rejected",
            bad=True,
        )
        self.user(self.say("decision", "Use RS256, not HS256, because the gateway ran it"))
        self.user(self.say("preference", "Always use tabs from now on, I ran it"))
        self.user(self.say("put off", "We do the footer later, leave it for now, I ran it"))

    def _delegating(self) -> None:
        prompt = self.say("errand", "Look through notes, I ran it")
        given = {"description": self.say("errand in brief"), "prompt": prompt, "subagent_type": "x"}
        self.helper = [
            self.record("user", prompt, isSidechain=True, agentId=HELPER),
            self.record(
                "assistant",
                [{"type": "text", "text": self.say("reply of a sub-agent")}],
                isSidechain=True,
                agentId=HELPER,
            ),
        ]
        report = self.say("report of a sub-agent", "Two pages link to nothing.")
        self.call("Agent", given, report, {"status": "completed", "agentId": HELPER})
        self.attached(
            {
                "type": "file",
                "filename": self.say("attached file"),
                "content": {"type": "text", "file": {"content": self.say("text of a file")}},
            }
        )

    def _compacted(self) -> None:
        self.bare("system", subtype="local_command", content=self.say("local command"))
        self.bare("system", subtype="compact_boundary", compactMetadata={"trigger": "manual"})
        begin = "This session is being continued from a previous conversation that ran out of context. Summary:\n"
        text = begin + self.say("summary of a compaction", "The login is fixed. I ran it")
        self.add("user", text, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        self.bare(
            "pr-link",
            prUrl="https://github.com/o/r/pull/1",
            prNumber=1,
            prRepository=self.garden.name("repository of a pull request"),
        )
        limit = self.say("message of the client", "You've hit your limit")
        self.add("assistant", [{"type": "text", "text": limit}], message={"model": "<synthetic>"})

    def _ending(self) -> None:
        self.user(self.say("last prompt", "Now finish the header of the page, I ran it"))
        self.bash(
            "pytest -q tests",
            f"FAILED tests/test_a.py - {self.say('last failing line')}\n1 failed",
            bad=True,
        )
        self.says(
            f"{self.say('closing', 'One test fails.')}\n\nNext: {self.say('next step', 'fix test_b')}"
            f"\n\n{self.say('open question', 'Shall I go on')}?"
        )
        self.bare(
            "last-prompt", lastPrompt=self.say("last prompt as the client has it"), leafUuid="x"
        )

    # ----------------------------------------------------------------------- the records

    def say(self, field: str, words: str = "Then I ran it") -> str:
        return self.garden.plant(field, words)

    def user(self, text: str) -> None:
        self.add("user", text)

    def says(self, text: str) -> None:
        self.agent({"type": "text", "text": text})

    def agent(self, *blocks: dict[str, Any]) -> None:
        self.add("assistant", list(blocks), message={"id": f"msg_{len(self.lines):04}"})

    def bash(self, command: str, output: str, *, bad: bool = False, **more: Any) -> None:
        detail: Any = {"stdout": output, "stderr": self.say("error stream"), "interrupted": False}
        given = {"command": command, "description": self.say("description of a command")}
        shown = f"Exit code 1\n{output}" if bad else output
        self.call("Bash", given, shown, f"Error: {shown}" if bad else detail | more, bad=bad)

    def call(
        self, name: str, given: dict[str, Any], result: str, detail: Any, *, bad: bool = False
    ) -> None:
        key = f"toolu_{len(self.lines):04}"
        self.agent({"type": "tool_use", "id": key, "name": name, "input": given})
        block = {"type": "tool_result", "tool_use_id": key, "content": result, "is_error": bad}
        self.add("user", [block], toolUseResult=detail)

    def attached(self, attachment: dict[str, Any]) -> None:
        self.bare("attachment", attachment=attachment)

    def bare(self, kind: str, **fields: Any) -> None:
        self.lines.append({**self._common(), "type": kind, **fields})

    def add(self, kind: str, content: Any, **more: Any) -> None:
        self.lines.append(self.record(kind, content, **more))

    def record(self, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        message = {"role": kind, "content": content, **more.pop("message", {})}
        if kind == "assistant":
            message = {"model": "some-model", **message}
        return {**self._common(), "type": kind, "message": message, **more}

    def _common(self) -> dict[str, Any]:
        number = len(self.lines) + 1
        return {
            "uuid": f"00000000-0000-4000-8000-{number:012}",
            "isSidechain": False,
            "cwd": str(self.root),
            "sessionId": self.session,
            "version": "2.1.330",
            "gitBranch": self.branch,
            "slug": "sequential-finding-heron",
            "timestamp": f"2026-03-01T13:{number // 60:02}:{number % 60:02}.000Z",
        }
