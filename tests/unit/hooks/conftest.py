"""A project, its sessions, and hooks that are called as a client calls them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from onward.hooks import dispatch, processes
from onward.hooks.environment import Here
from onward.storage import backups, live
from onward.storage.project import Project, locate
from onward.transcripts.hook_call import HookCall

ONE = "0f5a3c7e-0000-4000-8000-000000000001"
TWO = "0f5a3c7e-0000-4000-8000-000000000002"
EVENTS = ("start", "end", "compact", "compacted", "prompt", "turn", "tool")
Stub = Callable[..., list[tuple[object, ...]]]


class Scene:
    """One machine: a home, a data folder, a project in `root`, jobs instead of children."""

    def __init__(self, base: Path, root: Path) -> None:
        self.base, self.root = base, root
        self.data = base / "data"
        self.jobs: list[tuple[str, dict[str, str]]] = []
        self.sleepers: list[tuple[object, ...]] = []
        self.pid = os.getpid()
        self.time = 0.0

    @property
    def here(self) -> Here:
        here = Here({"ONWARD_DATA": str(self.data)}, "claude-code")
        here.now = self.time or here.now
        return here

    @property
    def project(self) -> Project:
        return locate(self.root, self.root)

    @property
    def pending(self) -> list[Path]:
        return backups.pending(self.project)

    @property
    def raw(self) -> list[str]:
        return sorted(path.name for path in (self.project.memory / "raw").glob("*.jsonl"))

    def transcript(self, session: str = ONE) -> Path:
        return self.base / "home" / "projects" / f"{session}.jsonl"

    def add(self, record: dict[str, object], session: str = ONE) -> None:
        path = self.transcript(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        count = path.read_text().count("\n") if path.exists() else 0
        common = {"sessionId": session, "uuid": f"u{count}", "cwd": str(self.root)}
        stamp = {"timestamp": f"2026-03-01T10:00:{count % 60:02}Z", "version": "2.1.330"}
        with path.open("a") as file:
            file.write(json.dumps(record | common | stamp, separators=(",", ":")) + "\n")

    def said(self, text: str, session: str = ONE) -> None:
        """A prompt in the transcript, as the user typed it."""
        message = {"role": "user", "content": text}
        if text.startswith("/"):
            name = text.split(maxsplit=1)[0]
            tag = f"<command-message>{name[1:]}</command-message>\n<command-name>{name}</command-name>"
            message["content"] = f"{tag}\n<command-args></command-args>"
        self.add({"type": "user", "message": message}, session)

    def answered(self, text: str = "Done.", session: str = ONE, tokens: int = 100) -> None:
        usage = {"input_tokens": tokens, "output_tokens": 0}
        content = [{"type": "text", "text": text}]
        message = {"role": "assistant", "model": "some", "content": content, "usage": usage}
        self.add({"type": "assistant", "message": message}, session)

    def ran(self, command: str, session: str = ONE) -> None:
        act = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": command}}
        message = {"role": "assistant", "model": "some", "content": [act]}
        self.add({"type": "assistant", "message": message}, session)
        done = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}
        self.add({"type": "user", "message": {"role": "user", "content": [done]}}, session)

    def call(self, event: str, session: str = ONE, **fields: object) -> str:
        """Call a hook; returns what it says."""
        words: dict[str, object] = {
            "agent": "claude-code",
            "event": event,
            "session": session,
            "transcript": str(self.transcript(session)),
            "project": str(self.root),
            "cwd": str(self.root),
            "pid": self.pid,
        }
        return dispatch.run(HookCall(**(words | fields)), self.here)  # type: ignore[arg-type]

    def held(self, *prompts: str, session: str = ONE, end: str = "prompt_input_exit") -> None:
        """A whole session, from its start to its end ("" for one that goes on)."""
        self.call("start", session, detail="startup")
        for prompt in prompts:
            self.call("prompt", session, prompt=prompt)
            self.said(prompt, session)
            self.answered(session=session)
            self.call("turn", session, last="Done.")
        if end:
            self.call("end", session, detail=end)

    def record(self, key: str, session: str = ONE) -> list[str]:
        return live.get(str(self.data), session, key)

    def log(self) -> str:
        path = self.data / "hooks.log"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    """Puts a function in another room's place; returns the list of the calls it will get."""

    def put(name: str, answer: object = "") -> list[tuple[object, ...]]:
        calls: list[tuple[object, ...]] = []

        def function(*args: object, **named: object) -> object:
            calls.append((*args, *named.values()))
            if isinstance(answer, Exception):
                raise answer
            return answer

        room, _, attribute = name.rpartition(".")
        monkeypatch.setattr(import_module(room), attribute, function)
        return calls

    return put


@pytest.fixture
def scene(tmp_path: Path, initialised: Path, monkeypatch: pytest.MonkeyPatch, stub: Stub) -> Scene:
    """A project in a git repository; nobody else's texts, and no child is started."""
    made = Scene(tmp_path, tmp_path / "shop")
    (tmp_path / "home").mkdir()
    shutil.copytree(initialised, made.root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(
        processes, "later", lambda _, kind, fields: made.jobs.append((kind, fields))
    )

    def sleeper(call: HookCall, _: Here, root: str, seconds: float) -> int:
        made.sleepers.append((call.session, call.transcript, seconds, call.pid, root))
        return 0

    monkeypatch.setattr(processes, "sleeper", sleeper)
    for name in ("handover.handover", "handover.saved_place", "handover.drifted"):
        stub(f"onward.commands.{name}")
    stub("onward.commands.compaction.after_compaction")
    stub("onward.commands.compaction.before_compaction")
    stub("onward.commands.resume.answer")
    return made
