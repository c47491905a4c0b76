"""Install, doctor: whether the hooks of Codex are live: registered, trusted, and seen to be called."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from onward.clients import codex, codex_trust, manifest, plan, settings
from onward.clients.doctor import codex_trial
from onward.clients.doctor.case import Case
from onward.clients.doctor.finding import Finding, broken, ok, remark
from onward.clients.target import Target
from onward.documents.times import age
from onward.errors import OnwardError
from onward.storage import live, reading, sessions
from onward.transcripts.codex.home import folder

_SUBJECT = "codex"
_SKIPPED = "codex silently skips it: nothing is captured and nothing is told"
_REVIEW = "type /hooks in codex, read those of onward, trust them"


def is_registered(case: Case) -> bool:
    """Whether it was installed into, here or for the user."""
    return any(_is_installed(target) for target, _ in _targets(case))


def hooks(case: Case) -> Iterator[Finding]:
    """Codex runs a hook only where it trusts the folder and the hook itself."""
    for target, advice in _targets(case):
        if not _is_installed(target):
            continue
        try:
            faults = list(_files(target, advice)) or list(_trust(case, target))
        except OnwardError as error:
            faults = [broken(_SUBJECT, error.message, _SKIPPED, error.hint)]
        yield from faults or list(_tried(case, target))


def _targets(case: Case) -> Iterator[tuple[Target, str]]:
    user = codex.of_user(case.home, case.env)
    project = codex.of_project(case.project, case.home)
    if project.base.resolve() != user.base:
        yield project, "onward install --codex"
    yield user, "onward install --codex --user"


def _is_installed(target: Target) -> bool:
    """By what we wrote there, or by a registration that somebody took over."""
    if (target.base / manifest.NAME).is_file():
        return True
    try:
        return codex.registers(target.settings, target)
    except OSError:
        return False


def _files(target: Target, advice: str) -> Iterator[Finding]:
    """Our hooks' entries and files, against what this release would write."""
    shown = target.shown(target.settings)
    if reason := codex.unread(target):
        text = f"it takes no hook of {shown} as it stands: {reason}"
        yield broken(_SUBJECT, text, _SKIPPED, f"fix {shown}, then start codex anew")
    text = reading.text(target.settings) if target.settings.is_file() else "{}"
    # Raises for a file that is no JSON. Its line is not shown: of a secret that is cut no rule knows.
    found = plan.install(target, lambda _: "…", codex)
    there = settings.registered(text, codex.hooks(target))
    lacking = [hook.event for hook in codex.hooks(target) if hook not in there]
    if lacking:
        why = "what belongs to these events is not done"
        yield broken(_SUBJECT, f"{shown} lacks {', '.join(lacking)}", why, advice)
    others = [each for each in found.changes if each.path not in {target.settings, _record(target)}]
    if others:
        why = "what they are there for is not done, or is done as a former release did it"
        names = ", ".join(each.name for each in others)
        yield broken(_SUBJECT, f"missing or out of date: {names}", why, advice)
    if other := [*found.foreign, *found.changed]:
        why = "they are yours and are left alone, and codex may skip what it did not review so"
        hint = f"to have ours: move them away (an entry of the hooks: delete it), then {advice}"
        yield remark(_SUBJECT, f"not as we wrote them: {', '.join(other)}", why, hint)


def _trust(case: Case, target: Target) -> Iterator[Finding]:
    path = folder(case.home, case.env) / codex.CONFIG
    try:
        config = codex_trust.read(path)
    except (OSError, ValueError) as error:
        line = f": {error}" if isinstance(error, tomllib.TOMLDecodeError) else ""
        text = f"{case.shown(path)} cannot be read{line}"
        yield broken(_SUBJECT, text, "codex does not start with such a file", "fix it")
        return
    if not codex_trust.is_on(config):
        text = f"{case.shown(path)}: hooks are switched off"
        yield broken(_SUBJECT, text, _SKIPPED, f"take `hooks = false` out of {case.shown(path)}")
    if target.memory and not codex_trust.is_project_trusted(config, target.root):
        yield broken(
            _SUBJECT,
            "codex was never told to trust this folder",
            "it reads nothing in .codex until then: no hook of ours runs",
            f"start codex in {target.root} and say yes; or: onward install --codex --user",
        )
    yield from _reviewed(config, target)


def _reviewed(config: Mapping[str, Any], target: Target) -> Iterator[Finding]:
    table = json.loads(reading.text(target.settings))
    wrong: dict[codex_trust.Trust, list[str]] = {}
    for event, trust in codex_trust.hooks(config, target.settings, table):
        wrong.setdefault(trust, []).append(event)
    told = {
        "untrusted": "not trusted yet",
        "changed": "changed since you trusted it",
        "off": "switched off",
    }
    for trust, events in wrong.items():
        if trust in told:
            text = f"{target.shown(target.settings)}: {told[trust]}: {', '.join(events)}"
            yield broken(_SUBJECT, text, _SKIPPED, _REVIEW)


def _tried(case: Case, target: Target) -> Iterator[Finding]:
    """All of it is as we wrote it, and trusted: now it may be run."""
    if os.name == "nt":
        yield _well(case, target)
        return
    try:
        trial = codex_trial.run(case, target)
    except OSError as error:
        why = "the hooks could not be tried"
        yield remark(_SUBJECT, f"no throw-away project: {error.strerror}", why, "look at TMPDIR")
        return
    if not trial.told:
        yield broken(
            _SUBJECT,
            f"the commands in {target.shown(target.settings)} did not tell of a session that ended",
            "they end well and do nothing: nothing is captured and nothing is told",
            "onward doctor --fix",
            "launcher",
        )
        return
    times = ", ".join(f"{event} {took * 1000:.0f} ms" for event, took in trial.seconds.items())
    yield ok(_SUBJECT, f"run: {times}")
    yield _well(case, target)


def _well(case: Case, target: Target) -> Finding:
    """All of it is in place: whether it was called, and what ran without calling it."""
    now, shown = case.now.timestamp(), target.shown(target.settings)
    called = [when for id_ in live.sessions(str(case.data)) if (when := _called(case, id_))]
    rollouts = folder(case.home, case.env)
    since = target.settings.stat().st_mtime
    silent = [
        each
        for each in case.sessions
        if each.path.is_relative_to(rollouts)
        and each.mtime > since
        and not Path(live.folder(str(case.data), each.session)).is_dir()
    ]
    if silent:
        ids = ", ".join(each.session[:13] for each in silent[:3])
        text = f"ran here without calling us: session {ids}"
        why = "it was started before the hooks were trusted, or codex was told to run none"
        return remark(_SUBJECT, text, why, _REVIEW)
    last = f"last called {age(now - max(called))} ago" if called else "not called here yet"
    return ok(_SUBJECT, f"{len(codex.hooks(target))} hooks in {shown}, trusted, {last}")


def _called(case: Case, session: str) -> float:
    """When we were last called for a session of this project; 0 for another one's."""
    data = str(case.data)
    known = sessions.captured(data, session) or sessions.running(data, session)
    if not known or known.root != str(case.project.root):
        return 0.0
    if not Path(known.transcript).is_relative_to(folder(case.home, case.env)):
        return 0.0
    return Path(live.folder(data, session)).stat().st_mtime


def _record(target: Target) -> Path:
    return target.base / manifest.NAME
