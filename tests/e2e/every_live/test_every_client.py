"""A session begun in each of the four real clients is taken up in each other from one checkpoint."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.e2e.chat_live import lab as chat
from tests.e2e.chat_live.model import Completions
from tests.e2e.codex_live import model as codex
from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.kit.model import Answer, Call, Model, Request
from tests.e2e.kit.processes import Process
from tests.e2e.kit.session import ASKED, DONE
from tests.needs import needs

import clients  # tools are no package; the conftest above finds them

WORDS = {
    "claude": ("-p", "--dangerously-skip-permissions"),
    "codex": ("exec",),
    "opencode": ("run",),
    "copilot": ("--allow-all-tools", "-p"),
}
MADE = "echo oakum > seams.md"
NAME = "caulk-the-seams"


class EveryLab(CodexLab):
    """A machine with all four clients, each with its own scripted model."""

    def __init__(self) -> None:
        super().__init__(clients.executable(clients.CODEX))
        self.chat = Completions()
        self.models: dict[str, Model] = {
            "claude": self.other,
            "codex": self.model,
            "opencode": self.chat,
            "copilot": self.chat,
        }
        chat_env = chat.settle(self, self.chat.port)
        self.envs = {
            "claude": self.other_env,
            "codex": self.env,
            "opencode": chat_env,
            "copilot": chat_env,
        }
        programs = (clients.VERSIONS[0], clients.CODEX, clients.OPENCODE, clients.COPILOT)
        for name, program in zip(WORDS, programs, strict=True):
            (self.home / ".local/bin" / name).symlink_to(clients.executable(program))

    def begin_in(self, name: str) -> None:
        """A session of that client in which a file is made."""
        self.run_in(name, MADE)
        assert (self.project / "seams.md").read_text() == "oakum\n"

    def run_in(self, name: str, *commands: str) -> Request:
        """A session of that client in which its agent runs these commands, one after the other; its
        last request.
        """
        calls = {
            "claude": lambda each: Call("Bash", {"command": each, "description": "Caulk"}),
            "codex": codex.run,
        }
        made = [calls.get(name, chat.run)(each) for each in commands]
        model = self.models[name]
        model.script([*(Answer("Caulking.", (call,)) for call in made), DONE])
        done = subprocess.run(
            [str(self.home / ".local/bin" / name), *WORDS[name], ASKED],
            cwd=self.project,
            env=self.envs[name],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        assert done.returncode == 0, done
        return model.of("main")[-1]

    def close(self, limit: float = 20.0) -> list[Process]:
        """As `Lab`; the third model is ours to end."""
        left = super().close(limit)
        self.chat.close()
        return left


@pytest.fixture
def lab() -> Iterator[EveryLab]:
    """Nothing that ran in it may outlive it."""
    if sys.platform != "linux":
        pytest.fail("the tests with the real client run on Linux: they look into /proc")
    needs("tmux")
    try:
        made = EveryLab()
    except clients.MissingError as error:
        pytest.fail(str(error))
    try:
        yield made
    finally:
        left = made.close()
    assert not left, f"these outlived the test: {left}"


@pytest.mark.parametrize("name", WORDS)
def test_what_was_begun_in_one_is_taken_up_in_each_other(lab: EveryLab, name: str) -> None:
    lab.begin_in(name)
    # Of one client a run without a terminal is no session that is offered by itself.
    (session,) = lab.transcripts() if name == "codex" else ("",)
    lab.onward("save", NAME, *(["--session", str(session)] if session else []))
    for other in [each for each in WORDS if each != name]:
        model = lab.models[other]
        count = len(model.of("main"))
        model.script(["Shall I go on?"])
        words = ["onward", "go", NAME, "--in", other]
        lab.windows.append(lab.tmux.start(words, lab.envs[other], lab.project))
        told = model.wait("main", count + 1).text
        assert "# Resume: " in told, other
        assert ASKED in told
        assert "seams.md" in told
        assert "ask whether to continue" in told


@pytest.mark.parametrize("name", WORDS)
def test_each_searches_the_session_that_its_agent_was_briefed_on(lab: EveryLab, name: str) -> None:
    other = "codex" if name == "claude" else "claude"
    lab.begin_in(other)
    before = ["--session", str(lab.transcripts()[0])] if other == "codex" else []
    lab.onward("save", NAME, *before)
    lab.install("--project" if name == "claude" else f"--{name}")
    told = lab.run_in(name, f"onward resume {NAME}", "onward search oakum").text
    _, _, found = told.partition("Searched session ")
    assert "only, which this session was briefed on" in found.partition("\n")[0]
    assert "oakum" in found.partition("\n")[2]
