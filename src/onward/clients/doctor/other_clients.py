"""Codex, opencode and Copilot CLI: whether our files are there, are taken, and are called."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from onward.clients.doctor import Case, Finding, broken, ok, warning
from onward.clients.doctor.installation import pieces
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
        faults = list(pieces(target, subject, install, older=broken)) or [
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
    return Trial(
        subject=target.PROGRAM,
        where=target.shown(target.settings),
        commands=[
            (replace(hook, timeout=_LIMIT), ["/bin/sh", "-c", hook.command])
            for hook in target.hooks()
        ],
        shims=f"{target.FOLDER}/hooks",
        transcript="rollout-SESSION.jsonl",
        install=install,
    )
