"""repo.history: what happened between the saved commit and today's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from onward.drift import is_commit
from onward.model import Commit, Snapshot, T
from onward.repo.git import ask, decode

_COMMITS = 10
_PATHS = 100
"""Paths asked about in one call: a command line has an end."""
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Stands for "before the first commit"; a sha256 repository does not know it, and the diff
then has no answer.
"""


class Since(Struct, frozen=True, kw_only=True):
    """The history since the save. `span` is what `git log` is asked for; () for nothing."""

    base: str = ""
    """What to compare today's files with; "" where there is nothing to compare."""
    exists: bool = True
    ahead: int = 0
    behind: int = 0
    commits: tuple[Commit[str], ...] = ()
    span: tuple[str, ...] = ()


class Changes(Struct, frozen=True, kw_only=True):
    """Names that differ between two commits, relative to the work tree's top."""

    touched: frozenset[str] = frozenset()
    """Changed or gone; of an added one git cannot say what it was before."""
    added: tuple[str, ...] = ()
    renames: dict[str, str] = {}


def since(top: Path, saved: Snapshot[T]) -> Since:
    """Commits between the save and today. Where the saved commit is gone, those whose
    commit date is later than the save.
    """
    then = saved.repo
    if then is None:
        return Since()
    if is_commit(then.commit):
        return _after(top, then.commit, saved.saved)
    if then.commit or not then.root:  # not a hash, or nobody looked
        return Since()
    return _since(top, ("HEAD",), _EMPTY_TREE, _count(top, "HEAD"))


def _after(top: Path, base: str, saved: str) -> Since:
    counts = _count(top, "--left-right", f"{base}...HEAD")
    if counts:
        behind, ahead = counts
        span = (f"{base}..HEAD",)
        return _since(top, span, base, (ahead, behind)) if ahead or behind else Since()
    if ask(top, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}") is not None:
        return Since()  # it is there: today's branch has no commit, or counting took too long
    if not saved:
        return Since(exists=False)
    later = (f"--since={saved}", "HEAD")
    return msgspec.structs.replace(_since(top, later, "", _count(top, *later)), exists=False)


def _since(top: Path, span: tuple[str, ...], base: str, counts: tuple[int, ...]) -> Since:
    ahead, behind, *_ = (*counts, 0, 0)
    if not ahead:
        return Since(base=base, behind=behind)
    log = ("log", "-z", "--encoding=UTF-8", f"--max-count={_COMMITS}", "--format=tformat:%H %s")
    said = ask(top, *log, *span, "--") or b""
    commits = tuple(_commit(record) for record in decode(said).split("\0") if record)
    return Since(base=base, ahead=ahead, behind=behind, commits=commits, span=span)


def _count(top: Path, *span: str) -> tuple[int, ...]:
    """The numbers of `rev-list --count`; () where it has no answer."""
    said = ask(top, "rev-list", "--count", *span, "--") or b""
    return tuple(int(word) for word in said.split())


def _commit(record: str) -> Commit[str]:
    name, _, subject = record.strip("\n").partition(" ")
    return Commit(hash=name, subject=subject)


def changes(top: Path, base: str, *, follow: bool) -> Changes:
    """Names that differ between `base` and HEAD, with renames if `follow`; nothing where
    git has no answer in time.
    """
    if not base:
        return Changes()
    words = ("diff-tree", "-r", "-z", "--name-status", "--no-ext-diff")
    said = ask(top, *words, "-M", base, "HEAD", "--") if follow else None
    if said is None:  # a partial clone, or too much to pair up
        said = ask(top, *words, "--no-renames", base, "HEAD", "--") or b""
    touched: set[str] = set()
    added: list[str] = []
    renames: dict[str, str] = {}
    words_said = iter(decode(said).split("\0"))
    for kind in words_said:
        name = next(words_said, "")
        if kind == "A":
            added.append(name)
        else:
            touched.add(name)
        if kind.startswith("R"):
            renames[name] = next(words_said, "")
    return Changes(touched=frozenset(touched), added=tuple(added), renames=renames)


def touching(top: Path, span: tuple[str, ...], names: Iterable[str]) -> dict[str, Commit[str]]:
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
