"""A home on a Monday morning: projects of both agents, each left in another way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.unit.conftest import GIT, git

Sessions = Callable[[Path, str], Any]
_SAYING = {"user": "input_text", "assistant": "output_text"}


@dataclass
class Monday:
    """Makes projects below `top` and sessions in the home folder."""

    top: Path
    home: Path
    data: Path
    script: Sessions
    model: Path
    count: int = 0

    def project(self, name: str, branch: str = "main") -> Path:
        root = self.top / name
        shutil.copytree(self.model, root)
        if branch != "main":
            self.git(root, "branch", "-m", branch)
        return root

    def git(self, root: Path, *words: str) -> None:
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)

    def commit(self, root: Path) -> None:
        self.git(root, "add", "-A")
        self.git(root, "commit", "-qm", "Work")

    def session(self, root: Path, branch: str = "main", day: int = 1) -> Any:
        """A Claude Code session to be filled; `keep` writes it."""
        self.count += 1
        made = self.script(root, f"{self.count:08}-0000-4000-8000-000000000000")
        made.branch, made.day = branch, day
        return made

    def keep(self, made: Any, **fields: Any) -> Path:
        for line in made.lines:
            line["gitBranch"] = made.branch
            line["timestamp"] = line["timestamp"].replace("2026-03-01", f"2026-03-{made.day:02}")
            line.update(fields)
        path: Path = (
            self.home / ".claude/projects" / made.cwd.replace("/", "-") / f"{made.session}.jsonl"
        )
        made.write(path)
        return path

    def edits(self, made: Any, root: Path, name: str = "src/app.py") -> None:
        """The agent changes a file, and it is changed."""
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("def run():\n    return 2\n")
        patch: dict[str, Any] = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1}
        patch["lines"] = ["-    return 1", "+    return 2"]
        given = {"file_path": str(path), "old_string": "return 1", "new_string": "return 2"}
        detail = {"filePath": str(path), "structuredPatch": [patch], "userModified": False}
        made.call("Edit", given, f"The file {path} has been updated.", detail)

    def runs(self, made: Any, command: str, output: str, code: int = 0) -> None:
        given = {"command": command}
        said = f"Exit code {code}\n{output}" if code else output
        detail: Any = f"Error: {said}" if code else {"stdout": output, "stderr": ""}
        made.call("Bash", given, said, detail, bad=bool(code))

    def asks(self, made: Any, question: str) -> None:
        """The agent puts a form before the user, who has not answered."""
        form = {"question": question, "options": [{"label": "yes"}, {"label": "no"}]}
        given = {"questions": [form]}
        made.agent(
            {"type": "tool_use", "id": "toolu_ask", "name": "AskUserQuestion", "input": given}
        )

    def rollout(
        self, root: Path, said: list[tuple[str, str]], *, source: str = "cli", day: int = 1
    ) -> str:
        """A Codex thread of prompts and replies; returns its id."""
        self.count += 1
        thread = f"{self.count:08}-f6ec-7112-b3a0-132501fc8bf4"
        meta = {"id": thread, "cwd": str(root), "cli_version": "0.140.0", "source": source}
        records: list[tuple[str, dict[str, Any]]] = [
            ("session_meta", {**meta, "git": {"branch": "main"}})
        ]
        for role, text in said:
            if role == "form":
                arguments = json.dumps({"questions": [{"id": "a", "question": text}]})
                call = {"type": "function_call", "name": "request_user_input", "call_id": "ask"}
                records.append(("response_item", {**call, "arguments": arguments}))
                continue
            kind = "user_message" if role == "user" else "agent_message"
            content = [{"type": _SAYING[role], "text": text}]
            records.append(("response_item", {"type": "message", "role": role, "content": content}))
            records.append(("event_msg", {"type": kind, "message": text}))
        lines = [
            {"timestamp": f"2026-03-{day:02}T09:{at:02}:00.000Z", "type": kind, "payload": body}
            for at, (kind, body) in enumerate(records)
        ]
        name = f"rollout-2026-03-{day:02}T09-00-00-{thread}.jsonl"
        path = self.home / ".codex/sessions/2026/03" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return thread

    def fill(self) -> None:
        """One project left in each way."""
        self._red()
        self._asking()
        self._finished()
        self._gone()
        self._codex()
        self._script()

    def _red(self) -> None:
        root = self.project("shop", "fix-refund")
        made = self.session(root, "fix-refund", 6)
        made.user("Make the refund idempotent and add a test for double posting")
        self.edits(made, root)
        self.runs(made, "pytest -q", "FAILED tests/test_refund.py::test_twice\n1 failed", 1)
        made.says("One test still fails.")
        self.keep(made)

    def _asking(self) -> None:
        root = self.project("notes")
        made = self.session(root, day=5)
        made.user("Find out why the export of notes drops the attachments")
        self.runs(made, "grep -rn attach src", "src/app.py:1: attach")
        self.asks(made, "Should I also migrate the old exports?")
        self.keep(made)

    def _finished(self) -> None:
        root = self.project("ledger")
        made = self.session(root, day=4)
        made.user("Round the totals of the ledger to cents, then commit")
        self.edits(made, root)
        self.runs(made, "pytest -q", "7 passed in 0.10s")
        self.commit(root)
        self.runs(made, "git commit -qam 'Round totals'", "[main 1234567] Round totals")
        made.says("Done: totals are rounded and committed.")
        self.keep(made)

    def _gone(self) -> None:
        root = self.project("prototype")
        made = self.session(root, day=3)
        made.user("Sketch the prototype of the importer, in its own folder")
        self.edits(made, root)
        self.asks(made, "There are two ways to do it. Which of them do you prefer?")
        self.keep(made)
        shutil.rmtree(root)

    def _codex(self) -> None:
        root = self.project("atlas")
        asked = "Draw the map of the atlas with one layer for each year"
        question = "Shall I begin with the newest year?"
        reply = ("assistant", "The layers can be drawn.")
        self.rollout(root, [("user", asked), reply, ("form", question)], day=2)
        words = [("user", "Review everything in here at once"), ("form", "Shall I go on?")]
        self.rollout(self.project("robot"), words, source="exec")

    def _script(self) -> None:
        root = self.project("nightly")
        made = self.session(root, day=6)
        made.user("Update every dependency of the nightly job")
        self.edits(made, root)
        self.asks(made, "Shall I go on?")
        self.keep(made, entrypoint="sdk-cli")


@pytest.fixture(scope="session")
def model(initialised: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit, as each project begins."""
    root = tmp_path_factory.mktemp("model") / "project"
    shutil.copytree(initialised, root)
    (root / "src").mkdir()
    (root / "src/app.py").write_text("def run():\n    return 1\n")
    git("add", "-A", at=root)
    git("commit", "-qm", "Work", at=root)
    return root


@pytest.fixture
def monday(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_session: Sessions, model: Path
) -> Monday:
    home, top = tmp_path / "home" / "maria", tmp_path / "code"
    for folder in (home, top):
        folder.mkdir(parents=True)
    for name in [
        name
        for name in os.environ
        if name.startswith(("GIT_", "CLAUDE", "CODEX", "XDG_", "ONWARD"))
    ]:
        monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "USER": "maria",
        "ONWARD_DATA": str(tmp_path / "data"),
        "SOURCE_DATE_EPOCH": "1773043200",  # Monday, 2026-03-09, 08:00 UTC
        **GIT,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(top)
    return Monday(top, home, tmp_path / "data", empty_session, model)
