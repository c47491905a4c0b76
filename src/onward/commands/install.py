"""`install` and `uninstall`: what a client calls us by, put in its places and taken out again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from onward import __version__, repo
from onward.commands import rim
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import OnwardError, RefusedError, StorageError
from onward.install import changes, launcher, plan, target
from onward.install.changes import Change
from onward.install.plan import Plan
from onward.install.target import Target
from onward.redact import Redactor
from onward.store import atomic, locks

_RECORDS = "installs"


def install(world: World, *, user: bool, dry_run: bool) -> Result:
    """Write what is missing or older, for this project or for the person. Raises InputError for
    settings that cannot be read, RefusedError, StorageError: then nothing was changed.
    """
    into, clean = _target(world, user=user), _clean(world)
    if dry_run:
        found = plan.install(into, clean.text)
        return _told(world, found, into, _diff(found, clean), dry_run=True)
    with _alone(world):
        found = plan.install(into, clean.text)
        launcher.write_launcher(world.data)
        changes.make(found.changes, into.bound)
        record = {"root": str(into.root), "user": user, "version": __version__}
        atomic.write_bytes(_record(world, into), msgspec.json.encode(record), atomic.PRIVATE)
    lines = _written(found, "Installed", "All of it was installed already.", into)
    lines += [
        f"Left, since it is yours: {name}. To have ours: move it away and install again"
        for name in found.foreign
    ]
    lines += [f"No hook for {event}: its shim could not be written." for event in found.unhooked]
    # Names from the record, which came with the repository.
    lines += [f"Left as you changed it: {clean.text(name)}" for name in found.changed]
    return _told(world, found, into, [*lines, "", *_advice(world, into), "", "Next: onward doctor"])


def uninstall(world: World, *, user: bool, dry_run: bool) -> Result:
    """Take out what `install` wrote. What a person changed stays and is named."""
    into, clean = _target(world, user=user), _clean(world)
    if dry_run:
        found = plan.uninstall(into, clean.text)
        return _told(world, found, into, _diff(found, clean), dry_run=True)
    with _alone(world):
        found = plan.uninstall(into, clean.text)
        changes.make(found.changes, into.bound)
        for folder in found.folders:
            with suppress(OSError):  # not empty, or gone
                folder.rmdir()
        atomic.remove(_record(world, into))
    lines = _written(found, "Uninstalled", "Nothing of onward is installed there.", into)
    lines += [f"Stays, since you changed it: {clean.text(name)}" for name in found.changed]
    if into.memory and into.memory.is_dir():
        lines.append(f"Stays, since it is yours: {into.shown(into.memory)} and all checkpoints")
    return _told(world, found, into, lines)


def _target(world: World, *, user: bool) -> Target:
    person = target.of_person(world.home, world.env)
    if user:
        return person
    project = target.of_project(rim.here(world), world.home)
    real = Path(os.path.realpath(project.root))
    hint = "onward install --user, or cd into a project first"
    if real == real.parent or real == Path(os.path.realpath(world.home)):
        raise RefusedError(f"{project.root} is no project: nothing is installed there", hint)
    if Path(os.path.realpath(project.base)) == person.base:
        raise RefusedError(f"{project.base} is your own settings folder, no project's", hint)
    return project


def _clean(world: World) -> Redactor:
    """For what is only shown. Its key is of this call, so that a dry run writes nothing at all."""
    user = world.env.get("USER") or world.env.get("USERNAME") or world.home.name
    return Redactor(os.urandom(32), home=str(world.home), user=user)


@contextmanager
def _alone(world: World) -> Iterator[None]:
    """No other installation on this machine at the same time; our folder is there."""
    if world.data.is_relative_to(world.home) and not world.home.is_dir():
        raise StorageError(
            f"the home folder {world.home} does not exist", "export ONWARD_DATA=FOLDER"
        )
    with locks.hold(world.data / _RECORDS / ".lock"):
        yield


def _record(world: World, into: Target) -> Path:
    name = hashlib.blake2b(os.fsencode(into.root), digest_size=8).hexdigest()
    return world.data / _RECORDS / f"{name}.json"


def _diff(found: Plan, clean: Redactor) -> list[str]:
    return [changes.diff(found.changes, clean.text) or "Nothing would change."]


def _written(found: Plan, did: str, none: str, into: Target) -> list[str]:
    """What was done, folder by folder."""
    if not found.changes:
        return [none]
    groups: dict[str, list[Change]] = {}
    for change in found.changes:
        groups.setdefault(_group(change, into), []).append(change)
    lines = [f"{did} for {'this project' if into.memory else 'all your projects'}:"]
    for name, group in groups.items():
        for verb in ("wrote", "changed", "removed"):
            count = sum(_verb(each) == verb for each in group)
            of = "" if group[0].name == name else f" ({count} file{'s' * (count > 1)})"
            lines += [f"  {verb:8}{name}{of}"] if count else []
    return lines


def _verb(change: Change) -> str:
    if change.before is None:
        return "wrote"
    return "removed" if change.after is None else "changed"


def _group(change: Change, into: Target) -> str:
    for folder in target.places(into):
        if change.path.is_relative_to(folder):
            return into.shown(folder)
    return change.name


def _advice(world: World, into: Target) -> list[str]:
    lines = [target.RUNNING]
    if into.memory:
        lines += [target.TRUST, target.BELOW]
        if repo.top(into.root):
            memory = into.shown(into.memory)
            lines.append(
                f"Commit {into.shown(into.base)}, so that whoever has onward has this too; raw"
                f" transcripts, marker and log in {memory} are kept out of git."
            )
    else:
        lines.append(target.NO_IMPORTS)
    with suppress(OnwardError):  # for the person, whatever the project they stand in is like
        project = target.of_project(rim.here(world), world.home)
        lines += target.elsewhere(into, project, target.of_person(world.home, world.env))
    return lines


def _told(
    world: World, found: Plan, into: Target, lines: Sequence[str], *, dry_run: bool = False
) -> Result:
    data = {
        "for": "project" if into.memory else "user",
        "root": rim.shown(into.root, world),
        "dry_run": dry_run,
        "changes": [{"path": each.name, "what": _verb(each)} for each in found.changes],
        "foreign": found.foreign,
        "changed": found.changed,
        "unhooked": found.unhooked,
    }
    return Result(text=compose(*lines), data=data)
