"""`install` and `uninstall`: what a client calls us by, put in its places and taken out again."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from onward import __version__
from onward.clients import changes, files, plan, target
from onward.clients.changes import Change
from onward.clients.plan import Plan
from onward.clients.registry import ALL, DEFAULT, Client
from onward.clients.target import Target
from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import OnwardError, RefusedError
from onward.redaction import Redactor
from onward.storage import atomic, locks, reading
from onward.storage.project import Project
from onward.transcripts import archive

_RECORDS = "installs"
_KEEP = (
    "Clients delete old transcripts, some after 30 days. To keep all that exist now, and each session"
    " from then on: onward keep --all"
)

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
    into, clean = _target(world, client, user=user), workspace.redactor_for_show(world)
    if mcp and into.server() is None:
        hint = f"{into.PROGRAM} mcp add --scope user onward -- onward mcp"
        raise RefusedError(f"{into.NAME} keeps your own servers among its records", hint)
    kept = () if user else changes.excluded(workspace.here(world), shared=shared)
    if dry_run:
        found = plan.install(into, clean.text, kept, mcp=mcp)
        lines = _dry(found, "Would be installed", into, clean)
        return _told(world, found, into, lines, dry_run=True)
    with _alone(world):
        found = plan.install(into, clean.text, kept, mcp=mcp)
        files.write_launcher(world.data)
        made = not into.base.exists() or _made(world, into)
        changes.make(found.changes, into.bound)
        sweep(world, into)
        record = {"root": str(into.root), "user": user, "version": __version__, "made": made}
        atomic.write_bytes(_record(world, into), msgspec.json.encode(record), atomic.PRIVATE)
    lines = _written(found, "Installed", into) or ["All of it was installed already."]
    lines += _left(found, clean)
    server = into.server()
    if mcp and server and into.shown(server) not in found.foreign:
        lines.append(_SERVER)
    if any(each.name == into.shown(into.base / files.MANIFEST) for each in _new(found)):
        lines += ["", *into.first_steps(world.env)]
        if not asks and not archive.folder(world.home, world.env).is_dir():
            lines.append(_KEEP)
    return _told(world, found, into, [*lines, *_elsewhere(world, into), target.CHECK])


def uninstall(world: World, *, user: bool, dry_run: bool, client: Client = DEFAULT) -> Result:
    """Take out what `install` wrote. What a user changed stays and is named."""
    into, clean = _target(world, client, user=user), workspace.redactor_for_show(world)
    others = (each.of_project(workspace.here(world), world.home) for each in ALL if not user)
    alone = not any(_is_installed(each) for each in others if not isinstance(each, client))
    kept = changes.included(workspace.here(world)) if alone and not user else ()
    if dry_run:
        found = plan.uninstall(into, clean.text, kept)
        lines = _dry(found, "Would be uninstalled", into, clean)
        return _told(world, found, into, lines, dry_run=True)
    with _alone(world):
        found = plan.uninstall(into, clean.text, kept)
        changes.make(found.changes, into.bound)
        sweep(world, into)
        for folder in (*found.folders, *([into.base] if _made(world, into) else [])):
            with suppress(OSError):  # not empty, or gone
                folder.rmdir()
        atomic.remove(_record(world, into))
    lines = _written(found, "Uninstalled", into) or _nothing(world, into)
    lines += [f"Stays, since you changed it: {clean.text(name)}" for name in found.changed]
    stays = _left_in_project(world, workspace.here(world)) if into.memory else []
    machine = _left_on_machine(world)
    lines += _staying(stays, machine)
    return _told(world, found, into, lines, stays=[*stays, *machine])


def sweep(world: World, into: Target) -> None:
    """Remove temporary files that killed calls left where an installation writes."""
    own = (into.root, into.base, world.data / _RECORDS)
    changes.sweep({*own, *into.places(), *(path.parent for path in into.shipped())})


def _target(world: World, client: Client, *, user: bool) -> Target:
    own = client.of_user(world.home, world.env)
    if user:
        return own
    project = client.of_project(workspace.here(world), world.home)
    if refusal := project.refusal(own):
        words = " ".join(("onward install", *filter(None, (client.OPTION,)), "--user"))
        raise RefusedError(refusal, f"{words}, or cd into a project first")
    return project


@contextmanager
def _alone(world: World) -> Iterator[None]:
    """No other installation on this machine at the same time; our folder is there."""
    with locks.hold(workspace.data(world) / _RECORDS / ".lock"):
        yield


def _record(world: World, into: Target) -> Path:
    name = hashlib.blake2b(os.fsencode(into.base), digest_size=8).hexdigest()
    return world.data / _RECORDS / f"{name}.json"


def _made(world: World, into: Target) -> bool:
    """Whether an installation made the client's folder: an empty one of the user's own stays."""
    try:
        return bool(msgspec.json.decode(reading.data(_record(world, into)))["made"])
    except (OnwardError, OSError, msgspec.DecodeError, LookupError, TypeError):  # an older record
        return False


def _dry(found: Plan, would: str, into: Target, clean: Redactor) -> list[str]:
    """The files first, and every line of them behind."""
    if not found.changes:
        return ["Nothing would change.", *_left(found, clean)]
    # What lies in `.git` is named above: git itself applies no patch to it.
    diff = changes.diff((c for c in found.changes if ".git" not in c.path.parts), clean.text)
    return [*_written(found, would, into), *_left(found, clean), "", diff]


def _written(found: Plan, did: str, into: Target) -> list[str]:
    """What was done, folder by folder; nothing where nothing was."""
    groups: dict[str, list[Change]] = {}
    for change in found.changes:
        groups.setdefault(_group(change, into), []).append(change)
    lines = [f"{did} for {'this project' if into.memory else 'all your projects'}:"]
    for name, group in groups.items():
        for verb in ("created", "changed", "removed"):
            count = sum(_verb(each) == verb for each in group)
            of = "" if group[0].name == name else f" ({count} file{'s' * (count > 1)})"
            lines += [f"  {verb} {name}{of}"] if count else []
    return lines if groups else []


def _nothing(world: World, into: Target) -> list[str]:
    """That nothing was there; and for which other client something is."""
    user = () if into.memory else ("--user",)
    where = f"in {into.shown(into.base)}" if user else "here"
    others = [
        f"For {other.NAME} it is: {' '.join(('onward uninstall', *filter(None, (other.OPTION,)), *user))}"
        for other in ALL
        if not isinstance(into, other) and _is_installed(_target(world, other, user=bool(user)))
    ]
    whose = f" for {into.NAME}" if others else ""
    return [f"Nothing of onward is installed {where}{whose}.", *others]


def _is_installed(into: Target) -> bool:
    return (into.base / files.MANIFEST).is_file()


def _left(found: Plan, clean: Redactor) -> list[str]:
    """What an installation does not touch, and what that means."""
    mine = "To have ours: move it away and install again"
    lines = [f"Left, since it is yours: {name}. {mine}" for name in found.foreign]
    lines += [f"No hook for {event}: its shim could not be written." for event in found.unhooked]
    # Names from the record, which came with the repository.
    return [*lines, *(f"Left as you changed it: {clean.text(name)}" for name in found.changed)]


def _new(found: Plan) -> list[Change]:
    return [each for each in found.changes if _verb(each) == "created"]


def _verb(change: Change) -> str:
    if change.before is None:
        return "created"
    return "removed" if change.after is None else "changed"


def _group(change: Change, into: Target) -> str:
    for folder in into.places():
        if change.path.is_relative_to(folder):
            return into.shown(folder)
    return change.name


def _elsewhere(world: World, into: Target) -> list[str]:
    with suppress(OnwardError):  # for the user, whatever the project they stand in is like
        project = into.of_project(workspace.here(world), world.home)
        user = into.of_user(world.home, world.env)
        return list(into.elsewhere(project, user))
    return []


def _told(
    world: World,
    found: Plan,
    into: Target,
    lines: Sequence[str],
    *,
    dry_run: bool = False,
    stays: Sequence[Leftover] = (),
) -> Result:
    data = {
        "for": "project" if into.memory else "user",
        "root": workspace.shown(into.root, world),
        "dry_run": dry_run,
        "changes": [{"path": each.name, "what": _verb(each)} for each in found.changes],
        "foreign": found.foreign,
        "changed": found.changed,
        "unhooked": found.unhooked,
        "stays": [each._asdict() for each in stays],
    }
    return Result(text=compose(*lines), data=data)


class Leftover(NamedTuple):
    """A file, or a folder with all that is below it; `bytes` of links are not counted."""

    path: str
    files: int
    bytes: int


def _left_in_project(world: World, project: Project) -> list[Leftover]:
    """What onward and its commands wrote in a project, the raw transcripts by themselves."""
    raw = project.memory / "raw"
    others = (path for path in project.places if path != project.memory)
    places = (project.memory, raw, *others)
    return _sizes_of([(workspace.shown(path, world, project.root), path) for path in places])


def _left_on_machine(world: World) -> list[Leftover]:
    """Our folder, which all projects share."""
    return _sizes_of([(workspace.shown(world.data, world), world.data)])


def _staying(project: Sequence[Leftover], machine: Sequence[Leftover]) -> list[str]:
    """The lines for the user: what stays, and what removes it."""
    lines = ["Stays, since it is yours:"] if project or machine else []
    width = max((len(each.path) for each in [*project, *machine]), default=0)
    lines += [f"  {each.path:{width}}  {_measured(each)}" for each in project]
    lines += [f"  {each.path:{width}}  {_measured(each)}, of all projects" for each in machine]
    # raw/ lies in the memory.
    gone = [each.path for each in project if not _within_another(each, project)]
    if gone:
        lines.append(f"To remove it, in the project's folder: rm -r {_quoted(gone)}")
    if machine:
        paths = _quoted([each.path for each in machine])
        lines.append(f"To remove the trash, the log and the key of all projects: rm -r {paths}")
    return lines


def _sizes_of(places: Sequence[tuple[str, Path]]) -> list[Leftover]:
    sizes = [(shown, _sizes(path)) for shown, path in places]
    found = [Leftover(shown, len(each), sum(each)) for shown, each in sizes]
    return [each for each in found if each.bytes]


def _sizes(path: Path) -> list[int]:
    """The bytes of each file; a file that goes meanwhile counts nothing."""
    files = [path] if path.is_file() else []
    for folder, _, names in os.walk(path):
        files += [Path(folder, name) for name in names]
    return [each.lstat().st_size for each in files if each.is_file() and not each.is_symlink()]


def _within_another(one: Leftover, others: Sequence[Leftover]) -> bool:
    return any(one.path.startswith(f"{other.path}/") for other in others)


def _measured(found: Leftover) -> str:
    size, unit = float(found.bytes), "bytes"
    for larger in ("KB", "MB", "GB"):
        if size >= 1000:
            size, unit = size / 1000, larger
    number = f"{size:.0f}" if unit == "bytes" else f"{size:.1f}"
    return f"{found.files} file{'s' * (found.files != 1)}, {number} {unit}"


def _quoted(paths: Sequence[str]) -> str:
    """Paths as a shell takes them; `~/` stays for it to fill in."""
    return " ".join(
        f"~/{shlex.quote(path[2:])}" if path.startswith("~/") else shlex.quote(path)
        for path in paths
    )
