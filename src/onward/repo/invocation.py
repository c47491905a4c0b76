"""repo.invocation: how git is called so that it locks nothing, runs nothing and asks nobody.

Hooks import it, so it imports next to nothing.
"""

from __future__ import annotations

import os

from onward import regular

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
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR",
        "GIT_NAMESPACE",
        "GIT_EXTERNAL_DIFF",
    )
)


_LARGEST = 1 << 24  # bytes of settings of git's
_MAY_NAME = (b"filter", b"include")
_KEYS = {"clean": "", "smudge": "", "process": "", "required": "false"}


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
        for number, (key, value) in enumerate(found.items()):
            kept |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        kept["GIT_CONFIG_COUNT"] = str(len(found))
    return kept


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
