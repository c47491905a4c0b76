"""repo.status: one `git status` read into a `RepoState`."""

from __future__ import annotations

from pathlib import Path
from subprocess import Popen
from typing import Literal

import msgspec
from msgspec import Struct

from onward.errors import InputError
from onward.model import RepoState
from onward.repo.git import Where, answer, ask, decode, start, where

_QUICK = 2.0
_PATIENT = 6.0
"""Seconds for `git status`; past the first it is asked once more, without untracked files."""

_WORDS = (
    "status",
    "--porcelain=v2",
    "--branch",
    "--show-stash",
    "--ahead-behind",
    "--renames",
    # A submodule's own settings name programs too: only its commit is compared.
    "--ignore-submodules=dirty",
    "-z",
)

Operation = Literal["", "merge", "rebase", "cherry-pick", "revert", "bisect"]

# In this order: a rebase that stops on a conflict leaves CHERRY_PICK_HEAD as well.
_OPERATIONS: tuple[tuple[str, Operation], ...] = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/rebasing", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_LOG", "bisect"),
)


class Status(Struct, frozen=True, kw_only=True):
    """A `RepoState` and what only the look at single files needs."""

    state: RepoState[str]
    renames: dict[str, str]
    """Old name to new one, of renames that are staged."""
    untracked: tuple[str, ...]


def state(folder: Path) -> RepoState[str] | None:
    """What git says at this moment around `folder`; None where there is no repository.

    InputError where there is one that git cannot read.
    """
    here = where(folder)
    return read(here, begin(here)).state if here else None


def begin(here: Where) -> Popen[bytes] | None:
    """Let git look at the work tree, the slow part, while something else is done."""
    return start(here.top, *_WORDS, "--untracked-files=normal", own=here.own)


def read(here: Where, begun: Popen[bytes] | None, *, patient: bool = True) -> Status:
    """The state of a work tree. InputError where git has no answer, even a quick one; without
    `patient`, where it has none at once.
    """
    said = answer(here.top, begun, _QUICK)
    if said is None and patient:
        said = ask(here.top, *_WORDS, "--untracked-files=no", limit=_PATIENT, own=here.own)
    if said is None:
        raise InputError(
            f"git did not answer in {here.top}: git status failed or took more than {_PATIENT:.0f} s.",
            f'See what it says: git -C "{here.top}" status',
        )
    parsed = parse(said)
    whole = msgspec.structs.replace(
        parsed.state,
        root=str(here.top),
        operation=operation(here.own),
        worktree=here.own.resolve() != here.common,
    )
    return msgspec.structs.replace(parsed, state=whole)


def operation(own: Path) -> Operation:
    """What is under way in the work tree with that git folder; "" for nothing."""
    return next((name for mark, name in _OPERATIONS if (own / mark).exists()), "")


def parse(said: bytes) -> Status:
    """`git status --porcelain=v2 --branch --show-stash -z` without root and operation."""
    heads: dict[str, str] = {}
    dirty: list[str] = []
    renames: dict[str, str] = {}
    untracked: list[str] = []
    records = iter(decode(said).split("\0"))
    for record in records:
        kind, _, rest = record.partition(" ")
        if kind == "#":
            name, _, value = rest.partition(" ")
            heads[name] = value
            continue
        path = _path(kind, rest)
        if not path:
            continue
        dirty.append(path)
        if kind == "?":
            untracked.append(path)
        elif kind == "2":
            renames[next(records, "")] = path
    return Status(state=_state(heads, dirty), renames=renames, untracked=tuple(untracked))


# Words that stand before the path in each kind of record (git-status, "Porcelain Format
# Version 2").
_BEFORE = {"1": 7, "2": 8, "u": 9, "?": 0}


def _path(kind: str, rest: str) -> str:
    before = _BEFORE.get(kind)
    if before is None:
        return ""
    words = rest.split(" ", before)
    return words[before] if len(words) > before else ""


def _state(heads: dict[str, str], dirty: list[str]) -> RepoState[str]:
    commit, branch = heads.get("branch.oid", ""), heads.get("branch.head", "")
    ahead, _, behind = heads.get("branch.ab", "").partition(" ")
    return RepoState(
        root="",
        branch=None if branch in {"", "(detached)"} else branch,
        commit="" if commit == "(initial)" else commit,
        upstream=heads.get("branch.upstream"),
        ahead=_count(ahead),
        behind=_count(behind),
        dirty=tuple(dirty),
        stashes=_count(heads.get("stash", "")),
    )


def _count(word: str) -> int:
    digits = word.lstrip("+-")
    return int(digits) if digits.isdecimal() else 0
