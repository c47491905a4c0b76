"""repo.stamping: what git and the files are at the save, put into a draft."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from onward.drift import DIRTY_KEPT, standing
from onward.model import Anchor, Draft, FileFact, RepoState
from onward.repo.files import Content, locate, look
from onward.repo.status import state
from onward.repo.trees import Tree, trees

_ANCHORS = 8
_SPANS = 3
"""Anchors of one file at most, and how many of them from the places of its edits."""
_NAMED = 10
"""Files that are named with a line but not recorded otherwise: at most so many are added."""

_LINE = re.compile(r":(\d{1,6})(?!\w)")
_NOT_PATH = re.compile(r"[\s:'\"`<>,;|=*]")
_LONGEST = 300


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
    facts = [fact for fact in stamped if not _only_heard_of(fact, root)]
    rest = (path for path in named if path not in owners)
    facts += islice(_added(rest, named, root), _NAMED)
    here = state(root)
    if here:
        work = {standing(fact) for fact in facts}
        beside = (p for tree in trees(tuple(facts), root) for p in _loose(tree) if p in work)
        here = msgspec.structs.replace(here, dirty=(*here.dirty, *beside))
    return msgspec.structs.replace(
        draft, files=tuple(facts), repo=_shortened(here, facts) if here else None
    )


def _loose(tree: Tree[str]) -> Iterator[str]:
    """What is uncommitted in another work tree, as its files are recorded."""
    here = state(tree.top)
    for path in here.dirty if here else ():
        yield tree.prefix + path


def _only_heard_of(fact: FileFact[str], root: Path) -> bool:
    heard = fact.change in {"read", "named"} and fact.size is None
    return heard and locate(root, standing(fact)) is not None


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
    return msgspec.structs.replace(
        fact, size=content.size, hash=content.hash, anchors=_anchors(content, wanted)
    )


def _added(
    names: Iterable[str], named: dict[str, list[int]], root: Path
) -> Iterator[FileFact[str]]:
    for name in names:
        fact = _fact(FileFact(path=name, change="named"), root, named[name])
        if fact.size is not None:
            yield fact


def _anchors(content: Content, wanted: Iterable[int]) -> tuple[Anchor[str], ...]:
    """Lines that can be found again: with words in them, and only once in the file."""
    lines = content.lines()
    times = Counter(lines)
    good = (
        Anchor(line=line, text=text)
        for line in dict.fromkeys(wanted)
        if 0 < line <= len(lines) and _tells(text := lines[line - 1]) and times[text] == 1
    )
    return tuple(good)[:_ANCHORS]


def _tells(text: str) -> bool:
    # Shorter ones (`else:`, `});`) come and go; longer ones are not worth keeping.
    return len(text) <= _LONGEST and sum(map(str.isalnum, text)) >= 5


def _shortened(here: RepoState[str], facts: Iterable[FileFact[str]]) -> RepoState[str]:
    work = {standing(fact) for fact in facts}
    dirty = sorted(here.dirty, key=lambda path: path not in work)
    return msgspec.structs.replace(here, dirty=tuple(dirty[:DIRTY_KEPT]))
