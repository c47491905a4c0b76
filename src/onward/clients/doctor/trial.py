"""The registered commands, run as they stand, in a throw-away project.

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
from itertools import groupby, product
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec import Struct

from onward import regular
from onward.clients import claude_code, files
from onward.clients.claude_code import HOOKS, Registration
from onward.clients.doctor.findings import Case, Finding, broken, ok, some, warning
from onward.clients.doctor.registration import Entry, Level, entries, levels
from onward.storage.reading import LARGEST

PENDING = "SESSION_BACKUP_PENDING"
_LIMIT = 60.0  # seconds that a command may take which names no timeout of its own
_CHILD = 5.0  # seconds that the detached child may take to prepare the hand-over
_QUIET = 5  # looks in a row that find the throw-away project gone
_ORDER = ("UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "SessionEnd", "SessionStart")
_LOUD = {"SessionStart", "PreCompact"}  # the events whose output the client is meant to use
_LARGEST = 1 << 20  # bytes of a file that is taken along as one of the shims
_RUN = "run"
_OF_A_REPOSITORY = {"project", "local"}
_WRITTEN: tuple[Registration, ...] = ("project", "user")


class Run(Struct, frozen=True, kw_only=True):
    """One command and how it went. `exit_code` None: stopped at its time limit."""

    exit_code: int | None
    seconds: float
    stdout: str


class Stage:
    """A throw-away project in a repository of its own, our own folder beside it, and the
    environment that leads to both, so that nothing real is touched.
    """

    def __init__(self, case: Case, folder: Path) -> None:
        self.folder, self.project, self.data = folder, folder / "project", folder / "data"
        self.data.mkdir()
        # The least that git takes for a repository, so that no folder above is taken for it.
        for name in ("objects", "refs"):
            (self.project / ".git" / name).mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        with suppress(FileNotFoundError):
            shutil.copyfile(case.data / files.LAUNCHER, self.data / files.LAUNCHER)
        kept = {k: v for k, v in case.env.items() if not k.startswith(("ONWARD_", "GIT_"))}
        self.env = kept | {
            "ONWARD_DATA": str(self.data),
            "GIT_CEILING_DIRECTORIES": str(folder),
        }

    def run(self, words: list[str], payload: object, limit: float, env: Mapping[str, str]) -> Run:
        """One command, with all that it started ended at its limit."""
        began = time.monotonic()
        with subprocess.Popen(
            words,
            cwd=self.project,
            env={**self.env, **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(json.dumps(payload).encode(), timeout=limit)
                code: int | None = process.returncode
            except subprocess.TimeoutExpired:
                with suppress(OSError):
                    if hasattr(os, "killpg"):
                        os.killpg(process.pid, signal.SIGKILL)
                process.kill()
                said, code = b"", None
        seconds = time.monotonic() - began
        return Run(exit_code=code, seconds=seconds, stdout=said.decode(errors="replace"))

    def is_prepared(self, session: str) -> bool:
        """Wait for what the detached child keeps of a session that ended; False for too long."""
        ready = self.data / "live" / session / "checkpoint.json"
        until = time.monotonic() + _CHILD
        while not ready.exists():
            if time.monotonic() > until:
                return False
            time.sleep(0.02)
        return True

    def log(self) -> str:
        """The last line of either log, as a report has it behind it; "" for none."""
        for path in (self.data / "hooks.log", self.project / ".claude/memory/.backup-log"):
            with suppress(OSError):
                lines = regular.head(path, LARGEST).decode("utf-8", "replace").split("\n")
                if found := [line for line in lines if line.strip()]:
                    return f"; the log says: {found[-1]}"
        return ""


@contextmanager
def throw_away(case: Case) -> Iterator[Stage]:
    """A stage that is gone at the end, with what a detached child still writes into it, which
    makes its folder anew: removed until nothing comes back. Raises OSError without a place for it.
    """
    folder = Path(tempfile.mkdtemp(prefix="onward-doctor-")).resolve()
    try:
        yield Stage(case, folder)
    finally:
        until, quiet = time.monotonic() + _CHILD, 0
        while quiet < _QUIET and time.monotonic() < until:
            quiet = 0 if folder.exists() else quiet + 1
            shutil.rmtree(folder, ignore_errors=True)
            time.sleep(0.1)


def no_room(subject: str, error: OSError) -> Finding:
    """That there is no place for a stage."""
    reason = error.strerror or type(error).__name__
    why = "the hooks could not be tried"
    return warning(subject, f"no throw-away project: {reason}", why, "look at TMPDIR")


def commands(case: Case) -> Iterator[Finding]:
    """Each registration by itself: its commands' ends, their time, and their work."""
    shell = "/bin/sh" if os.name != "nt" else shutil.which("sh") or ""
    found = entries(levels(case))
    if not shell and not all(each.args for each in found):
        yield warning(_RUN, "there is no sh here", "the hooks could not be tried", "install git")
        found = [each for each in found if each.args]
    for level, group in groupby(found, lambda entry: entry.level):
        ours = list(group)
        if strange := _strange(case, level, ours):
            why = "they may have come with the repository, and the client was never told to trust this folder"
            text = f"not as onward wrote them, so not run: {some(strange, 3)}"
            advice = "read them; if they are good, start claude here and trust the folder, then: onward doctor"
            yield warning(_RUN, text, why, advice)
            continue
        try:
            yield from _tried(case, level, ours, shell)
        except OSError as error:
            yield no_room(_RUN, error)
            return


