"""Whether the hooks of Codex are live: registered, trusted, tried, and seen to be called."""

from __future__ import annotations

import json
import os
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from onward.clients import codex, codex_state, files, plan, settings
from onward.clients.codex import Codex
from onward.clients.doctor.findings import Case, Finding, broken, ok, warning
from onward.clients.doctor.registration import in_the_way
from onward.clients.doctor.trial import PENDING, Stage, no_room, throw_away
from onward.documents.times import age
from onward.errors import OnwardError
from onward.storage import live, reading, sessions
from onward.transcripts.agents import CODEX

_SUBJECT = "codex"
_SKIPPED = "codex silently skips it: nothing is captured and nothing is told"
_ORDER = ("UserPromptSubmit", "Stop", "SessionEnd", "SessionStart")
_LIMIT = 30.0  # seconds; each has a limit of its own in the client
_REVIEW = "type /hooks in codex, read those of onward, trust them"


def hooks(case: Case) -> Iterator[Finding]:
    """Codex runs a hook only where it trusts the folder and the hook itself."""
    for target, advice in _targets(case):
        if not target.is_installed():
            continue
        try:
            faults = list(_files(target, advice)) or list(_trust(case, target))
        except OnwardError as error:
            faults = [broken(_SUBJECT, error.message, _SKIPPED, error.hint)]
        yield from faults or list(_tried(case, target))


def _targets(case: Case) -> Iterator[tuple[Codex, str]]:
    user = Codex.of_user(case.home, case.env)
    project = Codex.of_project(case.project, case.home)
    if project.base.resolve() != user.base:
        yield project, "onward install --codex"
    yield user, "onward install --codex --user"


def _files(target: Codex, advice: str) -> Iterator[Finding]:
    """Our hooks' entries and files, against what this release would write."""
    shown = target.shown(target.settings)
    if reason := target.unread():
        text = f"it takes no hook of {shown} as it stands: {reason}"
        yield broken(_SUBJECT, text, _SKIPPED, f"fix {shown}, then start codex anew")
    text = reading.text(target.settings) if target.settings.is_file() else "{}"
    # Raises for a file that is no JSON. Its line is not shown: of a secret that is cut no rule knows.
    found = plan.install(target, lambda _: "…")
    there = settings.registered(text, target.hooks())
    lacking = [hook.event for hook in target.hooks() if hook not in there]
    if lacking:
        theirs = in_the_way(target)
        fix = f"rename {theirs}, then: {advice}" if theirs else advice
        text = f"{shown} lacks {', '.join(lacking)}"
        yield broken(_SUBJECT, text, "these events are not served", fix)
    own = {target.settings, target.base / files.MANIFEST}
    if names := [each.name for each in found.changes if each.path not in own]:
        why = "what they are there for is not done, or is done as a former release did it"
        yield broken(_SUBJECT, f"missing or out of date: {', '.join(names)}", why, advice)
    if other := [*found.foreign, *found.changed]:
        why = "they are yours and are left alone, and codex may skip what it did not review so"
        hint = f"to have ours: move them away (an entry of the hooks: delete it), then {advice}"
        yield warning(_SUBJECT, f"not as we wrote them: {', '.join(other)}", why, hint)


def _trust(case: Case, target: Codex) -> Iterator[Finding]:
    path = CODEX.folder(case.home, case.env) / codex.CONFIG
    try:
        config = codex_state.read(path)
    except (OSError, ValueError) as error:
        line = f": {error}" if isinstance(error, tomllib.TOMLDecodeError) else ""
        text = f"{case.shown(path)} cannot be read{line}"
        yield broken(_SUBJECT, text, "codex does not start with such a file", "fix it")
        return
    if not codex_state.is_on(config):
        text = f"{case.shown(path)}: hooks are switched off"
        yield broken(_SUBJECT, text, _SKIPPED, f"take `hooks = false` out of {case.shown(path)}")
    if target.memory and not codex_state.is_project_trusted(config, target.root):
        yield broken(
            _SUBJECT,
            "codex was never told to trust this folder",
            "it reads nothing in .codex until then: no hook of ours runs",
            f"start codex in {target.root} and say yes; or: onward install --codex --user",
        )
    yield from _reviewed(config, target)


