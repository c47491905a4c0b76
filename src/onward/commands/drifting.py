"""A saved place against the repository and the files of today."""

from __future__ import annotations

from onward import drift, repo
from onward.commands import rim
from onward.commands.source import Source
from onward.commands.world import World
from onward.formats.times import age
from onward.model import Clean, Drift


def look(world: World, source: Source) -> Drift[Clean] | None:
    """What changed since the save, redacted; None where its project is not on this machine."""
    if source.root is None:
        return None
    seen = repo.observe(source.checkpoint, source.root)
    return rim.redactor(world).drift(drift.compare(source.checkpoint, seen))


def age_of(world: World, source: Source) -> str:
    """How long ago its file was last written (`3 days`)."""
    return age(world.now.timestamp() - source.mtime)
