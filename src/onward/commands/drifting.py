"""A saved place against the repository and the files of today."""

from __future__ import annotations

from pathlib import Path

import msgspec

from onward import drift, quality, repo
from onward.commands import workspace
from onward.commands.result import compose
from onward.commands.source import Source
from onward.commands.world import World
from onward.documents import times
from onward.documents.times import age
from onward.model import Checkpoint, Clean, Drift, FileDrift, RepoState


def look(world: World, source: Source) -> Drift[Clean] | None:
    """What changed since the save, redacted; None where its project is not on this machine."""
    if source.root is None:
        return None
    saved = _as_it_ended(source.checkpoint, source.root)
    found = drift.compare(saved, repo.observe(saved, source.root))
    others = workspace.not_ours(found.dirty, workspace.here(world).places, source.root)
    if saved is not source.checkpoint:
        others = ()  # nobody knows whether they were uncommitted when the session ended
    found = msgspec.structs.replace(found, dirty=others)
    if source.kind in {"checkpoint", "document"}:
        is_there = workspace.finder(world, source.root)
        lost = (path for path in quality.named_paths(source.checkpoint) if not is_there(path))
        missing = (FileDrift(path=path, change="missing") for path in lost)
        found = msgspec.structs.replace(found, files=(*found.files, *missing))
    return workspace.redactor(world).drift(found)


def _as_it_ended(checkpoint: Checkpoint, root: Path) -> Checkpoint:
    """The checkpoint with branch and commit of the session's last event, where nobody asked git then:
    of a transcript. What else was uncommitted at that time is unknown.
    """
    at = times.moment(checkpoint.origin.ended)
    if checkpoint.repo is not None or at is None:
        return checkpoint
    commit = repo.commit_at(root, at)
    if not commit:
        return checkpoint
    place = checkpoint.origin.cwd or compose()
    state = RepoState(root=place, branch=checkpoint.origin.branch, commit=commit)
    return msgspec.structs.replace(checkpoint, repo=state)


def age_of(world: World, source: Source) -> str:
    """How long ago its file was last written (`3 days`)."""
    return age(world.now.timestamp() - source.mtime)
