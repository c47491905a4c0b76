"""Install, doctor: the commands that Codex would run, tried in a throw-away project.

A guarded command ends with 0 and says nothing however broken it is. What proves it is the work:
of a made-up session that ended, the next one has to be told. Only what is as we wrote it is run.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from onward.clients import codex
from onward.clients.doctor.case import Case
from onward.clients.doctor.trial import repository, throw_away, wait_prepared
from onward.clients.target import Target

_ORDER = ("UserPromptSubmit", "Stop", "SessionEnd", "SessionStart")
_LIMIT = 30.0  # seconds; each has a limit of its own in the client
_SHELL = "/bin/sh"


class Trial(NamedTuple):
    """Seconds of each event's command, and whether a new session was told of the one before."""

    seconds: Mapping[str, float]
    told: bool


def run(case: Case, target: Target) -> Trial:
    """Try them in the order of a session's life. Raises OSError without a place for it."""
    commands = {hook.event: hook.command for hook in codex.hooks(target)}
    seconds, said = dict[str, float](), b""
    with throw_away() as folder:
        env = _stage(case, target, folder)
        payloads = _payloads(folder)
        for event in _ORDER:
            began = time.monotonic()
            with suppress(subprocess.TimeoutExpired):
                said = subprocess.run(
                    [_SHELL, "-c", commands[event]],
                    cwd=folder / "project",
                    env=env,
                    input=json.dumps(payloads[event]).encode(),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    timeout=_LIMIT,
                    check=False,
                ).stdout
            seconds[event] = time.monotonic() - began
        told = b"SESSION_BACKUP_PENDING" in said
        if told:  # else there is no child that writes
            wait_prepared(folder / "data", payloads["Stop"]["session_id"])
    return Trial(seconds, told)


def _stage(case: Case, target: Target, folder: Path) -> dict[str, str]:
    """A project with our shims, and a folder of our own; the environment that leads there."""
    repository(folder / "project" / ".git")
    (folder / "data").mkdir()
    if target.memory:
        hooks = folder / "project" / ".codex" / "hooks"
        hooks.mkdir(parents=True)
        # They are as we have them, or nothing would be run.
        for path, data in codex.shipped(target).items():
            if path.parent == target.base / "hooks":
                (hooks / path.name).write_bytes(data)
    with suppress(FileNotFoundError):
        shutil.copyfile(case.data / "launcher", folder / "data" / "launcher")
    kept = {k: v for k, v in case.env.items() if not k.startswith(("ONWARD_", "GIT_"))}
    return {**kept, "ONWARD_DATA": str(folder / "data"), "GIT_CEILING_DIRECTORIES": str(folder)}


def _payloads(folder: Path) -> dict[str, dict[str, Any]]:
    """What the client would say, of a session with a file written in it and of the next one."""
    first, second = str(uuid4()), str(uuid4())
    transcript = folder / f"rollout-{first}.jsonl"
    transcript.write_text("".join(_records(first, folder / "project")), encoding="utf-8")
    common = {"cwd": str(folder / "project"), "transcript_path": str(transcript)}
    return {
        "UserPromptSubmit": {**common, "session_id": first, "prompt": "write probe.txt"},
        "Stop": {**common, "session_id": first, "last_assistant_message": "Done."},
        "SessionEnd": {**common, "session_id": first, "reason": "other"},
        "SessionStart": {
            "cwd": common["cwd"],
            "transcript_path": str(folder / f"rollout-{second}.jsonl"),
            "session_id": second,
            "source": "startup",
        },
    }


def _records(session: str, project: Path) -> Iterator[str]:
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    patch = "*** Begin Patch\n*** Add File: probe.txt\n+probe\n*** End Patch\n"
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "call_1", "input": patch}
    done = "Success. Updated the following files:\nA probe.txt\n"
    result = {"type": "custom_tool_call_output", "call_id": "call_1", "output": done}
    asked = [{"type": "input_text", "text": "write probe.txt"}]
    meta = {"id": session, "timestamp": now, "cwd": str(project), "source": "cli"}
    for kind, payload in (
        ("session_meta", meta),
        ("response_item", {"type": "message", "role": "user", "content": asked}),
        ("response_item", call),
        ("response_item", result),
    ):
        yield json.dumps({"timestamp": now, "type": kind, "payload": payload}) + "\n"
