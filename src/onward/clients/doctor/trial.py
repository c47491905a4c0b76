"""Install, doctor: the registered commands, run as they stand, in a throw-away project.

A command that is guarded well ends with 0 and says nothing however broken it is, so its exit
code proves nothing. What proves it is the work: a copy of a made-up transcript in the
throw-away project, and the lines that the next session is told.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec import Struct

from onward.clients.doctor.case import Case
from onward.clients.doctor.levels import Entry, Level

LIMIT = 60.0  # seconds that a command may take which names no timeout of its own
_CHILD = 5.0  # seconds that the detached child may take to prepare the hand-over
_QUIET = 5  # looks in a row that find the throw-away project gone
_ORDER = ("UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "SessionEnd", "SessionStart")
_LARGEST = 1 << 20  # bytes of a file that is taken along as one of the shims


class Run(Struct, frozen=True, kw_only=True):
    """One command and how it went. `exit_code` None: stopped at its time limit."""

    entry: Entry
    exit_code: int | None
    seconds: float
    stdout: str


class Probe(Struct, frozen=True, kw_only=True):
    """All commands of one registration, and what their work left behind."""

    level: Level
    runs: tuple[Run, ...]
    kept: bool
    """The transcript was copied whole."""
    told: bool
    """The next session was told of it."""
    prepared: float | None
    """Seconds until the hand-over was ready; None where it never was."""
    log: str
    """The last line that the hooks logged."""


def probe(case: Case, level: Level, entries: list[Entry], shell: str) -> Probe:
    """Run them all, in the order of a session's life. Raises OSError without a place for it."""
    with _stage(case) as stage:
        runs = []
        for event in _ORDER:
            runs += [_run(stage, entry, shell) for entry in entries if entry.event == event]
        kept = stage.kept()
        return Probe(
            level=level,
            runs=tuple(runs),
            kept=kept,
            told=any("SESSION_BACKUP_PENDING" in run.stdout for run in runs),
            prepared=stage.prepared() if kept else None,
            log=stage.log(),
        )


class _Stage:
    """The throw-away project, the folder of our own things beside it, and a made-up session."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.project, self.data = folder / "project", folder / "data"
        self.session = str(uuid4())
        self.transcript = folder / f"{self.session}.jsonl"
        self.started = time.monotonic()
        self._env = case.env
        self._folder = folder
        self.memory = self.project / ".claude" / "memory"
        self.memory.mkdir(parents=True)
        self.data.mkdir()
        repository(self.project / ".git")
        _take_along(case.claude / "hooks", self.project / ".claude" / "hooks")
        with suppress(FileNotFoundError):
            shutil.copyfile(case.data / "launcher", self.data / "launcher")
        self.transcript.write_text(_transcript(self.session, self.project), encoding="utf-8")

    def environment(self, level: Level) -> dict[str, str]:
        """As the client sets it; our own folder is another, so that nothing real is touched."""
        kept = {k: v for k, v in self._env.items() if not k.startswith(("ONWARD_", "GIT_"))}
        more = {
            "ONWARD_DATA": str(self.data),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_CODE_SESSION_ID": self.session,
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDECODE": "1",
            "CLAUDE_PID": str(os.getpid()),
            "GIT_CEILING_DIRECTORIES": str(self._folder),
        }
        if level.root is not None:
            more["CLAUDE_PLUGIN_ROOT"] = str(level.root)
        return kept | more

    def payload(self, event: str, matcher: str = "") -> Mapping[str, Any]:
        """What the client would say of a harmless moment."""
        session = str(uuid4()) if event == "SessionStart" else self.session
        common: dict[str, Any] = {
            "session_id": session,
            "transcript_path": str(self.transcript.with_name(f"{session}.jsonl")),
            "cwd": str(self.project),
            "hook_event_name": event,
        }
        own: dict[str, dict[str, Any]] = {
            "SessionStart": {"source": matcher or "startup"},
            "SessionEnd": {"reason": "other"},
            "PreCompact": {"trigger": "manual", "custom_instructions": ""},
            "UserPromptSubmit": {"prompt": "list the files"},
            "Stop": {"stop_hook_active": False, "last_assistant_message": "Done."},
            "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
        }
        return common | own.get(event, {})

    def kept(self) -> bool:
        """Whether a whole copy of the transcript lies where copies belong."""
        whole = self.transcript.read_bytes()
        return any(path.read_bytes() == whole for path in self.memory.glob("raw/*.jsonl"))

    def prepared(self) -> float | None:
        """Wait for the detached child; seconds since the stage was set."""
        ready = wait_prepared(self.data, self.session)
        return ready.stat().st_mtime - self.transcript.stat().st_mtime if ready else None

    def log(self) -> str:
        """The last line of either log."""
        for path in (self.data / "hooks.log", self.memory / ".backup-log"):
            with suppress(OSError):
                lines = path.read_text("utf-8", "replace").split("\n")
                if found := [line for line in lines if line.strip()]:
                    return found[-1]
        return ""


@contextmanager
def throw_away() -> Iterator[Path]:
    """A folder that is gone at the end, with what a detached child still writes into it."""
    folder = Path(tempfile.mkdtemp(prefix="onward-doctor-")).resolve()
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove it until nothing comes back: a detached child may still be writing its last file,
    and makes the folder of that anew.
    """
    until, quiet = time.monotonic() + _CHILD, 0
    while quiet < _QUIET and time.monotonic() < until:
        quiet = 0 if folder.exists() else quiet + 1
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.1)


