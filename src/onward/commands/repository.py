"""What git says of the project of a session: its state as it is saved, and what has changed since."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from onward import quality
from onward.commands.result import compose
from onward.commands.world import World
from onward.documents import times
from onward.model import Checkpoint, Clean, Draft, Drift, FileDrift, RepoState, T
from onward.repo import files, git, observing


def stamped(world: World, draft: Draft, *more: Path) -> Draft:
    """The draft with the state of the repository and of its files. What onward writes, or removes as
    the files of `more`, is not work that is still to be committed.
    """
    project = world.project
    found = files.stamp(draft, project.root)
    if not found.repo:
        return found
    dirty = _not_ours(found.repo.dirty, (*project.places, *more), project.root)
    return replace(found, repo=replace(found.repo, dirty=dirty))


def drifted(
    world: World, checkpoint: Checkpoint, root: Path, kind: str = "transcript"
) -> Drift[Clean]:
    """What changed since the session ended, redacted; `kind` is the form of the saved place."""
    saved = _as_it_ended(checkpoint, root)
    found = observing.drifted(saved, root, times.moment(saved.origin.ended))
    # Of a transcript nobody knows whether they were uncommitted when the session ended.
    others = _not_ours(found.dirty, world.project.places, root) if saved is checkpoint else ()
    found = replace(found, dirty=others)
    if kind in {"checkpoint", "document"}:
        is_there = world.finder(root)
        lost = (path for path in quality.named_paths(checkpoint) if not is_there(path))
        missing = (FileDrift(path=path, change="missing") for path in lost)
        found = replace(found, files=(*found.files, *missing))
    return world.display_redactor.drift(found)


def _as_it_ended(checkpoint: Checkpoint, root: Path) -> Checkpoint:
    """A transcript's checkpoint with branch and commit as of its last event."""
    at = times.moment(checkpoint.origin.ended)
    if checkpoint.repo is not None or at is None:
        return checkpoint
    commit = git.commit_at(root, at)
    if not commit:
        return checkpoint
    place = checkpoint.origin.cwd or compose()
    state = RepoState(root=place, branch=checkpoint.origin.branch, commit=commit)
    return replace(checkpoint, repo=state)


def _not_ours(paths: Iterable[T], ours: Iterable[Path], root: Path) -> tuple[T, ...]:
    """The paths, relative to `root`, without those of files that onward itself writes."""
    places = [p.relative_to(root).as_posix() for p in ours if p.is_relative_to(root)]
    return tuple(
        path
        for path in paths
        if not any(f"{own}/".startswith(path) or path.startswith(own) for own in places)
    )
