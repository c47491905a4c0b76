"""repo.files: files under the project's root, and never one outside of it; what they and git are at a
save, stamped into a draft.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Generic, cast

from msgspec import Struct
from msgspec.structs import replace

from onward.drift import DIRTY_KEPT, standing
from onward.model import LOOKED, Anchor, Draft, FileFact, T
from onward.repo.git import state, top

LARGEST = 5_000_000  # bytes up to which a file is read; of a larger one only the size is known
_ANCHORS = 8
_SPANS = 3  # anchors of one file at most, and how many of them from the places of its edits
_NAMED = 10
"""Files that are named with a line but not recorded otherwise: at most so many are added."""

_LINE = re.compile(r":(\d{1,6})(?!\w)")
_NOT_PATH = re.compile(r"[\s:'\"`<>,;|=*]")
_LONGEST = 300
_MOST = 3  # other work trees that are looked at: each costs as many calls of git as the project


class Content(Struct, frozen=True):
    """A regular file's size, and its bytes where they were read."""

    size: int
    data: bytes | None = None

    @property
    def hash(self) -> str:
        """sha256, 16 hex digits; "" if it was not read."""
        return "" if self.data is None else hashlib.sha256(self.data).hexdigest()[:16]

    def lines(self) -> list[str]:
        """Lines without the blanks around them; the first is at index 0."""
        if self.data is None:
            return []
        return [line.strip() for line in self.data.decode("utf-8", "replace").split("\n")]


def locate(root: Path, recorded: str) -> Path | None:
    """The place that a recorded path means, whether or not something is there.

    None where that is not under `root`: by `..`, by an absolute path, or through a link
    in one of its folders. `root` is absolute.
    """
    real, inside = _meant(root, recorded), root.resolve()
    return real if real and real != inside and real.is_relative_to(inside) else None


def _meant(root: Path, recorded: str) -> Path | None:
    """The place that a recorded path means, wherever it is, with no link in its folder."""
    if not recorded or "\0" in recorded:
        return None
    if "\\" in recorded and not os.path.lexists(root / recorded):
        recorded = recorded.replace("\\", "/")
    path = Path(os.path.normpath(root / os.path.expanduser(recorded)))  # noqa: PTH111 - Path.expanduser raises on `~nobody`
    try:
        return path.parent.resolve() / path.name
    except (OSError, RuntimeError):  # a link that leads to itself
        return None


def look(path: Path) -> Content | None:
    """What stands at `path`; None for nothing, a folder, a link, a device, a pipe."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            return None
        if found.st_size > LARGEST:
            return Content(found.st_size)
    except (OSError, ValueError):
        return None
    try:
        data = path.read_bytes()
    except OSError:  # no right to read it: it is there all the same
        return Content(found.st_size)
    return Content(len(data), data)


def tree_of(place: Path, top: Path) -> Path | None:
    """The folder around `place` that is the top of a git work tree, or `top` where none below it is
    one; None outside of any.
    """
    return next((p for p in place.parents if p == top or os.path.lexists(p / ".git")), None)


# ------------------------------------------------------------------------ other work trees


class Tree(Struct, Generic[T], frozen=True):
    """A work tree that is not the project's own."""

    top: Path
    prefix: str  # what the recorded paths of its files begin with, with the slash behind
    files: tuple[FileFact[T], ...]  # the files of the session, their paths from `top`


def trees(files: tuple[FileFact[T], ...], root: Path) -> list[Tree[T]]:
    """The other work trees in which these files were changed, the first ones."""
    own = (top(root) or root).resolve()
    found: dict[tuple[Path, str], list[FileFact[T]]] = {}
    for fact in files:
        # A path that redaction changed names no file any more.
        named = fact.change not in LOOKED and "[REDACTED:" not in fact.path
        place = _meant(root, fact.path) if named else None
        tree = tree_of(place, own) if place else None
        if place is None or tree is None or tree == own:
            continue
        inside = place.relative_to(tree).as_posix()
        if fact.path.endswith(inside):
            prefix = fact.path[: -len(inside)]
            to = cast("T", fact.to.removeprefix(prefix)) if fact.to else fact.to
            near = replace(fact, path=cast("T", inside), to=to)
            found.setdefault((tree, prefix), []).append(near)
    ordered = sorted(found.items(), key=lambda each: -len(each[1]))
    return [Tree(tree, prefix, tuple(facts)) for (tree, prefix), facts in ordered[:_MOST]]


# ------------------------------------------------------------------------ stamped into a draft


