"""drift: the saved state against today's. Pure: `repo.observe` looks, this room compares.

Two kinds of finding stand in one `Drift`. Changes are there only where today differs from
the save. Standing conditions (`detached`, `operation`, `uncommitted`, `unpushed`, a file that is
`missing`) are said for as long as they hold, changed or not: whoever acts next must know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from onward.model import LOOKED, Commit, Drift, FileDrift, FileFact, RepoState, Snapshot, T

DIRTY_KEPT = 200
"""Uncommitted paths that a save keeps; those of the work come first."""
_HASH = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)


class SeenFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One recorded file as it is today; a renamed one is looked at under its new name."""

    path: str
    """As `standing` names the recorded file."""
    exists: bool = True
    to: str = ""
    """Where it stands now, if it was renamed since the save."""
    size: int | None = None
    hash: str = ""
    """sha256 of the content, 16 hex digits; "" where it was not read."""
    touched: bool = False
    """Differs between the saved commit and today's; always False where they are not compared."""
    commit: Commit[str] | None = None
    dirty: bool = False
    lines: tuple[tuple[int, int], ...] = ()
    """Recorded lines and where the same text stands now, for those that were found."""


class Observed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What there is today, seen from one saved snapshot. No `repo`: git is not looked at."""

    repo: RepoState[str] | None = None
    commit_exists: bool = True
    ahead: int = 0
    """Commits of today that the saved one does not have (all since the save, if it is gone)."""
    behind: int = 0
    commits: tuple[Commit[str], ...] = ()
    files: tuple[SeenFile, ...] = ()
    """Only recorded files under the project's root; others are not looked at."""


def standing(fact: FileFact[T]) -> T:
    """The path under which a recorded file stood when it was saved."""
    return fact.to if fact.change == "renamed" and fact.to else fact.path


def is_commit(text: str) -> bool:
    """Whether a recorded commit has the shape of a hash; a user may have typed anything."""
    return _HASH.fullmatch(text) is not None


def same_commit(one: str, other: str) -> bool:
    """Whether two hashes name one commit, either of them shortened."""
    one, other = one.lower(), other.lower()
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def compare(saved: Snapshot[T], now: Observed) -> Drift[str]:
    """What changed since the save, and what stands in the way of going on.

    `now` is what `repo.observe` saw for this same snapshot. Where git has nothing to say
    (no repository then or now), only files are compared.
    """
    seen = {file.path: file for file in now.files}
    loose = {str(path) for path in saved.repo.dirty} if saved.repo and now.repo else set[str]()
    files = tuple(
        found
        for fact in saved.files
        if (file := seen.get(standing(fact))) is not None
        for found in _file(fact, file, loose=standing(fact) in loose)
    )
    here = now.repo
    if here is None:
        gone = saved.repo is not None and bool(saved.repo.root)
        return Drift(files=files, no_git=True, repo_gone=gone)
    was, head = _commits(saved.repo, here)
    branch_was, branch_now = _branches(saved.repo, here)
    told = {file.path for file in files if file.change in {"changed", "deleted", "renamed"}}
    beside, dirty = _others(saved, seen, here)
    return Drift(
        unpushed=here.ahead,
        stashes=max(0, here.stashes - saved.repo.stashes) if saved.repo else 0,
        branch_was=branch_was,
        branch_now=branch_now,
        detached=here.branch is None,
        operation=here.operation,
        commit_was=was,
        commit_now=head,
        commit_gone=bool(was) and not now.commit_exists,
        ahead=now.ahead,
        behind=now.behind,
        commits=now.commits,
        files=files,
        uncommitted=(*_uncommitted(saved, seen, told), *beside),
        dirty=dirty,
    )


def _commits(then: RepoState[T] | None, now: RepoState[str]) -> tuple[str, str]:
    """The saved commit and today's, where they differ. A commit from nothing is a change
    only if the save knew the repository: `root` is what a stamp leaves.
    """
    if then is None or same_commit(then.commit, now.commit):
        return "", ""
    if is_commit(then.commit):
        return then.commit, now.commit
    return "", now.commit if not then.commit and then.root else ""


def _branches(then: RepoState[T] | None, now: RepoState[str]) -> tuple[str | None, str | None]:
    """Other tools write "HEAD" for a detached one; from there any branch is no switch."""
    was = then.branch if then else None
    if not was or was in {"HEAD", now.branch}:
        return None, None
    return was, now.branch


def _file(fact: FileFact[T], seen: SeenFile, *, loose: bool) -> Iterator[FileDrift[str]]:
    """What became of one file; `loose`: it had uncommitted changes at the save."""
    path = standing(fact)
    stood = bool(fact.hash) or fact.size is not None
    if not seen.exists:
        if stood or (seen.touched and fact.change != "deleted"):
            yield FileDrift(path=path, change="deleted", commit=seen.commit)
        # What somebody said in the session and nothing shows to be a file is not missing.
        elif fact.change != "deleted" and not (fact.change == "named" and fact.places):
            yield FileDrift(path=path, change="missing")
        return
    if seen.to:
        yield FileDrift(path=path, change="renamed", to=seen.to, commit=seen.commit)
    elif _differs(fact, seen):
        is_gone = loose and not seen.dirty and seen.commit is None
        change: Literal["changed", "reverted"] = "reverted" if is_gone else "changed"
        yield FileDrift(path=path, change=change, commit=seen.commit)
    to = seen.to or None
    for line, now in seen.lines:
        if now != line:
            yield FileDrift(path=path, change="moved", to=to, line=line, to_line=now)


def _differs(fact: FileFact[T], seen: SeenFile) -> bool:
    """By content where it was recorded, so that committing what was already there is no
    change; else by what git says between the two commits.
    """
    if fact.hash and seen.hash:
        return fact.hash != seen.hash
    if fact.size is not None and seen.size is not None and fact.size != seen.size:
        return True
    return seen.touched or (fact.change == "deleted" and fact.size is None)


def _uncommitted(saved: Snapshot[T], seen: dict[str, SeenFile], told: set[str]) -> tuple[str, ...]:
    """Files of the work that were uncommitted at the save and still are. One that was
    clean then and changed, deleted or renamed since is told as that, not here.
    """
    then = set(saved.repo.dirty) if saved.repo else set()
    work = (standing(fact) for fact in saved.files if fact.change not in LOOKED)
    return tuple(
        path
        for path in dict.fromkeys(work)
        if path in seen and seen[path].dirty and (path in then or path not in told)
    )


def _others(
    saved: Snapshot[T], seen: dict[str, SeenFile], here: RepoState[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Uncommitted now, though no record tells of it: what was so at the save, written by a script,
    and what was clean then, somebody else's work, perhaps. Of the latter a save that did not keep
    all uncommitted paths cannot tell.
    """
    then = dict.fromkeys(map(str, saved.repo.dirty)) if saved.repo else dict[str, None]()

    def is_known(path: str, known: Iterable[str]) -> bool:
        # A folder that is new as a whole stands for the recorded files in it.
        return path.endswith("/") and any(name.startswith(path) for name in known)

    still = set(here.dirty)
    beside = (p for p in then if p in still and p not in seen and not is_known(p, seen))
    if saved.repo is None or not saved.repo.root or len(then) >= DIRTY_KEPT:
        return tuple(beside), ()
    known = {*seen, *then}
    return tuple(beside), tuple(p for p in here.dirty if p not in known and not is_known(p, known))
