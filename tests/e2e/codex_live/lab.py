"""End-to-end kit, Codex: a throw-away machine with that client on it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.codex_live.model import Responses
from tests.e2e.kit.lab import Answered, Lab
from tests.e2e.kit.processes import Process, kill
from tests.e2e.kit.terminal import Window, until

import clients  # tools are no package; the conftest above finds them

_CONFIG = """model = "gpt-5.5"
model_provider = "loopback"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.loopback]
name = "loopback"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""
_UPDATES = "daemon pid-update-loop"  # what looks for its updates stays (measured)
_LEAVING = 20.0  # seconds, as in `Lab`
READY = "for agents"  # at first the line that takes words is only painted


class CodexLab(Lab):
    """As `Lab`, with Codex as the client: `config` is its folder. The model is one of its
    catalogue, which brings the tools that edit. `other` is the scripted model of Claude Code,
    which `claude` runs on the same machine.
    """

    def __init__(self, client: Path) -> None:
        super().__init__(client)
        self.other, self.other_env = self.model, self.env
        self.model = Responses()
        self.config = self.home / ".codex"
        self.env = {k: v for k, v in self.env.items() if not k.startswith(("ANTHROPIC", "CLAUDE"))}
        self.config.mkdir()
        # Its tools run in a login shell, whose profile sets PATH anew.
        (self.home / ".profile").write_text('PATH="$HOME/.local/bin:$PATH"\n')
        config = _CONFIG.format(port=self.model.port)
        (self.config / "config.toml").write_text(config)
        self.trust(self.project)

    def trust(self, folder: Path) -> None:
        """Answer the question of both clients whether this folder is trusted."""
        super().trust(folder)
        if (self.config / "config.toml").exists():
            self.configure(f'[projects."{folder.resolve()}"]\ntrust_level = "trusted"\n')

    def hooks(self) -> list[dict[str, Any]]:
        """The hooks that the client itself knows in the project, each with what it thinks of it."""
        params: dict[str, Any] = {"clientInfo": {"name": "kit", "version": "1"}}
        asked = (
            {"id": 1, "method": "initialize", "params": params},
            {"method": "initialized"},
            {"id": 2, "method": "hooks/list", "params": {"cwds": [str(self.project)]}},
        )
        server = subprocess.Popen(
            [str(self.client), "app-server"],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with server:
            assert server.stdin
            assert server.stdout
            server.stdin.write("".join(f"{json.dumps(each)}\n" for each in asked))
            server.stdin.flush()
            told = (json.loads(line) for line in server.stdout)
            answer = next(each for each in told if each.get("id") == 2)
        return list(answer["result"]["data"][0]["hooks"])

    def trust_hooks(self) -> None:
        """Trust every hook that is known now, as the user does with /hooks."""
        for hook in self.hooks():
            key, known = json.dumps(hook["key"]), hook["currentHash"]
            self.configure(f'[hooks.state.{key}]\ntrusted_hash = "{known}"\n')

    def live(self, *words: str) -> None:
        """`onward install --codex`, and its hooks trusted."""
        self.install("--codex", *words)
        self.trust_hooks()

    def headless(
        self,
        prompt: str,
        *words: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        limit: float = 90,
    ) -> Answered:
        """One run of `codex exec`; `words` come before the prompt (`resume`, `--last`)."""
        done = subprocess.run(
            [str(self.client), "exec", *words, prompt],
            cwd=cwd or self.project,
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
        return Answered(done.returncode, done.stdout, done.stderr, {"result": done.stdout})

    def claude(self, prompt: str, *words: str) -> Answered:
        """One run of Claude Code in the same project."""
        program = clients.executable(clients.VERSIONS[0])
        done = subprocess.run(
            [str(program), "-p", "--dangerously-skip-permissions", *words, prompt],
            cwd=self.project,
            env=self.other_env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        return Answered(done.returncode, done.stdout, done.stderr, {"result": done.stdout})

    def begin(self, prompt: str) -> subprocess.Popen[bytes]:
        """Start `codex exec` and do not wait for it."""
        return subprocess.Popen(
            [str(self.client), "exec", prompt],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def terminal(
        self, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Window:
        """The client in a terminal window, ready for the user's words."""
        command = [str(self.client), *words]
        window = self.tmux.start(command, {**self.env, **(env or {})}, cwd or self.project)
        self.windows.append(window)
        window.wait(READY)
        window.still()
        return window

    def transcripts(self) -> list[Path]:
        """The client's own files, the last written last."""
        found = (self.config / "sessions").rglob("rollout-*.jsonl")
        return sorted(found, key=lambda path: path.stat().st_mtime_ns)

    def wait_written(self, words: str, limit: float = 20) -> Path:
        """The transcript that holds these words, once it does."""
        quoted = json.dumps(words)[1:-1].encode()

        def found() -> Path | None:
            return next((p for p in self.transcripts() if quoted in p.read_bytes()), None)

        return until(found, lambda: f"{words!r} in {self.transcripts()}", limit)

    def close(self, limit: float = _LEAVING) -> list[Process]:
        """As `Lab.close`; the server that the client keeps for its windows is stopped first."""
        self.tmux("kill-server")
        if (self.config / "packages").exists():
            stop = [str(self.client), "app-server", "daemon", "stop"]
            subprocess.run(stop, env=self.env, capture_output=True, timeout=60, check=False)
            kill([each for each in self.processes() if each.line.endswith(_UPDATES)])
        self.other.close()
        return super().close(limit)

    def configure(self, text: str) -> None:
        """Add to the settings of the client."""
        with (self.config / "config.toml").open("a") as file:
            file.write(text)
