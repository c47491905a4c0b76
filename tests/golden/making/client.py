"""Golden sessions, making: the real client in a terminal, in a home that is thrown away.

Runs as root in a mount and network namespace of its own (see `make_sessions.py`): `/home` is
empty memory there and only the loopback is up, so that the client finds the home of a person
called ada and nothing of this machine.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

from tests.golden.making.api import Model
from tests.golden.scenes.script import Answer, Keys, Prompt, Scene

HOME = Path("/home/ada")
KEY = "no-key-at-all-000000000000"
NAMES = ("Enter", "Escape", "Down", "Tab")
GIT_DATES = """#!/bin/sh
n=$(( $(/usr/bin/git rev-list --all --count 2>/dev/null || echo 0) - {before} ))
if [ $n -lt 0 ]; then at=$(( {begin} + 86400 * n )); else at=$(( {begin} + 360 + 660 * n )); fi
GIT_AUTHOR_DATE="@$at +0000"
GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
export GIT_AUTHOR_DATE GIT_COMMITTER_DATE
exec /usr/bin/git "$@"
"""
RUN_PYTEST = '#!/bin/sh\nexec {python} -m pytest -p no:cacheprovider -p no:hypothesispytest "$@"\n'


class Terminal:
    """A tmux window with the client in it."""

    def __init__(self, scene: Scene, binary: Path, model: Model, begin: int) -> None:
        self.scene = scene
        self.model = model
        self.folder = HOME / scene.project
        self.socket = HOME / ".tmux.sock"
        self.env = {
            "PATH": f"{HOME}/.local/bin:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(HOME),
            "USER": "ada",
            "SHELL": "/bin/bash",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "IS_SANDBOX": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{model.port}",
        }
        self._home(begin)
        words = [f"{k}={v}" for k, v in self.env.items()]
        command = ["env", "-i", *words, str(binary), *scene.arguments]
        line = "exec " + " ".join(shlex.quote(word) for word in command)
        self.tmux("new-session", "-d", "-x", "150", "-y", "50", "-c", str(self.folder), line)

    def _home(self, begin: int) -> None:
        (HOME / ".claude").mkdir(parents=True)
        state = {
            "hasCompletedOnboarding": True,
            "lastOnboardingVersion": "99.0.0",
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "bypassPermissionsModeAccepted": True,
            "projects": {
                str(self.folder): {
                    "hasTrustDialogAccepted": True,
                    "hasCompletedProjectOnboarding": True,
                }
            },
        }
        (HOME / ".claude.json").write_text(json.dumps(state))
        (HOME / ".gitconfig").write_text(
            "[user]\nname = Ada Moreno\nemail = ada@example.com\n[init]\ndefaultBranch = main\n"
        )
        tools = HOME / ".local/bin"
        tools.mkdir(parents=True)
        before = len(self.scene.commits)
        _tool(tools / "git", GIT_DATES.format(begin=begin, before=before))
        _tool(tools / "pytest", RUN_PYTEST.format(python=sys.executable))
        self.folder.mkdir()
        self.git("init", "-q")
        for subject, files in self.scene.commits:
            _lay(self.folder, files)
            self.git("add", "-A")
            self.git("commit", "-q", "-m", subject)
        if self.scene.branch:
            self.git("switch", "-q", "-c", self.scene.branch)

    def git(self, *words: str) -> str:
        """Run git as ada does; returns its output."""
        words = (str(HOME / ".local/bin/git"), *words)
        return subprocess.run(
            words, cwd=self.folder, env=self.env, check=True, capture_output=True, text=True
        ).stdout

    def tmux(self, *words: str) -> str:
        """Run one command of tmux; returns its output."""
        base = ("tmux", "-S", str(self.socket), "-f", "/dev/null")
        env = {name: self.env[name] for name in ("PATH", "TERM", "LANG", "HOME")}
        done = subprocess.run([*base, *words], capture_output=True, text=True, env=env, check=False)
        return done.stdout

    def screen(self) -> str:
        """What the person sees."""
        return self.tmux("capture-pane", "-p")

    def wait(self, pattern: str, limit: float = 40.0) -> None:
        """Until the screen shows it. Raises TimeoutError with the screen."""
        end = time.monotonic() + limit
        while not re.search(pattern, self.screen()):
            if time.monotonic() > end:
                raise TimeoutError(f"{self.scene.name}: no {pattern!r} on:\n{self.screen()}")
            time.sleep(0.2)

    def served(self, count: int, limit: float = 60.0) -> None:
        """Until the model gave so many answers."""
        end = time.monotonic() + limit
        while self.model.served < count:
            if time.monotonic() > end:
                got = self.model.served
                raise TimeoutError(f"{self.scene.name}: {got} of {count}:\n{self.screen()}")
            time.sleep(0.1)

    def type(self, text: str) -> None:
        """Type a text and press Enter."""
        self.tmux("send-keys", "-l", text)
        time.sleep(1.0 if text.startswith("/") else 0.5)
        self.tmux("send-keys", "Enter")

    def play(self) -> None:
        """Do all that the person does, each when its turn has come."""
        self.wait("\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}")
        time.sleep(1.5)
        due = 0
        for step in self.scene.steps:
            match step:
                case Answer():
                    due += 1
                case Prompt(text=text, busy=busy):
                    self.served(due)
                    time.sleep(0.6 if busy else 2.0)
                    self.type(text)
                case Keys(sees=sees, keys=keys, after=after):
                    self.served(due)
                    self.wait(sees)
                    time.sleep(after)
                    for key in keys:
                        self.tmux("send-keys", *(() if key in NAMES else ("-l",)), key)
                        time.sleep(0.5)
        self.served(due)
        time.sleep(2.5)
        if self.scene.leaves:
            self.type(self.scene.leaves)
        time.sleep(2.0)
        self.tmux("kill-server")


def _tool(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def _lay(folder: Path, files: object) -> None:
    assert isinstance(files, dict)
    for name, text in files.items():
        path = folder / os.fspath(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
