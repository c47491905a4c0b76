"""`search`: the files that are looked through, the clients' own before the copies of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from onward.commands import saves
from onward.commands.world import World
from onward.documents import times
from onward.errors import OnwardError
from onward.storage import machine, project, roots
from onward.storage.names import AUTOSAVE_LOG
from onward.storage.project import Project
from onward.transcripts import lines, registry
from onward.transcripts.agents import AGENTS, Agent

Kind = Literal["transcript", "backup", "checkpoint", "document"]

HELPER: Final = "agent-"
"""What the names of sub-agents' own files begin with."""
_RAW = (".jsonl", ".jsonl.zst")


class Place(Struct, frozen=True, kw_only=True):
    """One file. `client` is None where its beginning will tell; `root` is the project that a
    file of ours lies in. Another machine's has an `address` (`NAME@MACHINE`) and its `text`.
    """

    path: Path
    kind: Kind
    size: int
    mtime: float
    client: Agent | None = None
    root: Path | None = None
    address: str = ""
    text: str = ""


class Unread(Struct, frozen=True):
    """What could not be looked into, and why."""

    path: str
    reason: str


def _refused(path: Path, error: OSError) -> Unread:
    return Unread(str(path), error.strerror or "the system refused")


def transcripts(world: World, clients: Iterable[Agent], unread: list[Unread]) -> list[Place]:
    """The clients' own files, the newest first."""
    found: list[Place] = []
    for client in clients:
        faults: list[OSError] = []
        own = client.files(world.home, world.env, faults)
        for path in chain(own, client.kept(world.home, world.env)):
            found += _place(path, "transcript", unread, client=client)
        unread += (Unread(str(path), reason) for path, reason, _ in registry.closed(faults))
    return sorted(found, key=lambda place: -place.mtime)


def projects(world: World, folders: Iterable[str]) -> list[Path]:
    """This project, and all that sessions were held or saved in and that still exist."""
    tops = dict.fromkeys([str(world.cwd), *folders, *sorted(saves.roots(str(world.data)))])
    found = dict.fromkeys(root for folder in tops if (root := root_of(folder, str(world.home))))
    return [Path(root) for root in found]


@cache
def root_of(folder: str, home: str) -> str:
    """The project that a folder belongs to; "" where it is none, or gone."""
    if not os.path.isdir(folder):  # noqa: PTH112 - asked of every session's folder
        return ""
    return roots.project(folder, home)[0]


def of_project(world: World, root: Path, unread: list[Unread]) -> list[Place]:
    """The checkpoints, documents and raw backups of a project, in this order, and what `onward
    pull` brought from other machines.
    """
    try:
        ours = project.locate(root, root, world.home)
    except OnwardError as error:
        unread.append(Unread(str(root), error.message))
        return []
    kinds: tuple[tuple[Kind, Path, tuple[str, ...]], ...] = (
        ("checkpoint", ours.checkpoints, (".md",)),
        ("document", ours.memory, (".md",)),
        ("backup", ours.memory / "raw", _RAW),
    )
    own = [
        place
        for kind, folder, ends in kinds
        for path in _listed(folder, unread)
        if path.name.endswith(ends)
        and path.stem != AUTOSAVE_LOG
        and (kind != "document" or path.name.startswith("session-"))
        for place in _place(path, kind, unread, root=root)
    ]
    return own + _of_others(world, ours, unread)


def _of_others(world: World, ours: Project, unread: list[Unread]) -> list[Place]:
    """Other machines' records in a project, with their text, if a key here opens them."""
    stem = machine.shared_stem(str(world.data), str(ours.root))
    if not os.path.isfile(f"{stem}.json"):  # noqa: PTH113 - asked of every project
        return []
    # Few projects share anything, and git and keys are dear to load.
    from onward.commands.share import place  # noqa: PLC0415

    try:
        peers = place.pulled(world, ours).peers
        known = [(peer, each) for peer in peers for each in peer.held if each.kind != "protocol"]
        texts = list(place.texts(world, ours, [held for _, held in known]))
    except OnwardError as error:
        unread.append(Unread(f"{stem}.git", error.message))
        return []
    folder, found = place.bare(world, ours).folder, list[Place]()
    for (peer, held), text in zip(known, texts, strict=True):
        kind: Kind = "checkpoint" if held.kind == "checkpoint" else "document"
        if text is not None:
            found.append(
                Place(
                    path=folder / kind / f"{held.name}@{peer.writer}",
                    kind=kind,
                    size=len(text.encode()),
                    mtime=times.seconds(held.saved),
                    root=ours.root,
                    address=f"{held.name}@{peer.label}",
                    text=text,
                )
            )
    return found


def session_of(main: Path) -> str:
    """The id that the records of a transcript bear. Raises InputError."""
    return registry.agent_of(main).facts(lines.beginning(main)).session or main.name


def of_session(world: World, main: Path, unread: list[Unread]) -> list[Place]:
    """The transcript of one session, and the files that may be its sub-agents'."""
    every = transcripts(world, AGENTS, unread)
    folder = main.with_suffix("")
    beside = [
        each
        for each in every
        if folder in each.path.parents
        or (each.path.parent == main.parent and each.path.name.startswith(HELPER))
    ]
    own = [each for each in every if each.path == main]
    # Elsewhere it is a copy: its id may lead to another file, or to none.
    own = own or [*_place(main, "backup", unread, client=registry.agent_of(main))]
    return own + beside


def named(names: str) -> list[Agent]:
    """The clients that a name means, or begins; all of them for ""."""
    return [client for client in AGENTS if client.NAME.startswith(names.lower())]


def _listed(folder: Path, unread: list[Unread]) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        unread.append(_refused(folder, error))
        return []


def _place(
    path: Path,
    kind: Kind,
    unread: list[Unread],
    *,
    client: Agent | None = None,
    root: Path | None = None,
) -> Iterator[Place]:
    try:
        disk = path.stat()
    except FileNotFoundError:  # removed meanwhile
        return
    except OSError as error:
        unread.append(_refused(path, error))
        return
    if path.is_file() and disk.st_size:  # a pipe would be waited for without end
        yield Place(
            path=path, kind=kind, size=disk.st_size, mtime=disk.st_mtime, client=client, root=root
        )
