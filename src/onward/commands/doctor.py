"""`doctor`: what is registered, run and measured, and the command that fixes each finding."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from onward import repo
from onward.clients.doctor import FIXES, Case, Finding, Session, examine
from onward.clients.doctor.findings import broken
from onward.commands import install, workspace
from onward.commands.result import Result, compose
from onward.commands.sessions import of_project
from onward.commands.world import World
from onward.errors import OnwardError
from onward.model import Injection
from onward.redaction import Redactor
from onward.storage import project as projects
from onward.transcripts import archive, registry
from onward.transcripts.sessions import SessionInfo

_READ = 3  # transcripts that are read whole, the newest ones
_UNWELL = 1


def doctor(world: World, *, fix: bool) -> Result:
    """All findings, the broken ones first; exit code 1 if there is one of those. With `fix`
    the safe fixes are made first, and what is told is what is left.
    """
    case, unread = _case(world)
    findings = [*unread, *examine(case)]
    fixed: list[str] = []
    install.sweep(world, case.here)
    if fix:
        fixed, failed = _fix(world, case, findings)
        findings = [*unread, *failed, *(examine(case) if fixed else findings)]
    redactor = workspace.redactor_for_show(world)
    shown = [_clean(each, redactor) for each in findings]
    done = [redactor.text(each) for each in fixed]
    lines = [_summary(shown), *(f"fixed: {each}" for each in done), *_lines(shown)]
    return Result(
        text=compose(*lines),
        data={"fixed": done, "findings": shown},
        exit_code=_UNWELL if any(each.level == "broken" for each in shown) else 0,
    )


def _case(world: World) -> tuple[Case, list[Finding]]:
    """What is to be examined; and what kept us from knowing all of it."""
    unread: list[Finding] = []
    top: Path | None = None
    try:
        top = repo.top(world.cwd)
    except OnwardError as error:
        unread.append(_refused("git", error))
    try:
        project = projects.locate(world.cwd, top, world.home)
    except OnwardError as error:
        unread.append(_refused("onward.toml", error))
        project = projects.usual(top or world.cwd)
    unread += _unread_rules(world)
    try:
        found = of_project(world, project.root)
    except OnwardError as error:
        found = []
        unread.append(_refused("transcripts", error))
    unread += _closed(world)
    sessions = [_session(world, info, read=number < _READ) for number, info in enumerate(found)]
    case = Case(
        project=project,
        cwd=world.cwd,
        home=world.home,
        data=world.data,
        env=world.env,
        now=world.now,
        top=top,
        sessions=tuple(sessions),
    )
    return case, unread


def _unread_rules(world: World) -> list[Finding]:
    try:
        workspace.additions(world)
    except OnwardError as error:
        why = "nothing is saved or told until it can be read"
        return [broken("redaction", error.message, why, error.hint)]
    return []


def _closed(world: World) -> list[Finding]:
    why = "none of its sessions is listed, searched or saved, or only what was read of them before"
    return [
        broken("transcripts", f"{workspace.shown(path, world)}: {reason}", why, f"ls -l {path}")
        for path, reason in registry.closed(world.home, world.env)
    ]


def _refused(subject: str, error: OnwardError) -> Finding:
    return broken(subject, error.message, "the usual places were looked at instead", error.hint)


def _session(world: World, info: SessionInfo, *, read: bool) -> Session:
    injections: tuple[Injection, ...] = ()
    if read:
        with suppress(OnwardError, OSError):  # removed a moment ago
            injections = registry.agent_of(info.path).reader.injections(info.path)
    top = archive.folder(world.home, world.env) / info.agent
    return Session(
        kept=archive.place(info.path, top).is_file(),
        session=info.session,
        path=info.path,
        size=info.size,
        mtime=info.mtime,
        began_in=info.cwd,
        injections=injections,
    )


def _fix(world: World, case: Case, findings: list[Finding]) -> tuple[list[str], list[Finding]]:
    """Each fixing that some finding asks for, once; and those that did not succeed."""
    done: list[str] = []
    failed: list[Finding] = []
    for name in dict.fromkeys(each.fix for each in findings if each.fix):
        try:
            if name == "files":
                install.install(world, user=False, dry_run=False)
                done.append("did what `onward install` does")
            else:
                done.append(FIXES[name](case))
        except OnwardError as error:
            failed.append(broken("--fix", error.message, f"{name} is as it was", error.hint))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            failed.append(broken("--fix", reason, f"{name} is as it was", "look at that disk"))
    return done, failed


def _clean(finding: Finding, redactor: Redactor) -> Finding:
    text = redactor.text
    return replace(
        finding, text=text(finding.text), why=text(finding.why), advice=text(finding.advice)
    )


def _summary(findings: list[Finding]) -> str:
    count = Counter(each.level for each in findings)
    warnings = f"{count['warning']} warning{'s' * (count['warning'] != 1)}"
    return f"{count['broken']} broken, {warnings}, {count['ok']} fine"


def _lines(findings: list[Finding]) -> list[str]:
    """The broken ones in full, then the warnings, then a line for each that is fine."""
    lines = []
    for level in ("broken", "warning"):
        for each in findings:
            if each.level != level:
                continue
            lines += ["", *f"{level}  {each.subject}: {each.text}".split("\n")]
            lines += [f"  {each.why}", *(f"  → {line}" for line in each.advice.split("\n"))]
    fine = [each for each in findings if each.level == "ok"]
    return [*lines, *([""] if fine else []), *(f"ok  {e.subject}: {e.text}" for e in fine)]
