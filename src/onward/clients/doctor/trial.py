"""The registered commands, run as they stand, in a throw-away project; and of the other clients
whether our files are there, are taken, and are called.

A command that is guarded well ends with 0 and says nothing however broken it is. What proves it is the
work: a copy of a made-up transcript, and the lines that the next session is told.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from msgspec.structs import replace

from onward import regular
from onward.clients import files
from onward.clients.doctor import Case, Finding, Fix, broken, ok, pieces, some, warning
from onward.clients.registry import DEFAULT, OTHERS
from onward.clients.settings import Hook
from onward.clients.target import Level, Target
from onward.documents.times import age
from onward.errors import OnwardError
from onward.storage import live, sessions
from onward.storage.reading import LARGEST

_PENDING = "SESSION_BACKUP_PENDING"
_CHILD = 5.0  # seconds that the detached child may take to prepare the hand-over
_QUIET = 5  # looks in a row that find the throw-away project gone
_ORDER = ("UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "SessionEnd", "SessionStart")
_LOUD = {"SessionStart", "PreCompact"}  # the events whose output the client is meant to use
_LARGEST = 1 << 20  # bytes of a file that is taken along as one of the shims
_RUN = "run"
_LIMIT = 30.0  # seconds for a command of another client; each has a limit of its own there


class Run(NamedTuple):
    """One command and how it went. `exit_code` None: stopped at its time limit."""

    hook: Hook
    exit_code: int | None
    seconds: float
    stdout: str


class Trial(NamedTuple):
    """One registration to be tried; `root` is the folder of a plugin."""

    subject: str
    where: str
    commands: list[tuple[Hook, list[str]]]
    client: type[Target]
    install: str
    fix: Fix = ""
    root: Path | None = None


class Stage:
    """A throw-away project in a repository of its own, its environment, and a session in it."""

    def __init__(self, case: Case, trial: Trial, folder: Path) -> None:
        self.project, self.data, self.session = folder / "project", folder / "data", str(uuid4())
        self.data.mkdir()
        # The least that git takes for a repository, so that no folder above is taken for it.
        for name in ("objects", "refs"):
            (self.project / ".git" / name).mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        with suppress(FileNotFoundError):
            shutil.copyfile(case.data / files.LAUNCHER, self.data / files.LAUNCHER)
        name = f"{trial.client.FOLDER}/hooks"
        shims = self.project / name  # the project's own: the commands look for them there
        shims.mkdir(parents=True)
        for path in (case.project.root / name).glob("*.sh"):
            with suppress(OSError):
                if path.is_file() and path.stat().st_size <= _LARGEST:
                    shutil.copyfile(path, shims / path.name)
        text = trial.client.PROBE.read_text(encoding="utf-8")
        now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        for word, own in (("SESSION", self.session), ("PROJECT", str(self.project)), ("NOW", now)):
            text = text.replace(word, json.dumps(own)[1:-1])
        self.transcript = folder / trial.client.PROBE.name.replace("SESSION", self.session)
        self.transcript.write_text(text, encoding="utf-8")
        kept = {k: v for k, v in case.env.items() if not k.startswith(("ONWARD_", "GIT_"))}
        self.env = kept | {
            "ONWARD_DATA": str(self.data),
            "GIT_CEILING_DIRECTORIES": str(folder),
            **case.here.told(self.project, self.session, trial.root),
        }

    def run(self, hook: Hook, words: list[str]) -> Run:
        """Its command in a harmless moment; all that it started ends at its limit."""
        own: dict[str, dict[str, Any]] = {
            "SessionStart": {"source": hook.matcher or "startup"},
            "SessionEnd": {"reason": "other"},
            "PreCompact": {"trigger": "manual", "custom_instructions": ""},
            "UserPromptSubmit": {"prompt": "list the files"},
            "Stop": {"stop_hook_active": False, "last_assistant_message": "Done."},
            "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
        }
        meant = str(uuid4()) if hook.event == "SessionStart" else self.session
        transcript = str(self.transcript).replace(self.session, meant)
        payload = {"session_id": meant, "transcript_path": transcript, "cwd": str(self.project)}
        payload |= {"hook_event_name": hook.event, **own[hook.event]}
        began = time.monotonic()
        with subprocess.Popen(
            words, cwd=self.project, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                said, _ = process.communicate(json.dumps(payload).encode(), timeout=hook.timeout)
                code: int | None = process.returncode
            except subprocess.TimeoutExpired:
                with suppress(OSError):
                    if hasattr(os, "killpg"):
                        os.killpg(process.pid, signal.SIGKILL)
                process.kill()
                said, code = b"", None
        return Run(hook, code, time.monotonic() - began, said.decode(errors="replace"))

    def log(self) -> str:
        """The last line of either log, as a report has it behind it; "" for none."""
        for path in (self.data / "hooks.log", self.project / ".claude/memory/.backup-log"):
            with suppress(OSError):
                lines = regular.head(path, LARGEST).decode("utf-8", "replace").split("\n")
                if found := [line for line in lines if line.strip()]:
                    return f"; the log says: {found[-1]}"
        return ""


@contextmanager
def throw_away() -> Iterator[Path]:
    """A folder that is gone at the end, whatever a detached child still writes. Raises OSError."""
    folder = Path(tempfile.mkdtemp(prefix="onward-doctor-")).resolve()
    try:
        yield folder
    finally:
        until, quiet = time.monotonic() + _CHILD, 0
        while quiet < _QUIET and time.monotonic() < until:
            quiet = 0 if folder.exists() else quiet + 1
            shutil.rmtree(folder, ignore_errors=True)
            time.sleep(0.1)


def try_out(case: Case, trial: Trial) -> list[Finding]:
    """Run all commands of a registration, in the order of a session's life. Raises OSError."""
    with throw_away() as folder:
        stage = Stage(case, trial, folder)
        ordered = sorted(trial.commands, key=lambda each: _ORDER.index(each[0].event))
        runs = [stage.run(hook, words) for hook, words in ordered]
        faults = [*_ends(trial, runs), *_work(trial, stage, runs)]
    times = ", ".join(f"{run.hook.name} {run.seconds * 1000:.0f} ms" for run in runs)
    text = f"run: {times}" if trial.subject != _RUN else f"{trial.where}: {times}"
    return faults or [ok(trial.subject, text)]