def _reviewed(config: Mapping[str, Any], target: Codex) -> Iterator[Finding]:
    table = json.loads(reading.text(target.settings))
    wrong: dict[codex_state.Trust, list[str]] = {}
    for event, trust in codex_state.hooks(config, target.settings, table):
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


def _tried(case: Case, target: Codex) -> Iterator[Finding]:
    """All of it is as we wrote it, and trusted: now it may be run, in the order of a session's
    life. Of a made-up session that ended, the next one has to be told.
    """
    if os.name == "nt":
        yield _well(case, target)
        return
    commands = {hook.event: hook.command for hook in target.hooks()}
    runs = {}
    try:
        with throw_away(case) as stage:
            _take_along(stage, target)
            payloads = _payloads(stage)
            for event in _ORDER:
                words = ["/bin/sh", "-c", commands[event]]
                runs[event] = stage.run(words, payloads[event], _LIMIT, {})
            is_told = PENDING in runs["SessionStart"].stdout
            if is_told:  # else there is no child that writes
                stage.is_prepared(payloads["Stop"]["session_id"])
    except OSError as error:
        yield no_room(_SUBJECT, error)
        return
    if not is_told:
        yield broken(
            _SUBJECT,
            f"the commands in {target.shown(target.settings)} did not tell of a session that ended",
            "they end well and do nothing: nothing is captured and nothing is told",
            "onward doctor --fix",
            "launcher",
        )
        return
    times = ", ".join(f"{event} {run.seconds * 1000:.0f} ms" for event, run in runs.items())
    yield ok(_SUBJECT, f"run: {times}")
    yield _well(case, target)


def _take_along(stage: Stage, target: Codex) -> None:
    """The project's shims, which are as we have them, or nothing would be run."""
    if target.memory:
        hooks = stage.project / ".codex" / "hooks"
        hooks.mkdir(parents=True)
        for path, data in target.shipped().items():
            if path.parent == target.base / "hooks":
                (hooks / path.name).write_bytes(data)


def _well(case: Case, target: Codex) -> Finding:
    """All of it is in place: whether it was called, and what ran without calling it."""
    now, shown = case.now.timestamp(), target.shown(target.settings)
    called = [when for id_ in live.sessions(str(case.data)) if (when := _called(case, id_))]
    rollouts = CODEX.folder(case.home, case.env)
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
        return warning(_SUBJECT, text, why, _REVIEW)
    last = f"last called {age(now - max(called))} ago" if called else "not called here yet"
    return ok(_SUBJECT, f"{len(target.hooks())} hooks in {shown}, trusted, {last}")


def _called(case: Case, session: str) -> float:
    """When we were last called for a session of this project; 0 for another one's."""
    data = str(case.data)
    known = sessions.captured(data, session) or sessions.running(data, session)
    if not known or known.root != str(case.project.root):
        return 0.0
    if not Path(known.transcript).is_relative_to(CODEX.folder(case.home, case.env)):
        return 0.0
    return Path(live.folder(data, session)).stat().st_mtime


def _payloads(stage: Stage) -> dict[str, dict[str, Any]]:
    """What the client would say, of a session with a file written in it and of the next one."""
    first, second = str(uuid4()), str(uuid4())
    transcript = stage.folder / f"rollout-{first}.jsonl"
    transcript.write_text("".join(_records(first, stage.project)), encoding="utf-8")
    common = {"cwd": str(stage.project), "transcript_path": str(transcript)}
    return {
        "UserPromptSubmit": {**common, "session_id": first, "prompt": "write probe.txt"},
        "Stop": {**common, "session_id": first, "last_assistant_message": "Done."},
        "SessionEnd": {**common, "session_id": first, "reason": "other"},
        "SessionStart": {
            "cwd": common["cwd"],
            "transcript_path": str(stage.folder / f"rollout-{second}.jsonl"),
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
