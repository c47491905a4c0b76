"""A saved place against the repository and the files of today."""

from __future__ import annotations

import msgspec

from onward import drift, quality, repo
from onward.commands import rim
from onward.commands.source import Source
from onward.commands.world import World
from onward.formats.times import age
from onward.model import Clean, Drift, FileDrift


def look(world: World, source: Source) -> Drift[Clean] | None:
    """What changed since the save, redacted; None where its project is not on this machine."""
    if source.root is None:
        return None
    found = drift.compare(source.checkpoint, repo.observe(source.checkpoint, source.root))
    others = rim.not_ours(found.dirty, rim.here(world).places, source.root)
    found = msgspec.structs.replace(found, dirty=others)
    if source.kind in {"checkpoint", "document"}:
        is_there = rim.finder(world, source.root)
        lost = (path for path in quality.named_paths(source.checkpoint) if not is_there(path))
        missing = (FileDrift(path=path, change="missing") for path in lost)
        found = msgspec.structs.replace(found, files=(*found.files, *missing))
    return rim.redactor(world).drift(found)


def age_of(world: World, source: Source) -> str:
    """How long ago its file was last written (`3 days`)."""
    return age(world.now.timestamp() - source.mtime)
