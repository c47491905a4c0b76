"""repo.observing: today's repository and files, as far as a saved snapshot asks about them.

The project's own work tree, and the others in which the session changed files: a submodule, a
repository below the project's folder and a linked work tree beside it are each asked by themselves,
since the project's git knows nothing of what is committed there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Generic, cast

from msgspec import Struct, field
from msgspec.structs import replace

from onward.drift import Observed, SeenFile, compare, is_commit, standing
from onward.model import (
    LOOKED,
    Commit,
    Drift,
    FileFact,
    RepoState,
    Snapshot,
    T,
    TreeDrift,
)
from onward.repo.files import Content, Tree, locate, look, tree_of, trees
from onward.repo.git import Status, Where, ask, begin, commit_at, decode, read, where

_CANDIDATES = 2000  # new files that are looked at for one that lost its name
_COMMITS = 10
_PATHS = 100  # paths asked about in one call: a command line has an end
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Stands for "before the first commit"; a sha256 repository does not know it, and the diff
then has no answer.
"""


def drifted(saved: Snapshot[T], root: Path, ended: datetime | None) -> Drift[str]:
    """What changed since the save under `root`, and in the other work trees in which the session
    changed files. These were at the commit that their reflog has for `ended`, if it has one.
    InputError where git cannot read a repository.
    """
    found = compare(saved, observe(saved, root))
    others = trees(saved.files, root)
    changed = sum(fact.change not in LOOKED for fact in saved.files)
    if others and changed == sum(len(tree.files) for tree in others):
        found = replace(found, no_git=False)  # of a folder of repositories each is asked
    for tree in others:
        prefix = tree.prefix
        part = _part(saved, tree, commit_at(tree.top, ended) if ended else "")
        own = compare(part, observe(part, tree.top))
        history = TreeDrift(
            **{name: getattr(own, name) for name in TreeDrift.__struct_fields__ if name != "root"},
            root=prefix.rstrip("/"),
        )
        files = (
            replace(file, path=prefix + file.path, to=file.to and prefix + file.to)
            for file in own.files
        )
        found = replace(
            found,
            files=(*found.files, *files),
            uncommitted=(*found.uncommitted, *(prefix + path for path in own.uncommitted)),
            dirty=(*found.dirty, *(prefix + path for path in own.dirty)),
            trees=(*found.trees, history),
        )
    return found


def _part(saved: Snapshot[T], tree: Tree[T], commit: str) -> Snapshot[T]:
    """What was saved of another work tree."""
    dirty = saved.repo.dirty if saved.repo else ()
    inside = (path.removeprefix(tree.prefix) for path in dirty if path.startswith(tree.prefix))
    state = RepoState(
        root=cast("T", tree.prefix),
        commit=commit,
        dirty=tuple(cast("T", path) for path in inside),
    )
    repo = state if commit else None
    return Snapshot(task=saved.task, saved=saved.saved, files=tree.files, repo=repo)


def observe(saved: Snapshot[T], root: Path) -> Observed:
    """What became of the snapshot's repository and of its files under `root`.

    At most eight calls of git, three where nothing was committed since. No repository: files
    are looked at all the same. InputError where git cannot read the repository.
    """
    root = root.absolute()
    here = where(root)
    base = (here.top if here else root).resolve()
    begun = begin(here) if here else None
    sights = list(_sights(saved.files, root, base))
    if here is None:
        return Observed(files=tuple(sight.seen for sight in sights))
    past = _past(here.top, saved)
    lost = not all(sight.seen.exists for sight in sights)
    if lost or not all(sight.fact.hash for sight in sights):
        past = _compared(here.top, past, follow=lost)
    status = read(here, begun)
    files = tuple(_files(sights, root.resolve(), here, status, past))
    return replace(past, repo=status.state, files=files)


# ------------------------------------------------------------------------ files


class _Sight(Struct, Generic[T], frozen=True):
    """A recorded file: what was recorded, its name for git, and what is there."""

    fact: FileFact[T]
    name: str
    seen: SeenFile


def _sights(facts: Iterable[FileFact[T]], root: Path, base: Path) -> Iterator[_Sight[T]]:
    for fact in facts:
        path = standing(fact)
        place = locate(root, path)
        # A path that redaction changed names no file any more; another work tree has its own drift.
        if place is None or "[REDACTED:" in path or tree_of(place, base) != base:
            continue
        name = Path(os.path.relpath(place, base)).as_posix()
        yield _Sight(fact, name, _seen(fact, place))


def _seen(fact: FileFact[T], place: Path, to: str = "") -> SeenFile:
    content = look(place)
    return SeenFile(
        path=standing(fact),
        exists=content is not None or os.path.lexists(place),
        to=to,
        size=content.size if content else None,
        hash=content.hash if content else "",
        lines=_lines(fact, content),
    )


def _lines(fact: FileFact[T], content: Content | None) -> tuple[tuple[int, int], ...]:
    """Anchors of a changed file that stand in it exactly once."""
    if content is None or not fact.anchors or content.hash == fact.hash:
        return ()
    lines = content.lines()
    return tuple(
        (anchor.line, lines.index(anchor.text) + 1)
        for anchor in fact.anchors
        if lines.count(anchor.text) == 1
    )


def _files(
    sights: list[_Sight[T]], root: Path, here: Where, status: Status, past: _Past
) -> Iterator[SeenFile]:
    top = here.top.resolve()
    moved = _renamed(sights, top, status, past)
    names = [
        name
        for sight in sights
        if not sight.seen.exists or sight.seen.hash != sight.fact.hash or sight.name in past.touched
        for name in (moved.get(sight.name, sight.name), sight.name)
    ]
    commits = _touching(here.top, past.span, names)
    dirty = frozenset(status.state.dirty)
    folders = tuple(path for path in dirty if path.endswith("/"))
    for sight in sights:
        name, seen = moved.get(sight.name, sight.name), sight.seen
        if name != sight.name:
            to = Path(os.path.relpath(top / name, root)).as_posix()
            seen = _seen(sight.fact, top / name, to)
        yield replace(
            seen,
            touched=sight.name in past.touched,
            commit=commits.get(name) or commits.get(sight.name),
            dirty=name in dirty or name.startswith(folders),
        )


