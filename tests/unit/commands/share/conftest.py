"""Machines that share one project through a git remote in a folder: homes, clones, data."""

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
from tests.unit.conftest import GIT, furnish, git

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
        """A checkpoint as a user would write it."""
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


@pytest.fixture(scope="session")
def served(committed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A bare repository with one commit and a clone of it, to be copied."""
    folder = tmp_path_factory.mktemp("served")
    bare, clone = folder / "remote.git", folder / "clone"
    git("clone", "-q", "--bare", "--template=", str(committed), str(bare), at=folder)
    git("clone", "-q", "--template=", str(bare), str(clone), at=folder)
    furnish(bare)
    furnish(clone / ".git")
    return bare, clone


@pytest.fixture
def remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: tuple[Path, Path]) -> Path:
    """A bare repository with one commit, and an environment without anything of ours."""
    for name in [n for n in os.environ if n.startswith(("GIT_", "CLAUDE", "XDG_", "ONWARD"))]:
        monkeypatch.delenv(name)
    for name, value in {
        "TZ": "UTC",
        **GIT,
    }.items():
        monkeypatch.setenv(name, value)
    # Nothing here is about power cuts.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    bare = tmp_path / "remote.git"
    shutil.copytree(served[0], bare)
    return bare


@pytest.fixture
def machine(
    remote: Path,
    served: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Machines:
    """Makes a machine of a name, its project cloned from the remote."""

    def make(name: str) -> Machine:
        home = tmp_path / name / "home" / f"{name}-user"
        root = home / "code" / "shop"
        shutil.copytree(served[1], root)
        config = root / ".git/config"
        there = config.read_text("utf-8").replace(served[0].as_posix(), remote.as_posix())
        config.write_text(f"{there}[onward]\n\tmachine = {name}\n", encoding="utf-8")
        return Machine(name, root, home, tmp_path / name / "data", monkeypatch, capsys)

    return make


@pytest.fixture
def desk(machine: Machines) -> Machine:
    return machine("desk")


@pytest.fixture
def laptop(machine: Machines) -> Machine:
    return machine("laptop")
