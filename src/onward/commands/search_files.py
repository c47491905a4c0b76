"""`search`: the files that are looked through, the clients' own before the copies of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

from onward.commands import saves
from onward.commands.world import World
from onward.errors import OnwardError
from onward.storage import project, roots
from onward.storage.names import AUTOSAVE_LOG
from onward.transcripts.searchable import CLIENTS, Client

Kind = Literal["transcript", "backup", "checkpoint", "document"]

_RAW = (".jsonl", ".jsonl.zst")


class Place(Struct, frozen=True, kw_only=True):
    """One file. `client` is None where its beginning will tell; `root` is the project that a
    file of ours lies in. Another machine's has an `address` (`NAME@MACHINE`) and its `text`.
    """

    path: Path
    kind: Kind
    size: int
    mtime: float
    client: Client | None = None
    root: Path | None = None
    address: str = ""
    text: str = ""


class Unread(Struct, frozen=True):
    """What could not be looked into, and why."""

    path: str
    reason: str


def transcripts(world: World, clients: Iterable[Client], unread: list[Unread]) -> list[Place]:
    """The clients' own files, the newest first."""
    found: list[Place] = []
    for client in clients:
        faults: list[OSError] = []
        for path in client.files(world.home, world.env, faults):
            found += _place(path, "transcript", unread, client=client)
        unread += (
            Unread(str(fault.filename), fault.strerror or "the system refused")
            for fault in faults
            if not isinstance(fault, FileNotFoundError | NotADirectoryError)
        )
    return sorted(found, key=lambda place: -place.mtime)


def projects(world: World, folders: Iterable[str]) -> list[Path]:
    """The projects that sessions were held in, or saved in since their clients deleted them, and
    that are still there; and the one here.
    """
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
    """The checkpoints, documents and raw backups of a project, in this order."""
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
    return [
        place
        for kind, folder, ends in kinds
        for path in _listed(folder, unread)
        if path.name.endswith(ends)
        and path.stem != AUTOSAVE_LOG
        and (kind != "document" or path.name.startswith("session-"))
        for place in _place(path, kind, unread, root=root)
    ]


def named(names: str) -> list[Client]:
    """The clients that a name means, or begins; all of them for ""."""
    return [client for client in CLIENTS if client.NAME.startswith(names.lower())]


def _listed(folder: Path, unread: list[Unread]) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        unread.append(Unread(str(folder), error.strerror or "the system refused"))
        return []


def _place(
    path: Path,
    kind: Kind,
    unread: list[Unread],
    *,
    client: Client | None = None,
    root: Path | None = None,
) -> Iterator[Place]:
    try:
        disk = path.stat()
    except FileNotFoundError:  # removed meanwhile
        return
    except OSError as error:
        unread.append(Unread(str(path), error.strerror or "the system refused"))
        return
    if path.is_file() and disk.st_size:  # a pipe would be waited for without end
        yield Place(
            path=path, kind=kind, size=disk.st_size, mtime=disk.st_mtime, client=client, root=root
        )
