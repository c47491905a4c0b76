"""People with clones of one repository, each on a machine of their own, at work with real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.sharing.servers import Server

from onward.cli import main

REFS = "refs/onward/v1/"
LIMIT = 120  # seconds, for a call that hangs


class Said(NamedTuple):
    """What a process told."""

    code: int
    out: str
    err: str


class User:
    """A home, a clone in it, and onward's folder. Everything lies below `base/name`."""

    def __init__(self, base: Path, name: str, server: Server, folder: str = "shop") -> None:
        self.name, self.server = name, server
        self.top = base / name
        self.home = self.top / "home" / name
        self.root = self.home / folder
        self.data = self.top / "data"
        self.home.mkdir(parents=True)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "USER": name,
            "ONWARD_DATA": str(self.data),
            "TZ": "UTC",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
        }
        self.clone(server.url())
        self.git("config", "onward.machine", f"{name}-laptop")

    def clone(self, url: str) -> None:
        """Take the repository; the way to it is set in the clone."""
        self.root.mkdir()
        self.git("init", "-q", "-b", "main")
        for key, value in self.server.settings().items():
            self.git("config", key, value)
        self.git("config", "user.name", self.name)
        self.git("config", "user.email", f"{self.name}@example.org")
        self.git("remote", "add", "origin", url)

    def git(self, *words: str, check: bool = True) -> str:
        """One call of git in the clone."""
        said = self.run(["git", *words])
        assert not check or said.code == 0, said.err
        return said.out.strip()

    def run(self, call: list[str], env: Mapping[str, str] | None = None) -> Said:
        """Any program, in the clone."""
        done = subprocess.run(
            call,
            cwd=self.root,
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())

    def onward(self, *words: str, env: Mapping[str, str] | None = None) -> str:
        """The program under test as a process, which must succeed; its standard output."""
        said = self.run([sys.executable, "-m", "onward", *words], env)
        assert said.code == 0, f"{words}: {said}"
        return said.out

    def quick(self, *words: str) -> str:
        """The same in this process, as a start of Python takes longer. Not for two at once."""
        said = self.attempt(*words)
        assert said.code == 0, f"{words}: {said}"
        return said.out

    def attempt(self, *words: str) -> Said:
        """The program under test in this process, however it ends."""
        out, err = StringIO(), StringIO()
        with (
            patch.dict(os.environ, self.env, clear=True),
            patch("sys.stdin", StringIO()),
            patch("os.fsync", lambda _: None),  # no power is cut here
            chdir(self.root),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = main(words)
        return Said(code, out.getvalue(), err.getvalue())

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """The program under test, while others go on."""
        quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        call = [sys.executable, "-m", "onward", *words]
        return subprocess.Popen(call, cwd=self.root, env=self.env, **quiet)

    def save(self, name: str, task: str = "", minute: int = 0) -> None:
        """A checkpoint as a user writes one by hand."""
        path = self.root / "memory/checkpoints" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"# Checkpoint: {name}\n\n**Created:** 2026-03-01 21:{minute:02} GMT\n"
            f"**Task:** {task or f'Build {name}'}\n\n## Next Action\n\n"
            f"- Go on with {name} in {self.root}/src/app.py\n"
        )

    def listed(self) -> list[str]:
        """What `list` shows: own names, and `NAME@MACHINE` of others."""
        rows = json.loads(self.quick("list", "--json"))
        found = (
            rows
            if isinstance(rows, list)
            else next(v for v in rows.values() if isinstance(v, list))
        )
        return [row["name"] for row in found]

    def others(self) -> set[str]:
        """The `NAME@MACHINE` of others alone."""
        return {name for name in self.listed() if "@" in name}


def held(repository: Path) -> dict[str, set[str]]:
    """What lies on a remote: the checkpoints of each writer, as plain git reads them."""
    return {ref: names(repository, ref) for ref in refs(repository)}


def refs(repository: Path) -> list[str]:
    """The writers' refs of a remote."""
    return _git(repository, "for-each-ref", "--format=%(refname)", REFS).split()


def names(repository: Path, ref: str) -> set[str]:
    """The checkpoints that a ref's commit holds."""
    found = _git(repository, "ls-tree", "-r", "--name-only", ref).splitlines()
    parts = [path.removeprefix("checkpoints/") for path in found if path.startswith("checkpoints/")]
    return {name.removesuffix(".md") for name in parts}


def assert_whole(repository: Path) -> None:
    """Nothing that a ref of a repository leads to is missing or broken."""
    done = subprocess.run(
        ["git", "-C", str(repository), "fsck", "--full", "--strict", "--no-dangling"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


def _git(repository: Path, *words: str) -> str:
    call = ["git", "-C", str(repository), *words]
    return subprocess.run(call, capture_output=True, check=True, text=True).stdout


Meet = Callable[[str], User]