def _ends(trial: Trial, runs: list[Run]) -> Iterator[Finding]:
    for run in runs:
        event = run.hook.event
        of = f"the command of {event}"
        if run.exit_code is None:
            text = f"{of} was still running after {run.hook.timeout:g} s"
            why = "the client waits so long each time, then throws its answer away"
            yield broken(trial.subject, text, why, "onward doctor --fix", "launcher")
        elif run.exit_code:
            text = f"{of} ended with status {run.exit_code}"
            why = "status 2 blocks the user's prompts, any other discards what we say"
            yield broken(trial.subject, text, why, trial.install, trial.fix)
        elif run.stdout.strip() and event not in _LOUD:
            text = f"{of} printed {len(run.stdout)} characters with nothing to say"
            why = "the model reads them as if they belonged to the work"
            yield broken(trial.subject, text, why, trial.install, trial.fix)


def _work(trial: Trial, stage: Stage, runs: list[Run]) -> Iterator[Finding]:
    """Whether the work was done that a session's end and the next one's beginning are there for."""
    tried = {run.hook.event for run in runs}
    whole = stage.transcript.read_bytes()
    copies = (stage.project / ".claude/memory/raw").glob("*.jsonl")
    if not any(path.read_bytes() == whole for path in copies):
        if tried & {"SessionEnd", "PreCompact"}:
            text = f"the commands in {trial.where} kept no copy of a transcript{stage.log()}"
            why = "they end well and do nothing: sessions are not captured"
            yield broken(trial.subject, text, why, "onward doctor --fix", "launcher")
        return
    if "SessionStart" in tried and not any(_PENDING in run.stdout for run in runs):
        text = f"SessionStart in {trial.where} did not tell of the kept copy{stage.log()}"
        why = "the next session does not know that there is something to resume"
        advice = f"{trial.install}; if that does not help, report what the log says"
        yield broken(trial.subject, text, why, advice, trial.fix)
    ready = stage.data / "live" / stage.session / "checkpoint.json"  # which a detached child writes
    until = time.monotonic() + _CHILD
    while not ready.exists() and time.monotonic() < until:
        time.sleep(0.02)
    if not ready.exists():
        text = f"no hand-over was prepared after a session's end{stage.log()}"
        why = "the next session is told that there is a backup, and not what it was about"
        yield warning(trial.subject, text, why, "onward doctor --fix", "launcher")


# ------------------------------------------------------------------------ the first client


def commands(case: Case) -> Iterator[Finding]:
    """Each registration by itself: its commands' ends, their time, and their work."""
    for level in case.levels():
        if strange := _strange(case, level):
            text = f"not as onward wrote them, so not run: {some(strange, 3)}"
            why = "they may have come with the repository, which the client was never told to trust"
            advice = (
                "read them; if they are good, trust the folder in the client, then: onward doctor"
            )
            yield warning(_RUN, text, why, advice)
            continue
        where = case.shown(level.path)
        commands = [(hook, _words(case, hook)) for hook in level.hooks]
        if lost := [hook for hook, words in commands if not words]:
            name = lost[0].command if lost[0].args else "sh"
            text = f"there is no `{name}`, which the hooks in {where} start"
            advice = "put the folder of onward on the PATH, then start the client anew"
            yield broken(_RUN, text, "nothing is captured and nothing is told", advice)
        elif level.hooks:
            trial = Trial(_RUN, where, commands, DEFAULT, "onward install", "files", level.root)
            yield from try_out(case, trial)


