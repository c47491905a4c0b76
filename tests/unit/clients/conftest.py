"""A project and a home of its own, and the program run in them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.unit.conftest import GIT

from onward.cli import main

Tree = Mapping[str, bytes]


def tree(folder: Path) -> Tree:
    """Every file below a folder with its bytes; folders count, git's own files do not."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name != ".git" and not name.startswith(".git/"):
            found[name] = path.read_bytes() if path.is_file() else b"<folder>"
    return found


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Place:
    root: Path
    home: Path
    data: Path
    run: Callable[..., Answer]

    @property
    def settings(self) -> Path:
        return self.root / ".claude/settings.json"

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def read(self, name: str) -> str:
        return (self.root / name).read_bytes().decode()

    def record(self) -> dict[str, Any]:
        found = json.loads(self.read(".claude/onward.json"))
        assert isinstance(found, dict)
        return found

    def git(self, *words: str, cwd: Path | None = None, given: str = "") -> str:
        done = subprocess.run(
            ["git", *words],
            cwd=cwd or self.root,
            input=given,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout


@pytest.fixture
def place(
    tmp_path: Path,
    initialised: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Place:
    """A git repository `shop` without any settings."""
    root, home, data = tmp_path / "shop", tmp_path / "home" / "maria", tmp_path / "data"
    shutil.copytree(initialised, root)
    home.mkdir(parents=True)
    for name in [n for n in os.environ if n.startswith(("GIT_", "CLAUDE", "XDG_", "ONWARD"))]:
        monkeypatch.delenv(name)
    for name, value in {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "USER": "maria",
        "ONWARD_DATA": str(data),
        **GIT,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(root)
    # Nothing here is about power cuts, and each install would wait for the disk fifty times.
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)

    def run(*words: str) -> Answer:
        capsys.readouterr()
        code = main(words)
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return Place(root, home, data, run)
