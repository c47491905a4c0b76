"""Distil: what was created in a session and removed again, as a dead end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from onward.distill import paths
from onward.model import Item

_NAMED = 4
_PLACES = 4


class Unmade(NamedTuple):
    """One file, or one folder with its files, that was created and removed again."""

    path: str
    files: tuple[str, ...]
    first: int
    """Running number of the first edit."""
    made: tuple[str, ...]
    """Place where it was created."""
    place: str
    """Place where it was removed."""
    request: int
    """Number of the prompt that it was removed for."""


def removed(
    unmade: Sequence[Unmade], standing: Iterable[tuple[str, int]], root: str
) -> tuple[Item[str], ...]:
    """What is really gone, one line a request, in order of time.

    `standing` is the files that are there now, with the running number of their first edit:
    what was made anew, or under the same name elsewhere, was moved and not taken back.
    """
    there = list(standing)
    gone = [u for u in unmade if not (_lives_on(u, there) or _is_copy(u, there))]
    out: list[Item[str]] = []
    for _, group in groupby(gone, key=lambda u: u.request):
        parts = list(group)
        names = list(dict.fromkeys(paths.relative(u.path, root) + _count(u) for u in parts))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        text = f"Created {', '.join(names[:_NAMED])}{more}, then removed "
        text += "it" if len(names) == 1 else "them"
        places = dict.fromkeys((*parts[0].made, *(u.place for u in parts)))
        out.append(Item(text=text, evidence="observed", places=tuple(places)[:_PLACES]))
    return tuple(out)


def _lives_on(unmade: Unmade, there: list[tuple[str, int]]) -> bool:
    """Whether the folder, or every file of it, stands again or stands elsewhere."""
    if any(path == unmade.path or path.startswith(unmade.path + "/") for path, _ in there):
        return True
    later = {_name(path) for path, first in there if first > unmade.first}
    return all(_name(path) in later for path in unmade.files)


def _is_copy(unmade: Unmade, there: list[tuple[str, int]]) -> bool:
    """Whether it was a copy beside a file that is there: `setup.sh.bak` of `setup.sh`."""
    return any(unmade.path.startswith(path + ".") for path, _ in there)


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _count(unmade: Unmade) -> str:
    return f"/ with {len(unmade.files)} files" if len(unmade.files) > 1 else ""
