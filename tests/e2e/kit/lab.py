"""End-to-end kit: one throw-away machine: a home, a project, a scripted model, a real client."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from tests.e2e.kit import home
from tests.e2e.kit.model import Model, Request
from tests.e2e.kit.processes import Process, kill, processes_of
from tests.e2e.kit.terminal import PROMPT, Tmux, Window, until

MEMORY = Path(".claude", "memory")
_LEAVING = 20.0  # seconds that hooks, their children and sleepers have after the last client's end


class Answered(NamedTuple):
    """What one headless run gave. `data` is the client's result record, {} where there is none."""

    code: int
    out: str
    err: str
    data: dict[str, Any]

    @property
    def text(self) -> str:
        """The agent's last words."""
        return str(self.data.get("result") or "")


class Lab:
    """A throw-away machine. `client` is the program; `project` where sessions begin, a git
    repository with one commit. `env` is the whole environment of whatever runs in it.
    """

    def __init__(self, client: Path) -> None:
        self.client = client
        self.top = Path(tempfile.mkdtemp(prefix="onward-e2e-")).resolve()
        self.home = self.top / "home" / "ada"
        self.config = self.home / ".claude"
        self.data = self.home / ".local" / "share" / "onward"
        self.project = self.home / "keel"
        self.model = Model()
        self.env = home.environment(self.home, self.model.port)
        self.env |= {"ONWARD_DATA": str(self.data), "TMPDIR": str(self.top / "tmp")}
        self.windows: list[Window] = []
        (self.top / "tmp").mkdir()
        home.settle(self.home, [self.project])
        (self.home / ".local/bin/onward").symlink_to(Path(sys.executable).with_name("onward"))
        self.tmux = Tmux(self.top / "tmux", self.env)
        self.folder("keel")

    # ------------------------------------------------------------------ places

    def folder(self, name: str, *, git: bool = True) -> Path:
        """Make a folder below the home and let sessions begin there; as a repository with one
        commit, or plain.
        """
        self._here(self.home / name)
        if git:
            self.git("init", "--quiet")
            self.write("README.md", f"# {self.project.name}\n")
            self.git("add", "--all")
            self.git("commit", "--quiet", "-m", "Begin")
        return self.project

    def worktree(self, name: str) -> Path:
        """Add a linked work tree of the project and let sessions begin there."""
        self.git("worktree", "add", "--quiet", "-b", name, str(self.home / name))
        return self._here(self.home / name)

    def link(self, name: str) -> Path:
        """Make a symbolic link to the project and let sessions begin through it."""
        (self.home / name).symlink_to(self.project, target_is_directory=True)
        return self._here(self.home / name)

    def _here(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        self.trust(folder)
        self.project = folder
        return folder

    def trust(self, folder: Path) -> None:
        """Answer the client's question whether this folder is trusted."""
        state = self.home / ".claude.json"
        known = json.loads(state.read_text())
        accepted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        known.setdefault("projects", {})[str(folder.resolve())] = accepted
        state.write_text(json.dumps(known))

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def git(self, *words: str) -> str:
        """Run git in the project; its output."""
        return self._run("git", *words)

    # ------------------------------------------------------------------- onward

    def onward(self, *words: str, stdin: str = "", code: int = 0, errors: bool = False) -> str:
        """Run the program under test in the project; its standard output, and with `errors` its
        standard error behind it. Fails on another exit code than `code`, with all that it said.
        """
        return self._run("onward", *words, stdin=stdin, code=code, errors=errors)

    def install(self, *words: str) -> str:
        """`onward install`: `--project` or `--user`."""
        return self.onward("install", *words)

    # ------------------------------------------------------------------- client

    def headless(
        self,
        prompt: str,
        *words: str,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        limit: float = 90,
    ) -> Answered:
        """One run of the client without a terminal (`-p`)."""
        command = [str(self.client), "-p", "--output-format", "json", *words, prompt]
        done = subprocess.run(
            command,
            cwd=cwd or self.project,
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
        try:
            data = json.loads(done.stdout)
        except ValueError:
            data = {}
        return Answered(done.returncode, done.stdout, done.stderr, data)

    def terminal(
        self, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> Window:
        """The client in a terminal window, ready for the user's words."""
        command = [str(self.client), *words]
        window = self.tmux.start(command, {**self.env, **(env or {})}, cwd or self.project)
        self.windows.append(window)
        window.wait(PROMPT)
        window.still()
        return window

    def transcripts(self) -> list[Path]:
        """The client's own files of all main threads, the last written last."""
        found = (self.config / "projects").glob("*/*.jsonl")
        return sorted(found, key=lambda path: path.stat().st_mtime_ns)

    def wait_written(self, words: str, limit: float = 20) -> Path:
        """The transcript that holds these words in its conversation, once it does: the client
        writes late.
        """

        def found() -> Path | None:
            return next((p for p in self.transcripts() if words in conversation(p)), None)

        return until(found, lambda: f"{words!r} in {self.transcripts()}", limit)

    def wait_file(self, name: str, limit: float = 20) -> None:
        """Until there is such a file in the project."""
        until((self.project / name).exists, lambda: f"no file {name}", limit)

    def requests(self, kind: str = "main") -> list[Request]:
        """What the client sent to the model."""
        return self.model.of(kind)

    # --------------------------------------------------------------- what we wrote

    def memory(self, name: str = "", project: Path | None = None) -> Path:
        """A file of `.claude/memory`."""
        return (project or self.project) / MEMORY / name

    def pending(self, project: Path | None = None) -> list[Path]:
        """The backups that the marker names, the newest first."""
        marker = self.memory(".pending-backup", project)
        lines = marker.read_text("utf-8").splitlines() if marker.exists() else []
        return [(project or self.project) / line for line in lines]

    def raws(self, project: Path | None = None) -> list[Path]:
        """The copies in `raw/`, in the order of their names."""
        return sorted(self.memory("raw", project).glob("*.jsonl"))

    def log(self) -> str:
        """What the hooks logged on this machine and in the project."""
        logs = (self.data / "hooks.log", self.memory(".backup-log"))
        return "".join(path.read_text("utf-8") for path in logs if path.exists())

    # ---------------------------------------------------------------------- end

    def processes(self) -> list[Process]:
        """All that runs in this lab: tmux, clients, hooks, their children and sleepers."""
        return processes_of(self.top)

    def wait_quiet(self, limit: float = _LEAVING) -> None:
        """Until no hook and no child of one works any more. Clients, windows and whoever sleeps
        beside a session stay.
        """
        clients = {window.pid for window in self.windows}

        def working() -> list[Process]:
            return [
                each
                for each in self.processes()
                if each.pid not in clients
                and not each.line.startswith(("tmux ", "sleep "))
                and "idle.sh" not in each.line
            ]

        until(lambda: not working(), lambda: f"hooks to end: {working()}", limit)

    def close(self, limit: float = _LEAVING) -> list[Process]:
        """End all and remove all; returns what did not end by itself within `limit` seconds of
        its terminal's closing.
        """
        self.tmux("kill-server")
        with suppress(TimeoutError):
            until(lambda: not self.processes(), lambda: "", limit)
        left = self.processes()
        kill(left)
        self.model.close()
        if not os.environ.get("ONWARD_E2E_KEEP"):
            shutil.rmtree(self.top, ignore_errors=True)
        return left

    def report(self) -> str:
        """What a user needs to see why a test failed."""
        parts = [f"folder: {self.top} (ONWARD_E2E_KEEP=1 keeps it)"]
        parts += [f"--- screen of {w.pid}\n{w.screen.rstrip()}" for w in self.windows]
        parts.append("--- requests: " + " ".join(request.kind for request in self.model.requests))
        parts.append(f"--- pending: {[path.name for path in self.pending()]}")
        parts.append(f"--- raw: {[path.name for path in self.raws()]}")
        parts.append(f"--- log\n{self.log()}")
        parts.append("--- running\n" + "\n".join(f"{p.pid} {p.line}" for p in self.processes()))
        return "\n".join(parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _run(self, *words: str, stdin: str = "", code: int = 0, errors: bool = False) -> str:
        done = subprocess.run(
            words,
            cwd=self.project,
            env=self.env,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        said = f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        assert done.returncode == code, said
        return done.stdout + done.stderr if errors else done.stdout


def records(data: bytes) -> list[dict[str, Any]]:
    """The complete records of a transcript's bytes."""
    return [json.loads(line) for line in data.splitlines() if line.endswith(b"}")]


def conversation(transcript: Path | bytes) -> str:
    """What the user, the agent and the tools said, as JSON lines."""
    data = transcript if isinstance(transcript, bytes) else transcript.read_bytes()
    said = (each for each in records(data) if each.get("type") in {"user", "assistant"})
    return "\n".join(json.dumps(each.get("message"), ensure_ascii=False) for each in said)
