"""`install` and `uninstall`: what a client calls us by, put in its places and taken out again."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from onward import __version__
from onward.briefing.text import count
from onward.clients import files, plan, target
from onward.clients.files import Change
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
    kept = () if user else files.excluded(workspace.here(world), shared=shared)
    if dry_run:
        found = plan.install(into, clean.text, kept, mcp=mcp)
        lines = _dry(found, "Would be installed", into, clean)
        return _told(world, found, into, lines, dry_run=True)
    with _alone(world):
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
        if not asks and not archive.folder(world.home, world.env).is_dir():
            lines.append(_KEEP)
    with suppress(OnwardError):  # for the user, whatever the project they stand in is like
        project = client.of_project(workspace.here(world), world.home)
        lines += into.elsewhere(project, client.of_user(world.home, world.env))
    return _told(world, found, into, [*lines, target.CHECK])


def uninstall(world: World, *, user: bool, dry_run: bool, client: Client = DEFAULT) -> Result:
    """Take out what `install` wrote. What a user changed stays and is named."""
    into, clean = _target(world, client, user=user), workspace.redactor_for_show(world)
    others = [] if user else [_target(world, each, user=False) for each in ALL if each != client]
    alone = not any((each.base / files.MANIFEST).is_file() for each in others)
    kept = files.included(workspace.here(world)) if alone and not user else ()
    if dry_run:
        found = plan.uninstall(into, clean.text, kept)
        lines = _dry(found, "Would be uninstalled", into, clean)
        return _told(world, found, into, lines, dry_run=True)
    with _alone(world):
        found = plan.uninstall(into, clean.text, kept)
        files.make(found.changes, into.bound)
        sweep(world, into)
        for folder in (*found.folders, *([into.base] if _made(world, into) else [])):
            with suppress(OSError):  # not empty, or gone
                folder.rmdir()
        atomic.remove(_record(world, into))
    lines = _written(found, "Uninstalled", into) or _nothing(world, into)
    lines += [f"Stays, since you changed it: {clean.text(name)}" for name in found.changed]
    stays = _stays(world, workspace.here(world) if into.memory else None)
    return _told(world, found, into, [*lines, *_staying(world, stays)], stays=stays)


def sweep(world: World, into: Target) -> None:
    """Remove temporary files that killed calls left where an installation writes."""
    own = (into.root, into.base, world.data / _RECORDS)
    files.sweep({*own, *into.places(), *(path.parent for path in into.shipped())})


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
    diff = files.diff((c for c in found.changes if ".git" not in c.path.parts), clean.text)
    return [*_written(found, would, into), *_left(found, clean), "", diff]


def _written(found: Plan, did: str, into: Target) -> list[str]:
    """What was done, folder by folder; nothing where nothing was."""
    if not found.changes:
        return []
    groups = Counter[tuple[str, str]]()
    names = [each.name for each in found.changes]
    for change in found.changes:
        folders = (f for f in into.places() if change.path.is_relative_to(f))
        folder = next(folders, None)
        groups[into.shown(folder) if folder else change.name, _verb(change)] += 1
    whose = "this project" if into.memory else "all your projects"
    return [
        f"{did} for {whose}:",
        *(
            f"  {verb} {name}" + ("" if name in names else f" ({count(number, 'file')})")
            for (name, verb), number in groups.items()
        ),
    ]


def _nothing(world: World, into: Target) -> list[str]:
    """That nothing was there; and for which other client something is."""
    user = () if into.memory else ("--user",)
    where = f"in {into.shown(into.base)}" if user else "here"
    others = [
        f"For {other.NAME} it is: {' '.join(('onward uninstall', *filter(None, (other.OPTION,)), *user))}"
        for other in ALL
        if not isinstance(into, other)
        and (_target(world, other, user=bool(user)).base / files.MANIFEST).is_file()
    ]
    whose = f" for {into.NAME}" if others else ""
    return [f"Nothing of onward is installed {where}{whose}.", *others]


def _left(found: Plan, clean: Redactor) -> list[str]:
    """What an installation does not touch, and what that means."""
    mine = "To have ours: move it away and install again"
    lines = [f"Left, since it is yours: {name}. {mine}" for name in found.foreign]
    lines += [f"No hook for {event}: its shim could not be written." for event in found.unhooked]
    # Names from the record, which came with the repository.
    return [*lines, *(f"Left as you changed it: {clean.text(name)}" for name in found.changed)]


def _verb(change: Change) -> str:
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


def _stays(world: World, project: Project | None) -> list[Leftover]:
    """What onward and its commands wrote in a project, the raw transcripts by themselves; and our
    folder, which all projects share.
    """
    own = (project.memory, project.memory / "raw", *project.places) if project else ()
    found = []
    for path in dict.fromkeys((*own, world.data)):
        files = [path, *path.rglob("*")]
        sizes = [f.lstat().st_size for f in files if f.is_file() and not f.is_symlink()]
        shown = workspace.shown(path, world, project.root if project else None)
        found.append(Leftover(shown, len(sizes), sum(sizes)))
    return [each for each in found if each.bytes]


def _staying(world: World, stays: Sequence[Leftover]) -> list[str]:
    """The lines for the user: what stays, and what removes it."""
    machine = workspace.shown(world.data, world)
    width = max((len(each.path) for each in stays), default=0)
    lines = ["Stays, since it is yours:"] if stays else []
    for each in stays:
        whose = ", of all projects" if each.path == machine else ""
        lines.append(f"  {each.path:{width}}  {_measured(each)}{whose}")
    paths = [each.path for each in stays]
    # raw/ lies in the memory.
    gone = [p for p in paths if p != machine and not any(p.startswith(f"{q}/") for q in paths)]
    if gone:
        lines.append(
            f"To remove it, in the project's folder: rm -r {' '.join(map(workspace.quoted, gone))}"
        )
    if machine in paths:
        told = "To remove the trash, the log and the key of all projects"
        lines.append(f"{told}: rm -r {workspace.quoted(machine)}")
    return lines


def _measured(found: Leftover) -> str:
    size, unit = float(found.bytes), "bytes"
    for larger in ("KB", "MB", "GB"):
        if size >= 1000:
            size, unit = size / 1000, larger
    return f"{count(found.files, 'file')}, {size:.{unit != 'bytes':d}f} {unit}"
