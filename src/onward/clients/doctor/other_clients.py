"""Codex, opencode and Copilot CLI: whether our files are there, are taken, and are called."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from onward.clients import files, plan
from onward.clients.doctor import Case, Finding, broken, ok, warning
from onward.clients.doctor.registration import Command
from onward.clients.doctor.trial import Trial, try_out
from onward.clients.registry import OTHERS
from onward.clients.target import Target
from onward.documents.times import age
from onward.errors import OnwardError
from onward.storage import live, sessions

_LIMIT = 30.0  # seconds; each has a limit of its own in the client


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
    try:
        faults = list(_files(target, install)) or [
            broken(subject, *each) for each in target.obstacles(case.env)
        ]
    except OnwardError as error:
        why = f"{target.NAME} may take nothing of ours"
        faults = [broken(subject, error.message, why, error.hint)]
    if not faults and target.hooks() and os.name != "nt":
        tried = try_out(case, _trial(target, install))
        yield from tried
        if any(each.level != "ok" for each in tried):
            return
    yield from faults or [_called(case, target)]


def _files(target: Target, install: str) -> Iterator[Finding]:
    """Our entries and files, against what this release would write."""
    subject = target.PROGRAM
    # Of a file that is no JSON no line is shown: of a secret that is cut no rule knows.
    found = plan.install(target, lambda _: "…")
    if names := [each.name for each in found.changes if each.path.name != files.MANIFEST]:
        why = "what they are there for is not done, or is done as a former release did it"
        yield broken(subject, f"missing or out of date: {', '.join(names)}", why, install)
    if other := [*found.foreign, *found.changed]:
        why = "they are yours and are left alone, and the client may skip them"
        hint = f"to have ours: move them away (an entry of the hooks: delete it), then {install}"
        yield warning(subject, f"not as we wrote them: {', '.join(other)}", why, hint)


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


def _trial(target: Target, install: str) -> Trial:
    """The commands of Codex. Of a made-up session that ended, the next one has to be told."""
    commands = [Command(hook=hook, text=hook.command, timeout=_LIMIT) for hook in target.hooks()]
    return Trial(
        subject=target.PROGRAM,
        where=target.shown(target.settings),
        commands=[(each, ["/bin/sh", "-c", each.text]) for each in commands],
        shims=f"{target.FOLDER}/hooks",
        transcript="rollout-{}.jsonl",
        records=_records,
        install=install,
    )


def _records(session: str, project: Path) -> list[Any]:
    """A session in which a file was written, so that there is something to keep."""
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    patch = "*** Begin Patch\n*** Add File: probe.txt\n+probe\n*** End Patch\n"
    call = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "call_1", "input": patch}
    done = "Success. Updated the following files:\nA probe.txt\n"
    result = {"type": "custom_tool_call_output", "call_id": "call_1", "output": done}
    asked = [{"type": "input_text", "text": "write probe.txt"}]
    meta = {"id": session, "timestamp": now, "cwd": str(project), "source": "cli"}
    said = [
        ("session_meta", meta),
        ("response_item", {"type": "message", "role": "user", "content": asked}),
        ("response_item", call),
        ("response_item", result),
    ]
    return [{"timestamp": now, "type": kind, "payload": payload} for kind, payload in said]
