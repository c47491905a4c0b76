"""One user's machine: a home, a project in git, the program as a process and its hooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from tests.canary.planting import Garden

from onward.agents.codex import install as codex
from onward.cli import main

USER = "zoequist"
SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
OTHER = "1c2d3e4f-5061-4b72-9c83-ad94be05f617"
SHIMS = {
    "start": "on-session-start.sh",
    "compacted": "on-session-start-compact.sh",
    "end": "on-session-end.sh",
    "compact": "on-pre-compact.sh",
    "prompt": "on-user-prompt-submit.sh",
    "turn": "on-stop.sh",
    "tool": "on-pre-tool-use.sh",
}


class Said(NamedTuple):
    """What a process told: its status, and all that it and its children printed."""

    code: int
    out: bytes
    err: bytes


class Machine:
    """Everything lies below `base`; `told` gathers what was printed since the beginning."""

    def __init__(self, base: Path) -> None:
        self.home = base / "home" / USER
        self.root = self.home / "shop"
        self.data = base / "data"
        self.told = b""
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "USER": USER,
            "ONWARD_DATA": str(self.data),
            "TZ": "UTC",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            **{f"GIT_{who}_NAME": "Zoe" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "zoe@mail.test" for who in ("AUTHOR", "COMMITTER")},
        }
        for folder in (self.root / "src", self.root / "tests"):
            folder.mkdir(parents=True)

    def transcript(self, session: str = SESSION) -> Path:
        """Where the client keeps it."""
        return self.home / ".claude/projects/-shop" / f"{session}.jsonl"

    def git(self, *words: str, check: bool = True) -> str:
        """One git call of the user's, in the project."""
        call = ["git", *words]
        done = subprocess.run(call, cwd=self.root, env=self.env, check=check, capture_output=True)
        return done.stdout.decode().strip()

    def onward(self, *words: str, feed: bytes = b"", env: dict[str, str] | None = None) -> Said:
        """The program, without a terminal. In this process, as a start of Python takes longer."""
        given, out, err = (TextIOWrapper(BytesIO(data), "utf-8") for data in (feed, b"", b""))
        with (
            patch.dict(os.environ, self.env | (env or {}), clear=True),
            patch("sys.stdin", given),
            patch("sys.argv", ["onward", *words]),
            patch("os.fsync", lambda _: None),  # no power is cut here
            chdir(self.root),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = main(words)
        return self._said(code, *(_bytes(stream) for stream in (out, err)))

    def hook(self, event: str, payload: Mapping[str, object] | bytes) -> Said:
        """A hook as the client calls it, and everything that it leaves running, to its end."""
        feed = (
            payload
            if isinstance(payload, bytes)
            else json.dumps(payload, separators=(",", ":")).encode() + b"\n"
        )
        shim = self.root / ".claude/hooks" / SHIMS[event]
        env = {"CLAUDE_PROJECT_DIR": str(self.root), "CLAUDE_PID": str(os.getpid())}
        return self.run(["sh", str(shim), str(os.getpid())], feed, self.env | env)

    def run(self, call: list[str], feed: bytes, env: dict[str, str]) -> Said:
        """A process and all that come of it: each holds the writing end of one pipe, whose end
        is read when the last of them has gone.
        """
        ours, theirs = os.pipe()
        done = subprocess.run(
            call,
            cwd=self.root,
            env=env,
            input=feed,
            capture_output=True,
            check=False,
            timeout=60,
            pass_fds=[theirs],
        )
        os.close(theirs)
        with os.fdopen(ours, "rb") as pipe:
            pipe.read()
        return self._said(done.returncode, done.stdout, done.stderr)

    def _said(self, code: int, out: bytes, err: bytes) -> Said:
        self.told += out + b"\n" + err + b"\n"
        return Said(code, out, err)

    def written(self) -> dict[str, bytes]:
        """Every file that may be ours: all but what the client and git keep, and `raw/`."""
        client = self.root / ".claude"
        apart = (
            self.home / ".claude/projects",
            client / "settings.json",
            self.home / ".codex",
            self.root / ".codex/hooks.json",
            self.root / ".git",
            client / "memory/raw",
        )
        return {
            str(path): path.read_bytes()
            for top in (self.home, self.data)
            for path in sorted(top.rglob("*"))
            if path.is_file() and not any(path.is_relative_to(each) for each in apart)
        }


class CodexMachine(Machine):
    """The same user, at work with Codex."""

    def transcript(self, session: str = SESSION) -> Path:
        """Where the client keeps it."""
        day = self.home / ".codex/sessions/2026/03/01"
        return day / f"rollout-2026-03-01T13-00-00-{session}.jsonl"

    def hook(self, event: str, payload: Mapping[str, object] | bytes) -> Said:
        """The registered command, run as the client does."""
        (command,) = (
            codex.command(each, "project").command for each in codex.HOOKS if each.kind == event
        )
        feed = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self.run(["sh", "-c", command], feed, self.env)


def _bytes(stream: TextIOWrapper) -> bytes:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, BytesIO)
    return raw.getvalue()


def repository(machine: Machine, garden: Garden) -> None:
    """A history with canaries wherever git keeps words."""
    machine.git("init", "-q", "-b", garden.name("branch"))
    token = garden.name("password of a remote", "x")
    machine.git("remote", "add", "origin", f"https://zoe:{token}@git.test/o/r.git")
    (machine.root / "src/login.py").write_text("def login(user):\n    return token(user)\n")
    (machine.root / "tests/test_a.py").write_text("def test_b():\n    assert False\n")
    (machine.root / f"src/{garden.name('name of a file')}.py").write_text("x = 1\n")
    machine.git("add", "-A")
    machine.git("commit", "-qm", garden.plant("subject of the first commit"))
    (machine.root / "src/login.py").write_text("# changed\n")
    machine.git("stash", "push", "-qm", garden.plant("words of a stash"))
    author = f"{garden.name('name of an author', 'Zoe')} <zoe@mail.test>"
    machine.git("commit", "-q", "--allow-empty", "--author", author, "-m", "Fix it")
    (machine.root / f"{garden.name('name of an uncommitted file')}.md").write_text("new\n")