def _renamed(sights: list[_Sight[T]], top: Path, status: Status, past: _Past) -> dict[str, str]:
    """Where files went that are no longer there: as git says, else the only new file with
    the same content.
    """
    known = {sight.name for sight in sights}
    new = [name for name in (*past.added, *status.untracked) if name not in known]
    moved: dict[str, str] = {}
    for sight in sights:
        if sight.seen.exists:
            continue
        to = past.renames.get(sight.name, sight.name)
        to = status.renames.get(to, to)
        if to == sight.name or look(top / to) is None:
            to = _twin(sight, top, new)
        if to:
            moved[sight.name] = to
    return moved


def _twin(sight: _Sight[T], top: Path, names: list[str]) -> str:
    size, known = sight.fact.size, sight.fact.hash
    if not size or not known:
        return ""
    alike = (name for name in names[:_CANDIDATES] if _size(top / name) == size)
    same = [name for name in alike if (found := look(top / name)) and found.hash == known]
    return same[0] if len(same) == 1 else ""


def _size(place: Path) -> int:
    try:
        return place.lstat().st_size
    except OSError:
        return -1


# ------------------------------------------------------------------------ history


class _Past(Observed, frozen=True, kw_only=True):
    """The history since the save. `span` is what `git log` is asked for; () for nothing. The names
    that differ between two commits are relative to the work tree's top.
    """

    base: str = ""
    """What to compare today's files with; "" where there is nothing to compare."""
    span: tuple[str, ...] = ()
    touched: frozenset[str] = frozenset()
    """Changed or gone; of an added one git cannot say what it was before."""
    added: tuple[str, ...] = ()
    renames: dict[str, str] = field(default_factory=dict)


def _past(top: Path, saved: Snapshot[T]) -> _Past:
    """Commits between the save and today. Where the saved commit is gone, those whose
    commit date is later than the save.
    """
    then = saved.repo
    base = then.commit if then else ""
    if then and then.root and not base:  # before the first commit
        return _logged(top, ("HEAD",), _EMPTY_TREE, _count(top, "HEAD"))
    if not is_commit(base):
        return _Past()
    if counts := _count(top, "--left-right", f"{base}...HEAD"):
        behind, ahead = counts
        return _logged(top, (f"{base}..HEAD",), base, (ahead, behind)) if any(counts) else _Past()
    if ask(top, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}") is not None:
        return _Past()  # it is there: today's branch has no commit, or counting took too long
    if not saved.saved:
        return _Past(commit_exists=False)
    later = (f"--since={saved.saved}", "HEAD")
    return replace(_logged(top, later, "", _count(top, *later)), commit_exists=False)


def _logged(top: Path, span: tuple[str, ...], base: str, counts: tuple[int, ...]) -> _Past:
    ahead, behind, *_ = (*counts, 0, 0)
    if not ahead:
        return _Past(base=base, behind=behind)
    log = ("log", "-z", "--encoding=UTF-8", f"--max-count={_COMMITS}", "--format=tformat:%H %s")
    said = ask(top, *log, *span, "--") or b""
    commits = tuple(_commit(record) for record in decode(said).split("\0") if record)
    return _Past(base=base, ahead=ahead, behind=behind, commits=commits, span=span)


def _count(top: Path, *span: str) -> tuple[int, ...]:
    """The numbers of `rev-list --count`; () where it has no answer."""
    said = ask(top, "rev-list", "--count", *span, "--") or b""
    return tuple(int(word) for word in said.split())


def _commit(record: str) -> Commit[str]:
    name, _, subject = record.strip("\n").partition(" ")
    return Commit(hash=name, subject=subject)


def _compared(top: Path, past: _Past, *, follow: bool) -> _Past:
    """With the names that differ between its base and HEAD, and renames if `follow`; without them
    where git has no answer in time. Only asked where a file's own content does not tell.
    """
    if not past.base:
        return past
    words = ("diff-tree", "-r", "-z", "--name-status", "--no-ext-diff")
    said = ask(top, *words, "-M", past.base, "HEAD", "--") if follow else None
    if said is None:  # a partial clone, or too much to pair up
        said = ask(top, *words, "--no-renames", past.base, "HEAD", "--") or b""
    touched, added, renames = set[str](), list[str](), dict[str, str]()
    parts = iter(decode(said).split("\0"))
    for kind in parts:
        name = next(parts, "")
        if kind == "A":
            added.append(name)
        else:
            touched.add(name)
        if kind.startswith("R"):
            renames[name] = next(parts, "")
    return replace(past, touched=frozenset(touched), added=tuple(added), renames=renames)


def _touching(top: Path, span: tuple[str, ...], names: Iterable[str]) -> dict[str, Commit[str]]:
    """For each of `names`, the newest commit of `span` that touched it."""
    asked = list(dict.fromkeys(names))[:_PATHS]
    if not asked or not span:
        return {}
    log = ("log", "-z", "--encoding=UTF-8", "--name-only", "--no-renames", "--no-ext-diff")
    said = ask(top, *log, "--format=tformat:%x01%H %s", *span, "--", *asked) or b""
    newest: dict[str, Commit[str]] = {}
    for record in decode(said).split("\x01"):
        head, *touched = record.split("\0")
        for name in touched:
            newest.setdefault(name.removeprefix("\n"), _commit(head))
    return newest