def _program(case: Case, command: str) -> str:
    """The path of a program that a client starts without a shell, "" where there is none. One in
    the current folder, where Windows looks first, may have come with the repository.
    """
    found = shutil.which(command, path=case.env.get("PATH", os.defpath)) or ""
    return found if Path(found).is_absolute() else ""


def _strange(case: Case, level: Level, entries: list[Entry]) -> list[str]:
    """What is not as we wrote it, of the commands of a level and the shims that they call: a
    repository may have brought it. None where the user trusts the folder: then the client runs
    it all.
    """
    if level.name not in _OF_A_REPOSITORY or case.here.is_trusted(case.env):
        return []
    forms = {claude_code.call(hook) for hook in HOOKS}
    for hook, how in product(HOOKS, _WRITTEN):
        older = claude_code.older(hook, how)
        forms |= {(form,) for form in (claude_code.command(hook, how), *older)}
    where = case.shown(level.path)
    strange = [
        f"{each.name} in {where}" for each in entries if (each.command, *each.args) not in forms
    ]
    for name, data in files.shipped("hooks").items():
        path = case.claude / name
        if path.is_file() and files.digest(regular.head(path, LARGEST)) != files.digest(data):
            strange.append(case.shown(path))
    return strange


def _tried(case: Case, level: Level, entries: list[Entry], shell: str) -> Iterator[Finding]:
    """Run them all, in the order of a session's life."""
    direct = {each.command: _program(case, each.command) for each in entries if each.args}
    if lost := [command for command, path in direct.items() if not path]:
        text = f"there is no `{lost[0]}`, which the hooks in {case.shown(level.path)} start"
        advice = "put the folder of onward on the PATH, then start the client anew"
        yield broken(_RUN, text, "nothing is captured and nothing is told", advice)
        return
    with throw_away(case) as stage:
        session = str(uuid4())
        transcript = stage.folder / f"{session}.jsonl"
        transcript.write_text(_transcript(session, stage.project), encoding="utf-8")
        _take_along(case.claude / "hooks", stage.project / ".claude" / "hooks")
        (stage.project / ".claude" / "memory").mkdir()
        env = {
            "CLAUDE_PROJECT_DIR": str(stage.project),
            "CLAUDE_CODE_SESSION_ID": session,
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDECODE": "1",
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_PLUGIN_ROOT": str(level.root or ""),
        }
        runs: list[tuple[Entry, Run]] = []
        for event in _ORDER:
            for entry in (each for each in entries if each.event == event):
                payload = _payload(stage, transcript, event, entry.matcher)
                words = [shell, "-c", entry.command]
                if entry.args:
                    words = [direct[entry.command], *entry.args]
                runs.append((entry, stage.run(words, payload, entry.timeout or _LIMIT, env)))
        faults = [*_ends(runs), *_work(case, level, stage, runs, transcript)]
    times = ", ".join(f"{entry.name} {run.seconds * 1000:.0f} ms" for entry, run in runs)
    yield from faults or [ok(_RUN, f"{case.shown(level.path)}: {times}")]


