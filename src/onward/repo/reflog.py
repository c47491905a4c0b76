"""repo.reflog: where the branch stood when a session ended, by the reflog."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from onward.repo.git import ask, decode, where


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
