"""`doctor`: what is registered, run and measured, and the command that fixes each finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from onward import repo
from onward.briefing.text import count
from onward.clients.doctor import (
    Case,
    Finding,
    Fix,
    Session,
    broken,
    captures,
    installation,
    trial,
)
from onward.clients.files import LAUNCHER, write_launcher
from onward.commands import install, workspace
from onward.commands.result import Result, compose
from onward.commands.sessions import of_project
from onward.commands.world import World
from onward.errors import OnwardError
from onward.storage import project as projects
from onward.transcripts import archive, registry
from onward.transcripts.sessions import SessionInfo

CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    installation.settings_files,
    installation.hooks,
    installation.starts,
    trial.hooks,
    installation.launcher,
    installation.on_path,
    installation.git,
    trial.commands,
    installation.shipped,
    installation.shadowed,
    captures.captured,
    captures.cleanup,
    captures.modes,
    captures.ignored,
    captures.writable,
    installation.log,
)
_UNWELL = 1
_USUAL = "the usual places were looked at instead"
_REDACTED = ("text", "why", "advice")


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
    shown = [
        replace(each, **{name: redactor.text(getattr(each, name)) for name in _REDACTED})
        for each in findings
    ]
    done = [redactor.text(each) for each in fixed]
    levels = Counter(each.level for each in shown)
    summary = (
        f"{levels['broken']} broken, {count(levels['warning'], 'warning')}, {levels['ok']} fine"
    )
    lines = [summary, *(f"fixed: {each}" for each in done), *_lines(shown)]
    data = {"fixed": done, "findings": shown}
    return Result(text=compose(*lines), data=data, exit_code=_UNWELL if levels["broken"] else 0)


def examine(case: Case) -> list[Finding]:
    """All findings, in the order of the checks; one that cannot be made is a finding itself."""
    found = list[Finding]()
    for check in CHECKS:
        name = (check.__doc__ or "").split("\n", maxsplit=1)[0]
        with _told(found, "doctor", f"this could not be looked at: {name}"):
            found.extend(check(case))
    return found


@contextmanager
def _told(
    found: list[Finding],
    subject: str,
    why: str,
    hint: str = "make it readable, then: onward doctor",
) -> Iterator[None]:
    """What fails within is a finding itself; `hint` is for what the disk refuses."""
    try:
        yield
    except OnwardError as error:
        found.append(broken(subject, error.message, why, error.hint))
    except OSError as error:
        where, reason = error.filename or "the disk", error.strerror or type(error).__name__
        found.append(broken(subject, f"{where}: {reason}", why, hint))


def _case(world: World) -> tuple[Case, list[Finding]]:
    """What is to be examined; and what kept us from knowing all of it."""
    unread, top, held = list[Finding](), None, list[SessionInfo]()
    with _told(unread, "git", _USUAL):
        top = repo.top(world.cwd)
    project = projects.usual(top or world.cwd)
    with _told(unread, "onward.toml", _USUAL):
        project = projects.locate(world.cwd, top, world.home)
    with _told(unread, "redaction", "nothing is saved or told until it can be read"):
        workspace.additions(world)
    with _told(unread, "transcripts", _USUAL):
        held = of_project(world, project.root)
    faults: list[OSError] = []
    for _ in registry.transcripts(world.home, world.env, faults):
        pass
    why = "none of its sessions is listed, searched or saved, or only what was read of them before"
    for path, reason, hint in registry.closed(faults):
        text = f"{workspace.shown(path, world)}: {reason}"
        unread.append(broken("transcripts", text, why, hint or f"ls -l {path}"))
    kept = archive.folder(world.home, world.env)
    sessions = tuple(
        Session(
            session=info.session,
            path=info.path,
            size=info.size,
            mtime=info.mtime,
            began_in=info.cwd,
            kept=archive.place(info.path, kept / info.agent).is_file(),
        )
        for info in held
    )
    case = Case(
        project=project,
        cwd=world.cwd,
        home=world.home,
        data=world.data,
        env=world.env,
        now=world.now,
        top=top,
        sessions=sessions,
    )
    return case, unread


def _fix(world: World, case: Case, findings: list[Finding]) -> tuple[list[str], list[Finding]]:
    """Each safe fix that some finding asks for, once; and those that did not succeed."""
    done, failed = list[str](), list[Finding]()
    for name in dict.fromkeys(each.fix for each in findings if each.fix):
        with _told(failed, "--fix", f"{name} is as it was", "look at that disk"):
            done.append(_fixed(world, case, name))
    return done, failed


def _fixed(world: World, case: Case, name: Fix) -> str:
    """Fix what loses nothing and decides nothing for the user; what was done."""
    if name == "files":
        install.install(world, user=False, dry_run=False)
        return "did what `onward install` does"
    if name == "launcher":  # the Python and the code that this very call runs on
        write_launcher(case.data)
        return f"wrote {case.shown(case.data / LAUNCHER)}"
    wrong = captures.private(case)
    for path, mode in wrong.items():
        path.chmod(mode)
    return f"closed {count(len(wrong), 'file')} to others"


def _lines(findings: list[Finding]) -> list[str]:
    """The broken ones in full, then the warnings, then a line for each that is fine."""
    lines = list[str]()
    for each in sorted(findings, key=lambda each: ("broken", "warning", "ok").index(each.level)):
        told = f"{each.level}  {each.subject}: {each.text}"
        if each.level == "ok":
            lines += [told] if lines and lines[-1].startswith("ok  ") else ["", told]
            continue
        lines += ["", *told.split("\n"), f"  {each.why}"]
        lines += (f"  → {line}" for line in each.advice.split("\n"))
    return lines
