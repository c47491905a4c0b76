"""Machines that share one project through a git remote in a folder: homes, clones, data."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from onward.cli import main

PAGE = """# Checkpoint: {name}

**Created:** {created}
**Task:** {task}

## Progress
- Wrote {root}/src/auth.py

## Next Action
Run `pytest {root}/tests/test_auth.py`

## Relevant Context
### Git
- `main` @ `{commit}`
"""


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Machine:
    """One machine's home and its clone of the project; calls run there."""

    name: str
    root: Path
    home: Path
    data: Path
    patch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: str) -> Said:
        self.enter()
        self.capsys.readouterr()
        code = main(words)
        out, err = self.capsys.readouterr()
        return Said(code, out, err)

    def enter(self) -> None:
        for key, value in {
            "HOME": self.home,
            "USERPROFILE": self.home,
            "USER": self.home.name,
            "ONWARD_DATA": self.data,
        }.items():
            self.patch.setenv(key, str(value))
        self.patch.chdir(self.root)

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def writes(self, name: str, task: str = "Add a login", created: str = "") -> Path:
        """A checkpoint as a person would write it."""
        path = self.root / "memory/checkpoints" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = PAGE.format(
            name=name,
            task=task,
            root=self.root,
            created=created or "2026-03-01 21:40 GMT",
            commit=self.git("rev-parse", "HEAD"),
        )
        path.write_text(text, encoding="utf-8")
        return path

    @property
    def bare(self) -> Path:
        """Our own repository of this clone."""
        (found,) = (self.data / "share").glob("*.git")
        return found


Machines = Callable[[str], Machine]


@pytest.fixture
def remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bare repository with one commit, and an environment without anything of ours."""
    for name in [n for n in os.environ if n.startswith(("GIT_", "CLAUDE", "XDG_", "ONWARD"))]:
        monkeypatch.delenv(name)
    for name, value in {
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Maria",
        "GIT_AUTHOR_EMAIL": "maria@example.org",
        "GIT_COMMITTER_NAME": "Maria",
        "GIT_COMMITTER_EMAIL": "maria@example.org",
    }.items():
        monkeypatch.setenv(name, value)
    bare, first = tmp_path / "remote.git", tmp_path / "first"

    def run(*words: str) -> None:
        subprocess.run(["git", *words], check=True, capture_output=True)

    run("init", "-q", "--bare", "-b", "main", str(bare))
    run("init", "-q", "-b", "main", str(first))
    (first / "src").mkdir()
    (first / "src/auth.py").write_text("def login(user):\n    return token(user)\n")
    run("-C", str(first), "add", "-A")
    run("-C", str(first), "commit", "-qm", "Start")
    run("-C", str(first), "push", "-q", str(bare), "main")
    return bare


@pytest.fixture
def machine(
    remote: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Machines:
    """Makes a machine of a name, its project cloned from the remote."""

    def make(name: str) -> Machine:
        home = tmp_path / name / "home" / f"{name}-user"
        root = home / "code" / "shop"
        root.parent.mkdir(parents=True)
        subprocess.run(
            ["git", "clone", "-q", str(remote), str(root)], check=True, capture_output=True
        )
        made = Machine(name, root, home, tmp_path / name / "data", monkeypatch, capsys)
        made.git("config", "onward.machine", name)
        return made

    return make


@pytest.fixture
def desk(machine: Machines) -> Machine:
    return machine("desk")


@pytest.fixture
def laptop(machine: Machines) -> Machine:
    return machine("laptop")
