"""Where a client keeps its things, and folders as clients of either system spell them."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path


def of_client(home: Path, env: Mapping[str, str], variable: str, usual: str) -> Path:
    """The folder that a user moved with `variable`, else the `usual` one of their home. Whole,
    since what is read there is told to other processes, which run elsewhere.
    """
    moved = env.get(variable)
    return Path(os.path.abspath(moved)) if moved else home / usual  # noqa: PTH100 - follows no link


def waits(path: Path) -> bool:
    """Whether opening it may never end: a pipe under the name of a transcript."""
    try:
        return stat.S_ISFIFO(path.stat().st_mode)
    except OSError:  # told when it is read
        return False


def below(folder: str, top: str) -> bool:
    """Whether a folder is `top` or lies in it, in the spelling of either system."""
    one, other = _spelled(folder), _spelled(top)
    return one == other or one.startswith(f"{other}/")


def _spelled(folder: str) -> str:
    plain = folder.replace("\\", "/").rstrip("/")
    return plain.casefold() if plain[1:2] == ":" else plain
