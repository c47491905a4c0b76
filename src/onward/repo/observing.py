"""repo.observing: today's repository and files, as far as a saved snapshot asks about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic

import msgspec
from msgspec import Struct

from onward.drift import Observed, SeenFile, standing
from onward.model import FileFact, Snapshot, T
from onward.repo.files import Content, locate, look, stands, tree_of
from onward.repo.git import Where, where
from onward.repo.history import Changes, Since, changes, since, touching
from onward.repo.status import Status, begin, read

_CANDIDATES = 2000
"""New files that are looked at for one that lost its name."""


class _Sight(Struct, Generic[T], frozen=True):
    """A recorded file: what was recorded, its name for git, whether it is gone, what is there."""

    fact: FileFact[T]
    name: str
    lost: bool
    seen: SeenFile

    @property
    def differs(self) -> bool:
        """Whether a commit may have to be named for it."""
        return self.lost or self.seen.hash != self.fact.hash


class _Past(Struct, frozen=True):
    since: Since
    changes: Changes


def observe(saved: Snapshot[T], root: Path) -> Observed:
    """What became of the snapshot's repository and of its files under `root`.

    At most eight calls of git, three where nothing was committed since. No repository: files
    are looked at all the same. InputError where git cannot read the repository.
    """
    root = root.absolute()
    here = where(root)
    base = here.top.resolve() if here else root.resolve()
    begun = begin(here) if here else None
    sights = list(_sights(saved.files, root, base))
    if here is None:
        return Observed(files=tuple(sight.seen for sight in sights))
    past = since(here.top, saved)
    told = _Past(past, _compared(sights, here, past))
    status = read(here, begun)
    return Observed(
        repo=status.state,
        commit_exists=past.exists,
        ahead=past.ahead,
        behind=past.behind,
        commits=past.commits,
        files=tuple(_files(sights, root.resolve(), here, status, told)),
    )


def _sights(facts: Iterable[FileFact[T]], root: Path, base: Path) -> Iterator[_Sight[T]]:
    for fact in facts:
        path = standing(fact)
        place = locate(root, path)
        # A path that redaction changed names no file any more; another work tree has its own drift.
        if place is None or "[REDACTED:" in path or tree_of(place, base) != base:
            continue
        name = Path(os.path.relpath(place, base)).as_posix()
        seen = _seen(fact, place)
        yield _Sight(fact, name, not seen.exists, seen)


def _seen(fact: FileFact[T], place: Path, to: str = "") -> SeenFile:
    content = look(place)
    return SeenFile(
        path=standing(fact),
        exists=content is not None or stands(place),
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
    moved = _renamed(sights, top, status, past.changes)
    touched = past.changes.touched
    asked = [sight for sight in sights if sight.differs or sight.name in touched]
    names = [name for sight in asked for name in (moved.get(sight.name, ""), sight.name) if name]
    commits = touching(here.top, past.since.span, names)
    dirty = frozenset(status.state.dirty)
    folders = tuple(path for path in dirty if path.endswith("/"))
    for sight in sights:
        name, seen = moved.get(sight.name, sight.name), sight.seen
        if name != sight.name:
            to = Path(os.path.relpath(top / name, root)).as_posix()
            seen = _seen(sight.fact, top / name, to)
        yield msgspec.structs.replace(
            seen,
            touched=sight.name in touched,
            commit=commits.get(name) or commits.get(sight.name),
            dirty=name in dirty or name.startswith(folders),
        )


def _compared(sights: list[_Sight[T]], here: Where, past: Since) -> Changes:
    """The two commits compared, but only where a file's own content does not tell."""
    lost = any(sight.lost for sight in sights)
    if not lost and all(sight.fact.hash for sight in sights):
        return Changes()
    return changes(here.top, past.base, follow=lost)


def _renamed(sights: list[_Sight[T]], top: Path, status: Status, told: Changes) -> dict[str, str]:
    """Where files went that are no longer there: as git says, else the only new file with
    the same content.
    """
    known = {sight.name for sight in sights}
    new = [name for name in (*told.added, *status.untracked) if name not in known]
    moved: dict[str, str] = {}
    for sight in sights:
        if not sight.lost:
            continue
        to = told.renames.get(sight.name, sight.name)
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
