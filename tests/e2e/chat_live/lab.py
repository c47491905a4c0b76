"""End-to-end kit: a throw-away machine with opencode and Copilot CLI on it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.e2e.chat_live.model import Completions
from tests.e2e.kit.lab import Answered, Lab
from tests.e2e.kit.model import Call

import clients  # tools are no package; the conftest above finds them

NAMES = ("opencode", "copilot")
_WORDS = {
    "opencode": ("run",),
    "copilot": ("--allow-all-tools", "-p"),
}


class ChatLab(Lab):
    """As `Lab`, with two clients that share a scripted model."""

    def __init__(self) -> None:
        self.programs = {
            "opencode": clients.executable(clients.OPENCODE),
            "copilot": clients.executable(clients.COPILOT),
        }
        super().__init__(self.programs["opencode"])
        self.model.close()
        self.model = Completions()
        self.env = settle(self)
        for name in NAMES:
            self.install(f"--{name}")

    def ask(self, name: str, prompt: str, *words: str) -> Answered:
        """One run of a client without a terminal."""
        done = subprocess.run(
            [str(self.programs[name]), *words, *_WORDS[name], prompt],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        self.wait_quiet()
        return Answered(done.returncode, done.stdout, done.stderr, {"result": done.stdout})

    def told(self) -> str:
        """All that the model was told in its last request of a turn."""
        return self.requests()[-1].text


def write(name: str, path: Path, text: str) -> Call:
    """A tool call that makes a file."""
    if name == "opencode":
        return Call("write", {"filePath": str(path), "content": text})
    return Call("create", {"path": str(path), "file_text": text})


def run(command: str) -> Call:
    """A tool call of the shell."""
    return Call("bash", {"command": command, "description": "Run it"})


def settle(lab: Lab, port: int = 0) -> dict[str, str]:
    """Let both clients find the model behind `port` (that of the lab), and trust the project; the
    environment in which they do.
    """
    url = f"http://127.0.0.1:{port or lab.model.port}/v1"
    known = {"name": "m", "limit": {"context": 20_000, "output": 4000}, "tool_call": True}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": url, "apiKey": "x"},
        "models": {"mock-model": known},
    }
    config = {"model": "mock/mock-model", "autoupdate": False, "share": "disabled"}
    folder = lab.home / ".config/opencode"
    folder.mkdir(parents=True)
    text = json.dumps({**config, "provider": {"mock": provider}})
    (folder / "opencode.json").write_text(text)
    # Beside a project's plugins it installs a package of its own, and waits long for a network.
    (lab.home / ".npmrc").write_text("offline=true\nfetch-retries=0\n")
    (lab.home / ".copilot").mkdir()
    trusted = json.dumps({"trustedFolders": [str(lab.project)]})
    (lab.home / ".copilot/config.json").write_text(trusted)
    others = ("ANTHROPIC", "CLAUDE")
    return {name: value for name, value in lab.env.items() if not name.startswith(others)} | {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": url,
        "COPILOT_MODEL": "mock-model",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
    }
