"""Golden sessions, making: the real client in a terminal, in a home that is thrown away.

Runs as root in a mount and network namespace of its own (see `make_sessions.py`): `/home` is
empty memory there and only the loopback is up, so that the client finds the home of a user
called ada and nothing of this machine.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from tests.e2e.kit import home
from tests.e2e.kit.terminal import PROMPT, Tmux, until
from tests.golden.making.api import Part
from tests.golden.scenes.script import Answer, Keys, Prompt, Scene
from tests.programs import PYTHON

HOME = Path("/home/ada")
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
    """A terminal window with the client in it."""

    def __init__(self, scene: Scene, binary: Path, part: Part, begin: int) -> None:
        self.scene = scene
        self.part = part
        self.folder = HOME / scene.project
        self.env = home.environment(HOME, part.model.port)
        self._home(begin)
        self.tmux = Tmux(HOME / ".tmux.sock", self.env)
        self.window = self.tmux.start([str(binary), *scene.arguments], self.env, self.folder)

    def _home(self, begin: int) -> None:
        home.settle(HOME, [self.folder])
        tools = HOME / ".local/bin"
        before = len(self.scene.commits)
        _tool(tools / "git", GIT_DATES.format(begin=begin, before=before))
        _tool(tools / "pytest", RUN_PYTEST.format(python=PYTHON))
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

    def served(self, count: int) -> None:
        """Until the model gave so many answers."""
        window = self.window
        until(
            lambda: self.part.served >= count,
            lambda: f"{self.scene.name}: {self.part.served} of {count}:\n{window.screen}",
            60,
        )

    def play(self) -> None:
        """Do all that the user does, each when its turn has come."""
        self.window.wait(PROMPT)
        time.sleep(1.5)
        due = 0
        for step in self.scene.steps:
            match step:
                case Answer():
                    due += 1
                case Prompt(text=text, busy=busy):
                    self.served(due)
                    time.sleep(0.6 if busy else 2.0)
                    self.window.type(text)
                case Keys(sees=sees, keys=keys, after=after):
                    self.served(due)
                    self.window.wait(sees)
                    time.sleep(after)
                    for key in keys:
                        if key in NAMES:
                            self.window.key(key)
                        else:
                            self.window.type(key, enter=False)
                        time.sleep(0.5)
        self.served(due)
        time.sleep(2.5)
        if self.scene.leaves:
            self.window.type(self.scene.leaves)
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
