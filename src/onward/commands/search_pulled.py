"""`search`: the checkpoints and documents that `onward pull` brought from other machines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import compress
from pathlib import Path

from onward.commands.search_files import Kind, Place, Unread
from onward.commands.world import World
from onward.documents import times
from onward.errors import OnwardError
from onward.storage import project, shared


def of_project(world: World, root: Path, unread: list[Unread]) -> list[Place]:
    """The records of other machines in a project, with their text; without those that no key
    here opens.
    """
    stem = shared.stem(str(world.data), str(root))
    if not os.path.isfile(f"{stem}.json"):  # noqa: PTH113 - asked of every project
        return []
    try:
        return [*_read(world, root)]
    except OnwardError as error:
        unread.append(Unread(f"{stem}.git", error.message))
        return []


def _read(world: World, root: Path) -> Iterator[Place]:
    # Few projects share anything, and git and keys are dear to load.
    from onward.commands.share import place  # noqa: PLC0415
    from onward.repo import connection, objects  # noqa: PLC0415 - as above
    from onward.sharing import record  # noqa: PLC0415 - as above

    ours = project.locate(root, root, world.home)
    bare = place.bare(world, ours)
    known = [
        (peer, held)
        for peer in place.pulled(world, ours).peers
        for held in peer.held
        if held.kind != "protocol"
    ]
    found = objects.look(bare, [held.oid for _, held in known])
    fits = [each.kind == "blob" and each.size <= record.LARGEST for each in found]
    opener = place.opener(world, connection.settings(root))
    texts = objects.contents(bare, compress(found, fits))
    for (peer, held), data in zip(compress(known, fits), texts, strict=True):
        plain = data
        if held.sealed:
            opened = opener.open(data)
            if opened is None:
                continue
            plain = opened[1]
        at = times.moment(held.saved)
        kind: Kind = "checkpoint" if held.kind == "checkpoint" else "document"
        address = f"{held.name}@{peer.label}"
        yield Place(
            path=bare.folder / kind / f"{held.name}@{peer.writer}",
            kind=kind,
            size=len(plain),
            mtime=at.timestamp() if at else 0.0,
            root=root,
            address=address,
            text=plain.decode("utf-8", "replace"),
        )
