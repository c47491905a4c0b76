"""repo.git: the git program asked one question: where a work tree is, and what its status is."""

from __future__ import annotations

import os
import stat
import subprocess
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward.errors import InputError
from onward.model import RepoState
from onward.repo.invocation import ALL_FILES, OPTIONS, STATUS, environment

LIMIT = 5.0  # seconds that a call may take, unless it says otherwise

_SILENT: set[Path] = set()
"""Folders in and below which this process has waited in vain: a pipe in the place of one of git's files, a disk
that hangs. The next call there would wait as long again, and a hook has several to make.
"""

_OWN = ("HEAD", "config", "index", "packed-refs")  # files in `.git` that most calls open
_NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class Where(Struct, frozen=True):
    """The places of one work tree, all absolute. `own` is `common` but in a linked one."""

    top: Path
    own: Path
    common: Path


def ask(folder: Path, *words: str, limit: float = LIMIT, own: Path | None = None) -> bytes | None:
    """Standard output of one git call made in `folder`.

    None where there is no answer: git is not installed, says no, or takes more than
    `limit` seconds; after five in vain no other call is made there. InputError where git refuses
    a folder that belongs to someone else.
    """
    return answer(folder, start(folder, *words, own=own), limit)


def start(folder: Path, *words: str, own: Path | None = None) -> subprocess.Popen[bytes] | None:
    """Begin a call, to do other things until its `answer`; None where git cannot be run. `own`
    is the git folder, for a call that looks into the files of the work tree.
    """
    if not _SILENT.isdisjoint((folder, *folder.parents)) or in_the_way(folder):
        return None
    try:
        return subprocess.Popen(
            ["git", *OPTIONS, "-C", str(folder), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(str(folder), str(own or "")),
            creationflags=_NO_WINDOW,
        )
    except (OSError, ValueError):
        return None


def answer(
    folder: Path, asked: subprocess.Popen[bytes] | None, limit: float = LIMIT
) -> bytes | None:
    """What a begun call has said, as `ask` tells it; it is waited for `limit` seconds."""
    if asked is None:
        return None
    try:
        said, complaint = asked.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        if limit >= LIMIT:
            _SILENT.add(folder)
        return None
    finally:
        if asked.returncode is None:  # too late, or the alarm of a hook rang
            _leave(asked)
    if asked.returncode == 0:
        return said
    if b"dubious ownership" in complaint or b"unsafe repository" in complaint:
        raise InputError(
            f"git does not read {folder}: the repository belongs to another user.",
            f'If you trust it: git config --global --add safe.directory "{folder}"',
        )
    return None


def _leave(asked: subprocess.Popen[bytes]) -> None:
    """End a call without an answer. One that hangs in the kernel does not even end when it is killed:
    it is not waited for.
    """
    asked.kill()
    for pipe in (asked.stdout, asked.stderr):
        if pipe:
            pipe.close()
    with suppress(subprocess.TimeoutExpired):
        asked.wait(0.2)


def decode(raw: bytes) -> str:
    """Names and subjects as text that can be written again, whatever bytes they hold."""
    return raw.decode("utf-8", "replace")


@cache
def in_the_way(folder: Path) -> Path | None:
    """What of the repository's own is no file, but a pipe or a device that git would wait for: so
    no call is made there. None where all is well.
    """
    for each in (folder, *folder.parents):
        own = each / ".git"
        for name in _OWN if own.is_dir() else ():
            with suppress(OSError):
                if not stat.S_ISREG((own / name).stat().st_mode):
                    return own / name
        if own.exists():
            break
    return None


def where(folder: Path) -> Where | None:
    """The work tree around `folder`; None outside of one (and inside `.git`, or a bare one)."""
    words = ("--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    said = ask(folder, "rev-parse", *words)
    if said is None:
        return None
    lines = said.splitlines()
    if len(lines) != len(words):  # a line break in a path
        lines = [(ask(folder, "rev-parse", word) or b"").removesuffix(b"\n") for word in words]
    root, own, common = (folder / os.fsdecode(line) for line in lines)
    return Where(root, own, common.resolve())


def top(folder: Path) -> Path | None:
    """Root of the git work tree that holds `folder`; a submodule and a linked work tree have
    their own. None outside of one. InputError where git distrusts the owner.
    """
    here = where(folder)
    return here.top if here else None


def common(folder: Path) -> Path | None:
    """The repository's common git folder: the same for all of its work trees."""
    here = where(folder)
    return here.common if here else None


def commit_at(root: Path, moment: datetime) -> str:
    """The commit that was checked out at that moment; "" where the reflog does not go back so far,
    as in a fresh clone.
    """
    here = where(root)
    if here is None:
        return ""
    words = ("log", "--walk-reflogs", "--date=unix", "--format=tformat:%H %gd", "HEAD", "--")
    for entry in decode(ask(here.top, *words) or b"").splitlines():
        commit, _, selector = entry.partition(" ")
        seconds = selector.partition("@{")[2].rstrip("}")
        if seconds.isdecimal() and int(seconds) <= moment.timestamp():
            return commit
    return ""


# ------------------------------------------------------------------------ git status

_QUICK = 2.0
_PATIENT = 6.0
"""Seconds for `git status`; past the first it is asked once more, without untracked files."""

_WORDS = (*STATUS, "--show-stash", "--ahead-behind", "--renames")

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
    renames: dict[str, str]  # old name to new one, of renames that are staged
    untracked: tuple[str, ...]


def state(folder: Path) -> RepoState[str] | None:
    """What git says at this moment around `folder`; None where there is no repository.

    InputError where there is one that git cannot read.
    """
    here = where(folder)
    return read(here, begin(here)).state if here else None


def begin(here: Where) -> subprocess.Popen[bytes] | None:
    """Let git look at the work tree, the slow part, while something else is done."""
    return start(here.top, *_WORDS, ALL_FILES, own=here.own)


def read(here: Where, begun: subprocess.Popen[bytes] | None, *, patient: bool = True) -> Status:
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
    whole = replace(
        parsed.state,
        root=str(here.top),
        operation=operation(here.own),
        worktree=here.own.resolve() != here.common,
    )
    return replace(parsed, state=whole)


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
        words = rest.split(" ", _BEFORE.get(kind, 0))
        if kind not in _BEFORE or len(words) <= _BEFORE[kind] or not (path := words[-1]):
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
