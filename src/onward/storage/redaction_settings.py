"""The files with which people add to redaction, or say what is none of its business."""

from __future__ import annotations

import os
import stat
from functools import lru_cache
from pathlib import Path

from onward.errors import InputError, NotFoundError, StorageError
from onward.redaction import user_rules
from onward.redaction.user_rules import ALLOWANCES, LARGEST, Allowed, Loaded

_read = lru_cache(maxsize=4)(user_rules.read_rules)
_allowed = lru_cache(maxsize=4)(user_rules.read_allowances)


def rules(path: Path, *, regular: bool = False) -> Loaded:
    """The rules in a gitleaks.toml; where it must be `regular` a pipe, which may never end, is
    not one. Raises NotFoundError, StorageError, and InputError for what is none.
    """
    if not (path.is_file() if regular else path.exists()):
        raise NotFoundError(f"there is no file of rules {path}", f"ls {path.parent}")
    try:
        return _read(_bytes(path).decode(), path.name)
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8", f"save {path.name} as UTF-8") from None


def allowances(root: Path) -> Allowed:
    """The entries of `.onwardignore` at the root of a project. Raises InputError, StorageError.

    A link is refused: one that came with a repository could lead to a file of yours whose
    lines are the very secrets.
    """
    path = root / ALLOWANCES
    try:
        kind = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return Allowed()
    if not stat.S_ISREG(kind):
        raise InputError(
            f"{path} is no file of its own, so nothing is written",
            f"put a file in the place of {path.name}, or take it away",
        )
    raw = _bytes(path)
    if len(raw) > LARGEST:
        raise InputError(f"{path} is larger than 1 MB", f"take entries out of {path.name}")
    return _allowed(raw.decode("utf-8", "replace"))


def _bytes(path: Path) -> bytes:
    """One byte more than the largest file has, at most; a user may name a pipe."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StorageError(f"{path} cannot be read: {reason}", f"ls -ld {path}") from None
