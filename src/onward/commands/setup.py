"""`install` and `uninstall`: what a client calls us by, put in its places and taken out again; and
`doctor`: what is registered, run and measured, and the command that fixes each finding.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from onward import __version__
from onward.briefing.text import count
from onward.clients import doctor as checks
from onward.clients import files, plan, target
from onward.clients.doctor import Case, Finding, Fix, broken, trial, warning
from onward.clients.plan import Plan
from onward.clients.registry import ALL, DEFAULT, Client
from onward.clients.target import Target
from onward.commands.result import Result, compose
from onward.commands.sessions import of_project
from onward.commands.world import World, quoted
from onward.errors import OnwardError, RefusedError
from onward.redaction import Redactor
from onward.repo import git
from onward.storage import atomic, locks, reading
from onward.storage import project as projects
from onward.transcripts import disk, registry
from onward.transcripts.reader import SessionInfo

_RECORDS, _LOCK = "installs", "installs/.lock"
_KEEP = """\
Clients delete old transcripts, some after 30 days. To keep all that exist now, and each session \
from then on: onward keep --all"""
_Leftover = tuple[str, int, int]  # a file, or a folder with all that is below it; files, bytes
_SERVER = "The tools search, show and brief of `onward mcp` are there from the client's next start."


def install(  # noqa: PLR0913 - the options of the verb
    world: World,
    *,
    user: bool,
    dry_run: bool,
    client: Client = DEFAULT,
    shared: bool = False,
    mcp: bool = False,
    asks: bool = False,
) -> Result:
    """Write what is missing or older, for this project or for the user; `shared` leaves checkpoints
    to git, `mcp` registers our server too; with `asks` the caller offers to keep transcripts. Raises
    InputError for settings that cannot be read, RefusedError, StorageError: then nothing was changed.
    """
    into, clean = _target(world, client, user=user), world.look_redactor
    if mcp and into.server() is None:
        hint = f"{into.PROGRAM} mcp add --scope user onward -- onward mcp"
        raise RefusedError(f"{into.NAME} keeps your own servers among its records", hint)
    kept = () if user else files.excluded(world.project, shared=shared)
    if dry_run:
        return _dry(world, plan.install(into, clean.text, kept, mcp=mcp), "installed", into, clean)
    with locks.hold(world.data_folder() / _LOCK):  # no other installation at the same time
        found = plan.install(into, clean.text, kept, mcp=mcp)
        files.write_launcher(world.data)
        made = not into.base.exists() or _made(world, into)
        files.make(found.changes, into.bound)
        sweep(world, into)
        record = {"root": str(into.root), "user": user, "version": __version__, "made": made}
        atomic.write_bytes(_record(world, into), msgspec.json.encode(record), atomic.PRIVATE)
    lines = _written(found, "Installed", into) or ["All of it was installed already."]
    lines += _left(found, clean)
    server = into.server()
    if mcp and server and into.shown(server) not in found.foreign:
        lines.append(_SERVER)
    if any(each.path.name == files.MANIFEST and each.before is None for each in found.changes):
        lines += ["", *into.first_steps(world.env)]
        if not asks and not disk.archive(world.home, world.env).is_dir():
            lines.append(_KEEP)
    with suppress(OnwardError):  # for the user, whatever the project they stand in is like
        project = client.of_project(world.project, world.home)
        lines += into.elsewhere(project, client.of_user(world.home, world.env))
    return _told(world, found, into, [*lines, target.CHECK])


def uninstall(world: World, *, user: bool, dry_run: bool, client: Client = DEFAULT) -> Result:
    """Take out what `install` wrote. What a user changed stays and is named."""
    into, clean = _target(world, client, user=user), world.look_redactor
    others = [
        each
        for each in ALL
        if each != client and (_target(world, each, user=user).base / files.MANIFEST).is_file()
    ]
    kept = files.excluded(world.project, out=True) if not (others or user) else ()
    if dry_run:
        return _dry(world, plan.uninstall(into, clean.text, kept), "uninstalled", into, clean)
    with locks.hold(world.data_folder() / _LOCK):  # no other installation at the same time
        found = plan.uninstall(into, clean.text, kept)
        files.make(found.changes, into.bound)
        sweep(world, into)
        for folder in (*found.folders, *([into.base] if _made(world, into) else [])):
            with suppress(OSError):  # not empty, or gone
                folder.rmdir()
        atomic.remove(_record(world, into))
    lines = _written(found, "Uninstalled", into) or _nothing(into, others)
    lines += [f"Stays, since you changed it: {clean.text(name)}" for name in found.changed]
    stays = _stays(world, world.project if into.memory else None)
    return _told(world, found, into, [*lines, *_staying(world, stays)], stays=stays)


def sweep(world: World, into: Target) -> None:
    """Remove temporary files that killed calls left where an installation writes."""
    own = (into.root, into.base, world.data / _RECORDS)
    files.sweep({*own, *into.places(), *(path.parent for path in into.shipped())})


def _target(world: World, client: Client, *, user: bool) -> Target:
    own = client.of_user(world.home, world.env)
    if user:
        return own
    project = client.of_project(world.project, world.home)
    if refusal := project.refusal(own):
        words = " ".join(("onward install", *filter(None, (client.OPTION,)), "--user"))
        raise RefusedError(refusal, f"{words}, or cd into a project first")
    return project


def _record(world: World, into: Target) -> Path:
    name = hashlib.blake2b(os.fsencode(into.base), digest_size=8).hexdigest()
    return world.data / _RECORDS / f"{name}.json"


def _made(world: World, into: Target) -> bool:
    """Whether an installation made the client's folder: an empty one of the user's own stays."""
    found = reading.kept(_record(world, into), dict[str, Any])
    return bool(found and found.get("made"))  # an older record does not say


def _dry(world: World, found: Plan, what: str, into: Target, clean: Redactor) -> Result:
    """The files first, and every line of them behind."""
    lines = [*_written(found, f"Would be {what}", into), *_left(found, clean)]
    if found.changes:
        # What lies in `.git` is named above: git itself applies no patch to it.
        shown = (change for change in found.changes if ".git" not in change.path.parts)
        lines += ["", files.diff(shown, clean.text)]
    else:
        lines.insert(0, "Nothing would change.")
    return _told(world, found, into, lines, dry_run=True)


def _written(found: Plan, did: str, into: Target) -> list[str]:
    """What was done, folder by folder; nothing where nothing was."""
    if not found.changes:
        return []
    groups, names = Counter[tuple[str, str]](), [each.name for each in found.changes]
    for change in found.changes:
        folder = next((f for f in into.places() if change.path.is_relative_to(f)), None)
        groups[into.shown(folder) if folder else change.name, _verb(change)] += 1
    lines = [f"{did} for {'this project' if into.memory else 'all your projects'}:"]
    for (name, verb), number in groups.items():
        lines.append(f"  {verb} {name}" + ("" if name in names else f" ({count(number, 'file')})"))
    return lines


def _nothing(into: Target, others: Sequence[Client]) -> list[str]:
    """That nothing was there; and for which other client something is."""
    where, user = ("here", "") if into.memory else (f"in {into.shown(into.base)}", "--user")
    whose = f" for {into.NAME}" if others else ""
    lines = [f"Nothing of onward is installed {where}{whose}."]
    for other in others:
        words = " ".join(filter(None, ("onward uninstall", other.OPTION, user)))
        lines.append(f"For {other.NAME} it is: {words}")
    return lines


def _left(found: Plan, clean: Redactor) -> list[str]:
    """What an installation does not touch, and what that means."""
    mine = "To have ours: move it away and install again"
    lines = [f"Left, since it is yours: {name}. {mine}" for name in found.foreign]
    lines += [f"No hook for {event}: its shim could not be written." for event in found.unhooked]
    # Names from the record, which came with the repository.
    return [*lines, *(f"Left as you changed it: {clean.text(name)}" for name in found.changed)]


def _verb(change: files.Change) -> str:
    if change.before is None:
        return "created"
    return "removed" if change.after is None else "changed"


def _told(
    world: World,
    found: Plan,
    into: Target,
    lines: Sequence[str],
    *,
    dry_run: bool = False,
    stays: Sequence[_Leftover] = (),
) -> Result:
    data = {
        "for": "project" if into.memory else "user",
        "root": world.shown(into.root),
        "dry_run": dry_run,
        "changes": [{"path": each.name, "what": _verb(each)} for each in found.changes],
        "foreign": found.foreign,
        "changed": found.changed,
        "unhooked": found.unhooked,
        "stays": [dict(zip(("path", "files", "bytes"), each, strict=True)) for each in stays],
    }
    return Result(text=compose(*lines), data=data, prose=not dry_run)


def _stays(world: World, project: projects.Project | None) -> list[_Leftover]:
    """What onward wrote in a project, the raw transcripts by themselves; and our own folder."""
    own = (project.memory, project.memory / "raw", *project.places) if project else ()
    found = []
    for path in dict.fromkeys((*own, world.data)):
        files = [path, *path.rglob("*")]
        sizes = [f.lstat().st_size for f in files if f.is_file() and not f.is_symlink()]
        shown = world.local(path) if project else world.shown(path)
        if any(sizes):
            found.append((shown, len(sizes), sum(sizes)))
    return found


def _staying(world: World, stays: Sequence[_Leftover]) -> list[str]:
    """The lines for the user: what stays, and what removes it."""
    machine, paths = world.shown(world.data), [path for path, _, _ in stays]
    lines = ["Stays, since it is yours:"] if stays else []
    for path, number, size in stays:
        whose = ", of all projects" if path == machine else ""
        told = f"{count(number, 'file')}, {_measured(size)}{whose}"
        lines.append(f"  {path:{max(map(len, paths))}}  {told}")
    # raw/ lies in the memory.
    gone = [p for p in paths if p != machine and not any(p.startswith(f"{q}/") for q in paths)]
    if names := " ".join(map(quoted, gone)):
        lines.append(f"To remove it, in the project's folder: rm -r {names}")
    if machine in paths:
        told = "To remove the trash, the log and the key of all projects"
        lines.append(f"{told}: rm -r {quoted(machine)}")
    return lines


def _measured(size: int) -> str:
    steps = ((10**9, "GB"), (10**6, "MB"), (1000, "KB"))
    told = (f"{size / step:.1f} {unit}" for step, unit in steps if size >= step)
    return next(told, f"{size} bytes")


# ----------------------------------------------------------------------------- doctor

CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    *(checks.settings_files, checks.hooks, checks.starts, trial.hooks),
    *(checks.launcher, checks.on_path, checks.git, trial.commands, checks.shipped),
    *(checks.shadowed, checks.captured, checks.cleanup),
    *(checks.modes, checks.ignored, checks.writable, checks.log),
)
_USUAL = "the usual places were looked at instead"
_REDACTED = ("text", "why", "advice")
_READABLE = "make it readable, then: onward doctor"


def doctor(world: World, *, fix: bool) -> Result:
    """All findings, the broken ones first: then exit code 1. With `fix` safe fixes come before."""
    case, unread = _case(world)
    findings = [*unread, *examine(case)]
    fixed: list[str] = []
    sweep(world, case.here)
    if fix:
        fixed, failed = _fix(world, case, findings)
        findings = [*unread, *failed, *(examine(case) if fixed else findings)]
    redactor = world.look_redactor
    shown = [
        replace(each, **{name: redactor.text(getattr(each, name)) for name in _REDACTED})
        for each in findings
    ]
    done = [redactor.text(each) for each in fixed]
    levels = Counter(each.level for each in shown)
    unwell = f"{levels['broken']} broken, {count(levels['warning'], 'warning')}"
    lines = [
        f"{unwell}, {levels['ok']} fine",
        *(f"fixed: {each}" for each in done),
        *_findings(shown),
    ]
    data = {"fixed": done, "findings": shown}
    code = int(levels["broken"] > 0)
    return Result(text=compose(*lines), data=data, exit_code=code, prose=True)


def examine(case: Case) -> list[Finding]:
    """All findings, in the order of the checks; one that cannot be made is a finding itself."""
    found = list[Finding]()
    for check in CHECKS:
        name = (check.__doc__ or "").split("\n", maxsplit=1)[0]
        with _tried(found, "doctor", f"this could not be looked at: {name}"):
            found.extend(check(case))
    return found


@contextmanager
def _tried(found: list[Finding], subject: str, why: str, hint: str = _READABLE) -> Iterator[None]:
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
    with _tried(unread, "git", _USUAL):
        top = git.top(world.cwd)
    project = projects.usual(top or world.cwd)
    with _tried(unread, "onward.toml", _USUAL):
        project = projects.locate(world.cwd, top, world.home)
    with _tried(unread, "redaction", "nothing is saved or told until it can be read"):
        world.additions()
    with _tried(unread, "transcripts", _USUAL):
        held = of_project(world, project.root)
    faults: list[OSError] = []
    list(registry.transcripts(world.home, world.env, faults))  # for its faults
    why = "none of its sessions is listed, searched or saved, or only what was read of them before"
    for path, reason, hint in registry.closed(faults):
        text = f"{world.shown(path)}: {reason}"
        unread.append(broken("transcripts", text, why, hint or f"ls -l {path}"))
    why = "it is read as far as it goes; what came after is lost, or the client writes just now"
    for each in held:
        if registry.is_torn(each.path):
            shown = world.shown(each.path)
            text = f"{shown} ends in the middle of a record"
            unread.append(warning("transcripts", text, why, f"onward brief {each.session}"))
    kept = disk.archive(world.home, world.env)
    copies = (each for each in held if disk.place(each.path, kept / each.agent).is_file())
    case = Case(
        project=project,
        cwd=world.cwd,
        home=world.home,
        data=world.data,
        env=world.env,
        now=world.now,
        top=top,
        sessions=tuple(held),
        kept=frozenset(each.session for each in copies),
    )
    return case, unread


def _fix(world: World, case: Case, findings: list[Finding]) -> tuple[list[str], list[Finding]]:
    """Each safe fix that some finding asks for, once; and those that did not succeed."""
    done, failed = list[str](), list[Finding]()
    for name in dict.fromkeys(each.fix for each in findings if each.fix):
        with _tried(failed, "--fix", f"{name} is as it was", "look at that disk"):
            done.append(_fixed(world, case, name))
    return done, failed


def _fixed(world: World, case: Case, name: Fix) -> str:
    """Fix what loses nothing and decides nothing for the user; what was done."""
    if name == "files":
        install(world, user=False, dry_run=False)
        return "did what `onward install` does"
    if name == "launcher":  # the Python and the code that this very call runs on
        files.write_launcher(case.data)
        return f"wrote {case.shown(case.data / files.LAUNCHER)}"
    wrong = checks.private(case)
    for path, mode in wrong.items():
        path.chmod(mode)
    return f"closed {count(len(wrong), 'file')} to others"


def _findings(findings: list[Finding]) -> list[str]:
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