@contextmanager
def _stage(case: Case) -> Iterator[_Stage]:
    with throw_away() as folder:
        yield _Stage(case, folder)


def wait_prepared(data: Path, session: str) -> Path | None:
    """What the detached child keeps of a session that ended, once it does; None for too long."""
    ready = data / "live" / session / "checkpoint.json"
    until = time.monotonic() + _CHILD
    while not ready.exists():
        if time.monotonic() > until:
            return None
        time.sleep(0.02)
    return ready


def _run(stage: _Stage, entry: Entry, shell: str) -> Run:
    began = time.monotonic()
    with subprocess.Popen(
        [shell, "-c", entry.command],
        cwd=stage.project,
        env=stage.environment(entry.level),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            given = json.dumps(stage.payload(entry.event, entry.matcher)).encode()
            said, _ = process.communicate(given, timeout=entry.timeout or LIMIT)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            _stop(process)
            said, code = b"", None
    seconds = time.monotonic() - began
    return Run(entry=entry, exit_code=code, seconds=seconds, stdout=said.decode(errors="replace"))


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a command with all that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def repository(folder: Path) -> None:
    """The least that git takes for a repository, so that no folder above is taken for ours."""
    for each in (folder / "objects", folder / "refs"):
        each.mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")


def _take_along(hooks: Path, into: Path) -> None:
    """The project's own shims: the command string looks for them in the project."""
    into.mkdir()
    for path in sorted(hooks.glob("*.sh")):
        with suppress(OSError):
            if path.is_file() and path.stat().st_size <= _LARGEST:
                shutil.copyfile(path, into / path.name)


def _transcript(session: str, project: Path) -> str:
    """A session in which a file was written, so that there is something to keep."""
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "Write"}
    call |= {"input": {"file_path": str(project / "probe.txt"), "content": "probe\n"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "File created"}
    said: list[tuple[str, Any]] = [
        ("user", "Write probe.txt and say when it is there"),
        ("assistant", [call]),
        ("user", [result]),
        ("assistant", [{"type": "text", "text": "probe.txt is there."}]),
    ]
    lines = []
    for number, (role, content) in enumerate(said, 1):
        record = {
            "type": role,
            "uuid": f"00000000-0000-4000-8000-{number:012}",
            "parentUuid": f"00000000-0000-4000-8000-{number - 1:012}" if number > 1 else None,
            "isSidechain": False,
            "sessionId": session,
            "cwd": str(project),
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "message": {"id": f"msg_{number}", "role": role, "content": content},
        }
        if content == [result]:
            record["toolUseResult"] = {"type": "create", "filePath": str(project / "probe.txt")}
        lines.append(json.dumps(record) + "\n")
    return "".join(lines)
