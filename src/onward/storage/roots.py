"""Which folder is the project, told by the names of files alone.

Git is not run: hooks, which import this at once, have no time for it.
"""
# The standard library's comfort (pathlib) costs as much as a start of Python.
# ruff: noqa: PTH113, PTH118, PTH120

from __future__ import annotations

import os

from onward import regular

_LARGEST, _LINE = 1 << 20, 8192  # bytes of settings, and of a line of git's
PLACES = {
    "checkpoints": "memory/checkpoints",
    "state": "SESSION-STATE.md",
    "buffer": "memory/working-buffer.md",
    "memory": ".claude/memory",
    "protocol": "session-protocol.json",
}
"""The documents' places of our files, relative to the project's root."""
MARKERS = (".pending-backup", ".pending-backup-compact", ".pending-backup-exit")
"""The markers in the memory folder. The first is ours; the others, of later versions of the
documents' own scripts, are read and emptied.
"""
SIGNS = ("onward.toml", "sp.json", *PLACES.values())
_DELIBERATE = ("onward.toml", PLACES["state"], PLACES["checkpoints"])
"""What makes a project of a home folder; the client's own settings folder there does not."""


def project(start: str, home: str) -> tuple[str, str]:
    """The root of the project that a folder belongs to, and the common folder of its git repository
    ("" without one), as `storage.project.locate` has it; ("", "") for none.
    """
    start, home = os.path.realpath(start), os.path.realpath(home) if home else ""
    top, common = work_tree(start)
    root = top or nearest(start, home) or start
    if root == os.path.dirname(root):
        return "", ""
    if root == home and not top and not _holds(root, _DELIBERATE):
        return "", ""
    return root, common


def work_tree(folder: str) -> tuple[str, str]:
    """The root of the git work tree around a folder, and its common folder; ("", "") for none."""
    for each in _upwards(folder):
        if own := git_folder(each):
            shared = _line(os.path.join(own, "commondir")).strip()
            return each, os.path.realpath(os.path.join(own, shared))
        if os.path.isfile(os.path.join(each, ".git")):  # it leads nowhere
            return "", ""
    return "", ""


def git_folder(top: str) -> str:
    """The git folder of the work tree with that root, or ""."""
    git = os.path.join(top, ".git")
    if os.path.isfile(git):  # a linked work tree, or a submodule
        git = os.path.join(top, _line(git).removeprefix("gitdir:").strip())
    return git if os.path.isfile(os.path.join(git, "HEAD")) else ""


def nearest(folder: str, home: str) -> str:
    """The nearest folder upwards that holds a file of ours, never `home`; "" without one."""
    for each in _upwards(folder):
        if each == home and each != folder:
            return ""
        if _holds(each, SIGNS):
            return each
    return ""


def may_be_set(root: str) -> bool:
    """Whether a project has settings of ours, which may move the places of its files."""
    if os.path.lexists(os.path.join(root, "onward.toml")):
        return True
    try:
        return b"onward" in regular.head(os.path.join(root, "pyproject.toml"), _LARGEST)
    except OSError:
        return False


def _holds(folder: str, names: tuple[str, ...]) -> bool:
    return any(os.path.lexists(os.path.join(folder, name)) for name in names)


def _upwards(folder: str) -> list[str]:
    found = [folder]
    while (parent := os.path.dirname(found[-1])) != found[-1]:
        found.append(parent)
    return found


def _line(path: str) -> str:
    """The first line of a file of git's; "" for one that is not there."""
    try:
        text = regular.head(path, _LINE).decode("utf-8", "surrogateescape")
        return text.split("\n", 1)[0]
    except OSError:
        return ""
