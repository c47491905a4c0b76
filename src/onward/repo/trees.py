"""repo.trees: the work trees that a session changed files in: the project's own, and others.

A submodule, a repository below the project's folder and a linked work tree beside it are each
asked by themselves: the project's git knows nothing of what is committed there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Generic, cast

from msgspec import Struct
from msgspec.structs import replace

from onward.drift import compare
from onward.model import Drift, FileDrift, FileFact, RepoState, Snapshot, T, TreeDrift
from onward.repo.files import tree_of
from onward.repo.git import top
from onward.repo.observing import observe
from onward.repo.reflog import commit_at

_MOST = 3
"""Other work trees that are looked at: each costs as many calls of git as the project."""
_LOOKED = ("read", "named")


class Tree(Struct, Generic[T], frozen=True):
    """A work tree that is not the project's own."""

    top: Path
    prefix: str
    """What the recorded paths of its files begin with, with the slash behind."""
    files: tuple[FileFact[T], ...]
    """The files of the session, their paths from `top`."""


def drifted(saved: Snapshot[T], root: Path, ended: datetime | None) -> Drift[str]:
    """What changed since the save under `root`, and in the other work trees in which the session
    changed files. These were at the commit that their reflog has for `ended`, if it has one.
    InputError where git cannot read a repository.
    """
    found = compare(saved, observe(saved, root))
    others = trees(saved.files, root)
    changed = sum(fact.change not in _LOOKED for fact in saved.files)
    if others and changed == sum(len(tree.files) for tree in others):
        found = replace(found, no_git=False)  # of a folder of repositories each is asked
    for tree in others:
        part = _part(saved, tree, commit_at(tree.top, ended) if ended else "")
        own = compare(part, observe(part, tree.top))
        history = TreeDrift(
            **{name: getattr(own, name) for name in TreeDrift.__struct_fields__ if name != "root"},
            root=tree.prefix.rstrip("/"),
        )
        found = replace(
            found,
            files=(*found.files, *_named(own, tree.prefix)),
            uncommitted=(*found.uncommitted, *_below(tree.prefix, own.uncommitted)),
            dirty=(*found.dirty, *_below(tree.prefix, own.dirty)),
            trees=(*found.trees, history),
        )
    return found


def trees(files: tuple[FileFact[T], ...], root: Path) -> list[Tree[T]]:
    """The other work trees in which these files were changed, the first ones."""
    home = top(root) or root
    own = home.resolve()
    found: dict[tuple[Path, str], list[FileFact[T]]] = {}
    for fact in files:
        place = None if fact.change in _LOOKED else _place(root, fact.path)
        tree = tree_of(place, own) if place else None
        if place is None or tree is None or tree == own:
            continue
        inside = place.relative_to(tree).as_posix()
        if fact.path.endswith(inside):
            near = replace(fact, path=cast("T", inside), to=_near(fact, inside))
            found.setdefault((tree, fact.path[: -len(inside)]), []).append(near)
    ordered = sorted(found.items(), key=lambda each: -len(each[1]))
    return [Tree(tree, prefix, tuple(facts)) for (tree, prefix), facts in ordered[:_MOST]]


def _place(root: Path, recorded: str) -> Path | None:
    """The place that a recorded path means, its folder with no link in it."""
    if not recorded or "\0" in recorded or "[REDACTED:" in recorded:
        return None
    path = Path(os.path.normpath(root / os.path.expanduser(recorded)))  # noqa: PTH111 - Path.expanduser raises on `~nobody`
    try:
        return path.parent.resolve() / path.name
    except (OSError, RuntimeError):  # a link that leads to itself
        return None


def _near(fact: FileFact[T], inside: str) -> T | None:
    prefix = fact.path[: -len(inside)]
    return cast("T", fact.to.removeprefix(prefix)) if fact.to else fact.to


def _part(saved: Snapshot[T], tree: Tree[T], commit: str) -> Snapshot[T]:
    """What was saved of another work tree."""
    dirty = saved.repo.dirty if saved.repo else ()
    state = RepoState(
        root=cast("T", tree.prefix),
        commit=commit,
        dirty=tuple(
            cast("T", path.removeprefix(tree.prefix))
            for path in dirty
            if path.startswith(tree.prefix)
        ),
    )
    repo = state if commit else None
    return Snapshot(task=saved.task, saved=saved.saved, files=tree.files, repo=repo)


def _named(drift: Drift[str], prefix: str) -> Iterator[FileDrift[str]]:
    for file in drift.files:
        yield replace(file, path=prefix + file.path, to=file.to and prefix + file.to)


def _below(prefix: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(prefix + path for path in paths)