def _words(case: Case, hook: Hook) -> list[str]:
    """What starts a hook, of one with arguments without a shell; nothing where that is not there."""
    if not hook.args:
        shell = "/bin/sh" if os.name != "nt" else shutil.which("sh")
        return [shell, "-c", hook.command] if shell else []
    found = shutil.which(hook.command, path=case.env.get("PATH", os.defpath)) or ""
    # One in the current folder, where Windows looks first, may have come with the repository.
    return [found, *hook.args] if Path(found).is_absolute() else []


def _strange(case: Case, level: Level) -> list[str]:
    """What of a level's commands and shims is not as we wrote it, unless the user trusts it all."""
    if not level.hooks or level.name not in {"project", "local"}:
        return []
    if case.here.is_trusted(case.env):
        return []
    ours = [hook for target in (case.here, case.user) for hook in target.hooks()]
    forms = {(text, *hook.args) for hook in ours for text in (hook.command, *hook.older)}
    where = case.shown(level.path)
    strange = [
        f"{each.name} in {where}" for each in level.hooks if (each.command, *each.args) not in forms
    ]
    for path, data in case.here.shipped().items():
        if (
            path.parent.name == "hooks"
            and path.is_file()
            and files.digest(regular.head(path, LARGEST)) != files.digest(data)
        ):
            strange.append(case.shown(path))
    return strange


# ------------------------------------------------------------------------ the other clients


def hooks(case: Case) -> Iterator[Finding]:
    """The hooks of the other clients, where they are installed."""
    for client in OTHERS.values():
        project, user = case.targets(client)
        install = f"onward install {client.OPTION}"
        if project.is_installed() and project.base.resolve() != user.base:
            yield from _examined(case, project, install)
        if user.is_installed():
            yield from _examined(case, user, f"{install} --user")


def _examined(case: Case, target: Target, install: str) -> Iterator[Finding]:
    """Nothing is run before all of it is as we wrote it and the client would run it."""
    subject = target.PROGRAM
    # One of a former release serves all the same, unless an event is not served.
    whole = target.registered() >= {hook.event for hook in target.hooks()}
    try:
        faults = list(pieces(target, subject, install, older=warning if whole else broken)) or [
            broken(subject, *each) for each in target.obstacles(case.env)
        ]
    except OnwardError as error:
        why = f"{target.NAME} may take nothing of ours"
        faults = [broken(subject, error.message, why, error.hint)]
    if not faults and target.hooks() and os.name != "nt":
        commands = [
            (replace(hook, timeout=_LIMIT), ["/bin/sh", "-c", hook.command])
            for hook in target.hooks()
        ]
        where = target.shown(target.settings)
        tried = try_out(case, Trial(subject, where, commands, type(target), install))
        yield from tried
        if any(each.level != "ok" for each in tried):
            return
    yield from faults or [_called(case, target)]


def _called(case: Case, target: Target) -> Finding:
    """All of it is in place: whether it was called, and what ran without calling it."""
    now, data, shown = case.now.timestamp(), str(case.data), target.shown(target.settings)
    own = (target.user_folder(case.home, case.env), case.data / target.PROGRAM)
    since = target.settings.stat().st_mtime
    silent = [
        each.session[:13]
        for each in case.sessions
        if each.path.is_relative_to(own[0])
        and each.mtime > since
        and not Path(live.folder(data, each.session)).is_dir()
    ]
    if silent:
        text = f"ran here without calling us: session {', '.join(silent[:3])}"
        why = f"it was started before the hooks were trusted, or {target.NAME} was told to run none"
        return warning(target.PROGRAM, text, why, f"start {target.PROGRAM} anew, trust the hooks")
    times = []
    for each in live.sessions(data):
        known = sessions.captured(data, each) or sessions.running(data, each)
        is_here = known and known.root == str(case.project.root)
        if known and is_here and any(Path(known.transcript).is_relative_to(o) for o in own):
            times.append(Path(live.folder(data, each)).stat().st_mtime)
    last = f"last called {age(now - max(times))} ago" if times else "not called here yet"
    count = len(target.hooks())
    place = f"{count} hooks in {shown}, trusted" if count else f"{shown} is in place"
    return ok(target.PROGRAM, f"{place}, {last}")
