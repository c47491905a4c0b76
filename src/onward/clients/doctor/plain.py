"""Whether the files of a client that has nothing but files of ours are there, and are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from onward.clients import files, plan
from onward.clients.doctor.findings import Case, Finding, broken, ok, warning
from onward.clients.plain import Plain
from onward.clients.registry import ALL
from onward.clients.target import Target
from onward.documents.times import age
from onward.storage import live, sessions


def hooks(case: Case) -> Iterator[Finding]:
    """The files of opencode and Copilot CLI, where they are installed."""
    for client in ALL:
        if not issubclass(client, Plain):
            continue
        own = (client.of_project(case.project, case.home), client.of_user(case.home, case.env))
        for target, more in zip(own, ("", " --user"), strict=True):
            if target.is_installed():
                yield from _look(case, target, f"onward install {client.OPTION}{more}")


def _look(case: Case, target: Target, advice: str) -> Iterator[Finding]:
    subject, well = target.PROGRAM, True
    found = plan.install(target, str)
    if names := [each.name for each in found.changes if each.path.name != files.MANIFEST]:
        well = False
        why = "what they are there for is not done, or is done as a former release did it"
        yield broken(subject, f"missing or out of date: {', '.join(names)}", why, advice)
    if other := [*found.foreign, *found.changed]:
        why = "they are yours and are left alone"
        hint = f"to have ours: move them away, then {advice}"
        yield warning(subject, f"not as we wrote them: {', '.join(other)}", why, hint)
    if not target.is_trusted(case.env):
        well = False
        yield broken(
            subject,
            f"{target.NAME} was never told to trust this folder",
            "it runs no hook of the project until then: nothing is captured and nothing is told",
            f"start {target.PROGRAM} in {target.root} and say yes; or: onward install {target.OPTION} --user",
        )
    if well:
        called = max((_called(case, each) for each in live.sessions(str(case.data))), default=0.0)
        last = (
            f"last called {age(case.now.timestamp() - called)} ago"
            if called
            else "not called here yet"
        )
        yield ok(subject, f"{target.shown(target.settings)} is in place, {last}")


def _called(case: Case, session: str) -> float:
    """When we were last called for a session of this project; 0 for another one's."""
    data = str(case.data)
    known = sessions.captured(data, session) or sessions.running(data, session)
    if not known or known.root != str(case.project.root):
        return 0.0
    try:
        return Path(live.folder(data, session)).stat().st_mtime
    except OSError:
        return 0.0