def stamp(draft: Draft, root: Path) -> Draft:
    """The draft with `repo` filled in, and size, hash and anchors of its files under `root`.

    A file named only as `path:45` in the draft's words is added to `files` (as "named") if
    it exists, so that its line can be followed. One that was only read or named and is not
    there now was never of this project, or a slip of the tongue: it is left out. InputError where git cannot read the
    repository.
    """
    root = root.absolute()
    named: dict[str, list[int]] = {}
    for text in _texts(draft):
        for name, line in places(text):
            named.setdefault(_known(name, root), []).append(line)
    owners = _owners(draft.files, named)
    stamped = (_fact(fact, root, _lines(fact, owners, named)) for fact in draft.files)
    facts = [
        fact
        for fact in stamped
        if not (fact.change in LOOKED and fact.size is None and locate(root, standing(fact)))
    ]
    rest = (path for path in named if path not in owners)
    new = (_fact(FileFact(path=name, change="named"), root, named[name]) for name in rest)
    facts += islice((fact for fact in new if fact.size is not None), _NAMED)
    here = state(root)
    if here is None:
        return replace(draft, files=tuple(facts), repo=None)
    work, dirty = {standing(fact) for fact in facts}, list(here.dirty)
    for tree in trees(tuple(facts), root):
        there = state(tree.top)
        beside = (tree.prefix + path for path in (there.dirty if there else ()))
        dirty += [path for path in beside if path in work]
    dirty.sort(key=lambda path: path not in work)
    here = replace(here, dirty=tuple(dirty[:DIRTY_KEPT]))
    return replace(draft, files=tuple(facts), repo=here)


def places(text: str) -> Iterator[tuple[str, int]]:
    """Every `path:45` in a text, slashes forward. What looks like one need not be a file."""
    for match in _LINE.finditer(text):
        before = text[max(0, match.start() - _LONGEST) : match.start()]
        path = _NOT_PATH.split(before)[-1].lstrip("([{").replace("\\", "/").removeprefix("./")
        if int(match[1]) and not path.isdecimal() and path.strip("/."):
            yield path, int(match[1])


def _known(name: str, root: Path) -> str:
    """The name from the root, if a file is there; else as it was written."""
    path = locate(root, name)
    if path is None or look(path) is None:
        return name
    return path.relative_to(root.resolve()).as_posix()


def _texts(draft: Draft) -> Iterator[str]:
    single = (draft.next_action, draft.task, draft.plan, draft.closing)
    known = (*draft.requests, *draft.blockers, *draft.decisions, *draft.dead_ends)
    rest = (*draft.progress, *draft.commands, *draft.context)
    for item in (*single, *known, *rest):
        if item is not None:
            yield item.text
            yield item.why or ""
    for task in draft.tasks:
        yield task.title
        yield task.context or ""
    for run in draft.runs:
        yield from run.decisive


def _owners(facts: Iterable[FileFact[str]], named: Iterable[str]) -> dict[str, str]:
    """For each name in the words, the recorded file that it means: the same path, or the
    only one that ends in it.
    """
    paths = [standing(fact) for fact in facts]
    owners: dict[str, str] = {}
    for name in named:
        exact = [path for path in paths if path.replace("\\", "/") == name]
        found = exact or [
            path for path in paths if path.replace("\\", "/").endswith(f"/{name.lstrip('/')}")
        ]
        if len(set(found)) == 1:
            owners[name] = found[0]
    return owners


def _lines(
    fact: FileFact[str], owners: dict[str, str], named: dict[str, list[int]]
) -> tuple[int, ...]:
    path = standing(fact)
    spoken = [line for name, lines in named.items() if owners.get(name) == path for line in lines]
    return (*spoken, *[first for first, _ in fact.spans[:_SPANS]])


def _fact(fact: FileFact[str], root: Path, wanted: Iterable[int]) -> FileFact[str]:
    path = locate(root, standing(fact))
    content = look(path) if path else None
    if content is None:
        return fact
    return replace(fact, size=content.size, hash=content.hash, anchors=_anchors(content, wanted))


def _anchors(content: Content, wanted: Iterable[int]) -> tuple[Anchor[str], ...]:
    """Lines that can be found again: with words in them, and only once in the file. Shorter ones
    (`else:`, `});`) come and go; longer ones are not worth keeping.
    """
    lines = content.lines()
    times = Counter(lines)
    good = (
        Anchor(line=line, text=text)
        for line in dict.fromkeys(wanted)
        if 0 < line <= len(lines)
        and times[text := lines[line - 1]] == 1
        and len(text) <= _LONGEST
        and sum(map(str.isalnum, text)) >= 5
    )
    return tuple(good)[:_ANCHORS]
