"""A scratch project in git, with one session about it in a home folder of its own."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.unit.conftest import GIT

from onward.cli import main
from onward.commands import handover, offered
from onward.commands.world import World

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
PLANTED = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Scratch:
    root: Path
    home: Path
    data: Path
    transcript: Path

    @property
    def checkpoints(self) -> Path:
        return self.root / "memory" / "checkpoints"

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def commit(self, message: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")


Onward = Callable[..., Answer]
Session = Callable[[Path, str], "Script"]


class Script:
    """Writes records the way the client does, one a line."""

    def __init__(self, cwd: Path, session: str) -> None:
        self.cwd, self.session, self.lines = str(cwd), session, list[dict[str, Any]]()

    def add(self, kind: str, content: Any, **more: Any) -> None:
        number = len(self.lines) + 1
        self.lines.append(
            {
                "type": kind,
                "uuid": f"00000000-0000-4000-8000-{number:012}",
                "parentUuid": f"00000000-0000-4000-8000-{number - 1:012}" if number > 1 else None,
                "isSidechain": False,
                "userType": "external",
                "cwd": self.cwd,
                "sessionId": self.session,
                "version": "2.1.0",
                "gitBranch": "main",
                "timestamp": f"2026-03-01T13:{number:02}:00.000Z",
                "message": {"role": kind, "content": content, **more.pop("message", {})},
                **more,
            }
        )

    def user(self, text: str) -> None:
        self.add("user", text)

    def agent(self, *blocks: dict[str, Any]) -> None:
        message = {"id": f"msg_{len(self.lines):04}", "type": "message", "model": "some-model"}
        self.add("assistant", list(blocks), message=message)

    def says(self, text: str) -> None:
        self.agent({"type": "text", "text": text})

    def call(
        self, name: str, given: dict[str, Any], result: str, detail: Any, *, bad: bool = False
    ) -> None:
        call_id = f"toolu_{len(self.lines):04}"
        self.agent({"type": "tool_use", "id": call_id, "name": name, "input": given})
        block = {"type": "tool_result", "tool_use_id": call_id, "content": result, "is_error": bad}
        self.add("user", [block], toolUseResult=detail)

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, committed: Path) -> Scratch:
    root, home, data = tmp_path / "shop", tmp_path / "home" / "maria", tmp_path / "data"
    home.mkdir(parents=True)
    shutil.copytree(committed, root)
    for name in [
        name for name in os.environ if name.startswith(("GIT_", "CLAUDE", "XDG_", "ONWARD"))
    ]:
        monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "USER": "maria",
        "ONWARD_DATA": str(data),
        "TZ": "UTC",
        **GIT,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(root)
    made = Scratch(root, home, data, home / ".claude/projects/-shop" / f"{SESSION}.jsonl")
    _login(root, SESSION).write(made.transcript)
    return made


def _login(root: Path, name: str) -> Script:
    """A prompt, an edit, a failing test, a decision with its reason, and a hand-over."""
    script = Script(root, name)
    script.user("Add a login with JWT to src/auth.py and make tests/test_auth.py pass")
    script.says("I will start with the token.")
    path = str(root / "src/auth.py")
    patch: dict[str, Any] = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2}
    patch["lines"] = ["-def login(user):", "+def login(user):", "+    return token(user)"]
    script.call(
        "Edit",
        {
            "file_path": path,
            "old_string": "def login(user):",
            "new_string": "def login(user):\n    return token(user)",
        },
        f"The file {path} has been updated.",
        {"filePath": path, "structuredPatch": [patch], "userModified": False},
    )
    script.user("Use RS256, not HS256, because the gateway only has the public key")
    tail = "FAILED tests/test_auth.py::test_login - assert False\n1 failed in 0.12s"
    script.call(
        "Bash",
        {"command": "pytest tests/test_auth.py", "description": "Run the login tests"},
        f"Exit code 1\n{tail}",
        f"Error: Exit code 1\n{tail}",
        bad=True,
    )
    script.says(f"One test still fails. Next I would fix test_login. Key was {PLANTED}.")
    return script


@pytest.fixture
def session() -> Session:
    """Makes the same session again under another id."""
    return _login


@pytest.fixture
def empty_session() -> Session:
    return Script


@pytest.fixture
def planted() -> str:
    """The token that the agent said aloud in the session."""
    return PLANTED


@pytest.fixture
def onward(scratch: Scratch, capsys: pytest.CaptureFixture[str]) -> Onward:
    """Runs the program in the scratch project, with no terminal."""

    def run(*words: str) -> Answer:
        capsys.readouterr()
        code = main(words)
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return run


@pytest.fixture
def saved(onward: Onward) -> Onward:
    """The same, with the session saved as `add-jwt-login`."""
    answer = onward("save", "add-jwt-login")
    assert answer.code == 0, answer.err
    return onward


@pytest.fixture
def unchanged() -> Callable[[Path], Callable[[], bool]]:
    """Remembers every file below a folder; call the answer to compare."""

    def below(folder: Path) -> dict[Path, tuple[int, bytes]]:
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}

    def remember(folder: Path) -> Callable[[], bool]:
        before = below(folder)
        return lambda: below(folder) == before

    return remember


@pytest.fixture
def typed(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Runs a slash command of the session that the scratch project has."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", scratch.transcript.stem)
    blocks = count()

    def run(name: str, words: str = "", step: str = "") -> Answer:
        framed = io.TextIOWrapper(io.BytesIO(f'"\n{words}\n"\n'.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", framed)
        monkeypatch.setattr(os, "getsid", lambda _: next(blocks), raising=False)
        return onward("slash", name, *([step] if step else []))

    return run


@pytest.fixture
def say(typed: Callable[..., Answer]) -> Callable[..., str]:
    """The same; its text, as nothing else may come of it."""

    def run(name: str, words: str = "", step: str = "") -> str:
        answer = typed(name, words, step)
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    return run


def saved_place(world: World) -> str:
    """What a start tells where no backup waits."""
    found = offered.offers(world).entries
    return str(handover.saved_place(world, found[0].path, found[0].kind)) if found else ""
