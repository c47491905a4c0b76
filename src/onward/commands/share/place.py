"""The shared records of the project here: our repository, who writes, what was pulled."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from onward.commands import workspace
from onward.commands.world import World
from onward.errors import OnwardError
from onward.repo import objects
from onward.repo.connection import Connection, Settings
from onward.repo.objects import Bare
from onward.sharing import names, sealing
from onward.sharing.sealing import Opener, Sealer
from onward.sharing.union import Index
from onward.storage import atomic, locks, reading, shared
from onward.storage.project import Project

OWN = "refs/onward/own/"
"""In our repository: the chain of this work tree's writer."""
PEERS = "refs/onward/peers/"
"""In our repository: what was pulled, below eight digits for each remote."""
NEXT = "refs/onward/next/"
"""In our repository: a commit that is being made."""


class Place(Struct, frozen=True, kw_only=True):
    """Where the records of one work tree lie, and who it is for others."""

    project: Project
    stem: Path
    bare: Bare
    writer: str
    machine: str
    sealer: Sealer | None = None
    """For whom its records are encrypted, if they are."""
    opener: Opener = Opener()
    """What opens those of others."""

    @property
    def own(self) -> str:
        """The ref of its chain in our repository."""
        return OWN + self.writer

    @property
    def there(self) -> str:
        """The same on a remote."""
        return names.REFS + self.writer


@contextmanager
def opened(world: World, settings: Settings, to: Connection, limit: float) -> Iterator[Place]:
    """The place of the project here, made if there was none, for one push, pull or forget at a
    time; another one is waited for `limit` seconds.
    """
    project = workspace.here(world)
    with alone(world, project, limit) as stem:
        bare = Bare(Path(f"{stem}.git"), to.digits)
        objects.prepare(bare)
        yield _place(world, settings, project, stem, bare)


@contextmanager
def alone(world: World, project: Project, limit: float) -> Iterator[Path]:
    """Nobody else changes what lies here of the project meanwhile; another one is waited for
    `limit` seconds. Yields what the names of all of it begin with.
    """
    stem = Path(shared.stem(str(world.data), str(project.root)))
    with atomic.told(stem.parent):
        atomic.folder(stem.parent, 0o700)
    with locks.hold(Path(f"{stem}.lock"), limit):
        yield stem


def _place(world: World, settings: Settings, project: Project, stem: Path, bare: Bare) -> Place:
    """Who this work tree is; its writer stays the same when the machine is renamed."""
    redactor = workspace.redactor(world)
    machine = " ".join(redactor.text(settings.last("onward.machine") or platform.node()).split())
    digits = blake2b(stem.name.encode(), key=workspace.key(world)[:64], digest_size=4).hexdigest()
    known = [ref.removeprefix(OWN) for ref in objects.refs(bare, OWN)]
    writer = known[0] if known else names.writer(machine, digits)
    recipients = settings.each("onward.recipient")
    return Place(
        project=project,
        stem=stem,
        bare=bare,
        writer=writer,
        machine=machine if names.fits(machine) else writer,
        sealer=Sealer(workspace.key(world), recipients) if recipients else None,
        opener=opener(world, settings),
    )


def opener(world: World, settings: Settings) -> Opener:
    """The keys in the file that `onward.identity` names, else in `identity` in the data folder, if
    one is there. Raises OnwardError for a file without one.
    """
    told = settings.last("onward.identity")
    path = world.home / told.removeprefix("~/") if told else world.data / "identity"
    if not told and not path.is_file():
        return Opener()
    return sealing.opener(reading.text(path), told or str(path))


def pulled(world: World, project: Project) -> Index:
    """What was pulled of a project; nothing where nothing was, or where it cannot be read (the
    next pull makes it anew).
    """
    path = _index(Path(shared.stem(str(world.data), str(project.root))))
    try:
        return (
            msgspec.json.decode(reading.data(path, most=reading.LARGEST_CACHE), type=Index)
            if path.is_file()
            else Index()
        )
    except (msgspec.DecodeError, OnwardError):
        return Index()


def bare(world: World, project: Project) -> Bare:
    """Our repository for a project, which may not be there."""
    return Bare(Path(f"{shared.stem(str(world.data), str(project.root))}.git"))


def keep(world: World, project: Project, index: Index) -> None:
    """Write down what was pulled."""
    path = _index(Path(shared.stem(str(world.data), str(project.root))))
    atomic.write_bytes(path, msgspec.json.encode(index), atomic.PRIVATE)


def mark(addresses: str) -> str:
    """Eight digits that tell a remote from others."""
    return blake2b(addresses.encode("utf-8", "replace"), digest_size=4).hexdigest()


def _index(stem: Path) -> Path:
    return stem.with_name(f"{stem.name}.json")