def _ends(runs: list[tuple[Entry, Run]]) -> Iterator[Finding]:
    for entry, run in runs:
        if run.exit_code is None:
            yield broken(
                _RUN,
                f"the command of {entry.event} was still running after {entry.timeout or _LIMIT:g} s",
                "the client waits so long each time, then throws its answer away",
                "onward doctor --fix",
                "launcher",
            )
        elif run.exit_code:
            yield broken(
                _RUN,
                f"the command of {entry.event} ended with status {run.exit_code}",
                "status 2 blocks the user's prompts, any other discards what we say",
                "onward install",
                "files",
            )
        elif run.stdout.strip() and entry.event not in _LOUD:
            yield broken(
                _RUN,
                f"the command of {entry.event} printed {len(run.stdout)} characters with nothing to say",
                "the model reads them as if they belonged to the work",
                "onward install",
                "files",
            )


def _work(
    case: Case, level: Level, stage: Stage, runs: list[tuple[Entry, Run]], transcript: Path
) -> Iterator[Finding]:
    """Whether the work was done that a session's end and the next one's beginning are there for."""
    tried = {entry.event for entry, _ in runs}
    where, whole = case.shown(level.path), transcript.read_bytes()
    copies = (stage.project / ".claude/memory/raw").glob("*.jsonl")
    if not any(path.read_bytes() == whole for path in copies):
        if tried & {"SessionEnd", "PreCompact"}:
            yield broken(
                _RUN,
                f"the commands in {where} kept no copy of a transcript{stage.log()}",
                "they end well and do nothing: sessions are not captured",
                "onward doctor --fix",
                "launcher",
            )
        return
    if "SessionStart" in tried and not any(PENDING in run.stdout for _, run in runs):
        yield broken(
            _RUN,
            f"the command of SessionStart in {where} did not tell of the kept copy{stage.log()}",
            "the next session does not know that there is something to resume",
            "onward install; if that does not help, report what the log says",
            "files",
        )
    if not stage.is_prepared(transcript.stem):
        yield warning(
            _RUN,
            f"no hand-over was prepared after a session's end{stage.log()}",
            "the next session is told that there is a backup, and not what it was about",
            "onward doctor --fix",
            "launcher",
        )


def _take_along(hooks: Path, into: Path) -> None:
    """The project's own shims: the command string looks for them in the project."""
    into.mkdir(parents=True)
    for path in sorted(hooks.glob("*.sh")):
        with suppress(OSError):
            if path.is_file() and path.stat().st_size <= _LARGEST:
                shutil.copyfile(path, into / path.name)


def _payload(stage: Stage, transcript: Path, event: str, matcher: str) -> Mapping[str, Any]:
    """What the client would say of a harmless moment."""
    session = str(uuid4()) if event == "SessionStart" else transcript.stem
    own: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": matcher or "startup"},
        "SessionEnd": {"reason": "other"},
        "PreCompact": {"trigger": "manual", "custom_instructions": ""},
        "UserPromptSubmit": {"prompt": "list the files"},
        "Stop": {"stop_hook_active": False, "last_assistant_message": "Done."},
        "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
    }
    return {
        "session_id": session,
        "transcript_path": str(transcript.with_name(f"{session}.jsonl")),
        "cwd": str(stage.project),
        "hook_event_name": event,
        **own[event],
    }


def _transcript(session: str, project: Path) -> str:
    """A session in which a file was written, so that there is something to keep."""
    path = str(project / "probe.txt")
    call: dict[str, Any] = {"type": "tool_use", "id": "toolu_1", "name": "Write"}
    call |= {"input": {"file_path": path, "content": "probe\n"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "File created"}
    said: list[tuple[str, Any, dict[str, Any]]] = [
        ("user", "Write probe.txt and say when it is there", {}),
        ("assistant", [call], {}),
        ("user", [result], {"toolUseResult": {"type": "create", "filePath": path}}),
        ("assistant", [{"type": "text", "text": "probe.txt is there."}], {}),
    ]
    records = [
        {
            "type": role,
            "uuid": f"00000000-0000-4000-8000-{number:012}",
            "parentUuid": f"00000000-0000-4000-8000-{number - 1:012}" if number > 1 else None,
            "isSidechain": False,
            "sessionId": session,
            "cwd": str(project),
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime()),
            "message": {"id": f"msg_{number}", "role": role, "content": content},
            **more,
        }
        for number, (role, content, more) in enumerate(said, 1)
    ]
    return "".join(json.dumps(record) + "\n" for record in records)
