"""What git says of each place now. All are asked at once; one that is slow is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from onward import regular
from onward.commands.overview.places import Place
from onward.errors import OnwardError
from onward.model import RepoState
from onward.repo import status
from onward.repo.git import Where
from onward.storage import roots

_BRANCH = "ref: refs/heads/"
_AT_ONCE = 8
"""Processes of git at the same time."""


def states(places: Iterable[Place]) -> dict[Path, RepoState[str]]:
    """What git says of each work tree; nothing of those that it does not answer for at once."""
    found: dict[Path, RepoState[str]] = {}
    for some in _batches(places):
        begun = [(where, status.begin(where)) for where in some]
        for where, process in begun:
            try:
                found[where.top] = status.read(where, process, patient=False).state
            except OnwardError:  # it belongs to somebody else, or takes its time
                continue
    return found


def under_way(place: Place) -> tuple[str, str]:
    """The merge, rebase or the like that is under way, and the branch that git is on ("" while it
    is on none); told by git's own files. ("", "") for nothing.
    """
    where = _where(place)
    found = status.operation(where.own) if where else ""
    if not where or not found:
        return "", ""
    with suppress(OSError, UnicodeDecodeError):
        head = regular.head(where.own / "HEAD", 4096).decode().strip()
        return found, head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
    return found, ""


def _batches(places: Iterable[Place]) -> Iterator[Sequence[Where]]:
    rest = (where for place in places if (where := _where(place)))
    while some := list(islice(rest, _AT_ONCE)):
        yield some


def _where(place: Place) -> Where | None:
    own = "" if place.gone else roots.git_folder(str(place.root))
    return Where(place.root, Path(own), Path(place.common)) if own else None
