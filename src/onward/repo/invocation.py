"""repo.invocation: how git is called so that it locks nothing, runs nothing and asks nobody; and the
one call that hooks make themselves: whether anything has changed since.

Hooks import this at once, so it imports next to nothing.
"""
# The standard library's comfort (pathlib, subprocess) costs as much as a start of Python.
# ruff: noqa: PTH208

from __future__ import annotations

import os

from onward import regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# A repository's own settings can name programs; these are the ones that a reading call runs.
OPTIONS = (
    "--no-pager",
    "--no-optional-locks",
    "--literal-pathspecs",  # `app/[id]/page.tsx` is a file, not a pattern
    *("-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showSignature=false"),
    *("-c", "color.ui=false"),
)
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone would fetch; older git knows only this
    "LC_ALL": "C",
}
# `git rev-parse --local-env-vars`: set inside a git hook, they point at another repository.
_INHERITED = frozenset(
    f"GIT_{name}"
    for name in [
        "ALTERNATE_OBJECT_DIRECTORIES",
        "CONFIG",
        "CONFIG_COUNT",
        "CONFIG_PARAMETERS",
        "OBJECT_DIRECTORY",
        "DIR",
        "WORK_TREE",
        "IMPLICIT_WORK_TREE",
        "GRAFT_FILE",
        "INDEX_FILE",
        "NO_REPLACE_OBJECTS",
        "REPLACE_REF_BASE",
        "PREFIX",
        "SHALLOW_FILE",
        "COMMON_DIR",
        "NAMESPACE",
        "EXTERNAL_DIFF",
    ]
)
_LARGEST = 1 << 24  # bytes of settings of git's
_MAY_NAME = (b"filter", b"include")
_KEYS = {"clean": "", "smudge": "", "process": "", "required": "false"}

_LIMIT = 2.0
"""Seconds for the call of a hook; past them what takes its time is worth being looked at in full."""
_KILL = 9
# A submodule's own settings name programs too: only its commit is compared.
STATUS = ("status", "--porcelain=v2", "--branch", "--ignore-submodules=dirty", "-z")
ALL_FILES = "--untracked-files=normal"


def environment(root: str = "", git: str = "") -> dict[str, str]:
    """What git finds around it: ours, without what points at another repository.

    For a call that looks into the files of the work tree at `root`, whose git folder is `git`,
    the filters that the repository's own settings name are switched off: git would run them to
    tell whether a file has changed. Those of the user's settings (Git LFS) stay.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _INHERITED}
    kept |= _ENVIRONMENT
    if git and _may_filter(git):
        found = {
            f"{name}.{key}": value for name in _filters(root, kept) for key, value in _KEYS.items()
        }
        kept |= variables(found.items())
    return kept


def variables(pairs: Collection[tuple[str, str]]) -> dict[str, str]:
    """The settings as git takes them from its environment, where no list of processes shows
    the passwords that some of them hold.
    """
    found = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def _may_filter(git: str) -> bool:
    """Whether the repository's settings speak of filters, or lead to further files."""
    common = _read(f"{git}/commondir").strip()
    shared = os.path.join(git, os.fsdecode(common)) if common else git  # noqa: PTH118 - pathlib is dear
    text = b"".join((_read(f"{shared}/config"), _read(f"{git}/config.worktree"))).lower()
    return any(word in text for word in _MAY_NAME)


def _filters(root: str, env: dict[str, str]) -> set[str]:
    """The filters (`filter.NAME`) that are set in the repository itself. Raises OSError where
    that is unknown: the work tree is then not looked at.
    """
    import subprocess  # noqa: PLC0415 - hardly any repository has one

    words = ["config", "--show-scope", "-z", "--name-only", "--get-regexp", r"^filter\."]
    try:
        done = subprocess.run(
            ["git", *OPTIONS, "-C", root, *words],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=5,
        )
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"the filters of {root} could not be read in time") from late
    if done.returncode not in {0, 1}:  # 1: there is none
        raise OSError(f"the filters of {root} could not be read")
    said = os.fsdecode(done.stdout).split("\0")
    pairs = zip(said[::2], said[1::2], strict=False)
    return {name.rpartition(".")[0] for scope, name in pairs if scope in {"local", "worktree"}}


def _read(path: str) -> bytes:
    try:
        return regular.head(path, _LARGEST)
    except OSError:
        return b""


# ------------------------------------------------------------------------ what hooks ask


def sign(root: str, own: str, paths: Iterable[str]) -> str:
    """A number that stays the same as long as drift does; "" where there is none to be had.

    It holds what git says of the work tree at `root` (branch, commit, all that is uncommitted),
    which operations are under way in its git folder `own` ("" without a repository), and
    size and time of the files at `paths`, relative to `root`. Nothing can be read out of it.
    """
    try:
        found = _git(root, own) if own else b""
    except OSError:
        return ""
    if found is None:
        return ""
    try:
        from _blake2 import blake2b  # noqa: PLC0415 - hashlib loads OpenSSL, for 3 ms
    except ImportError:  # another Python, or another release of it
        from hashlib import blake2b  # noqa: PLC0415 - as above
    seen = b"\0\0".join([found, *(_file(f"{root}/{path}") for path in paths)])
    return str(blake2b(seen, digest_size=16).hexdigest())


def _git(root: str, own: str) -> bytes | None:
    """A merge, a rebase and the like are told by what lies in git's own folder."""
    said = _status(root, own)
    names = "\0".join(sorted(os.listdir(own)))
    return None if said is None else said + names.encode("utf-8", "surrogateescape")


def _file(path: str) -> bytes:
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return b"-"
    return f"{status.st_size} {status.st_mtime_ns}".encode()


def _status(root: str, own: str) -> bytes | None:
    """What `git status` says; None where it says nothing in time, and on Windows."""
    if not hasattr(os, "posix_spawnp"):
        return None
    here, there = os.pipe()
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, there, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    words = ["git", *OPTIONS, "-C", root, *STATUS, ALL_FILES, "--no-ahead-behind", "--no-renames"]
    pid, said, ended = 0, None, -1
    try:
        try:
            pid = os.posix_spawnp("git", words, environment(root, own), file_actions=streams)
        finally:
            os.close(there)
        said = _all_of(here)
    finally:  # the alarm of a hook may have rung
        os.close(here)
        if pid:
            if said is None:
                os.kill(pid, _KILL)
            ended = os.waitpid(pid, 0)[1]
    return said if ended == 0 else None


def _all_of(pipe: int) -> bytes | None:
    """All of it; None where it takes too long."""
    import time  # noqa: PLC0415 - `select` is no part of a bare start
    from select import select  # noqa: PLC0415 - as above

    end = time.monotonic() + _LIMIT
    parts: list[bytes] = []
    while select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(pipe, 65536)
        if not part:
            return b"".join(parts)
        parts.append(part)
    return None
