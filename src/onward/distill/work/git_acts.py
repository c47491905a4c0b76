"""Distil: one thing done with git; what a push and a switch of the branch printed, and tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from onward.model import Item

_PUSHED = re.compile(
    r"^ [ +*] (?:\[new (?:branch|tag)\]|[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,})\s+(\S+) -> (\S+)",
    re.MULTILINE,
)
_SWITCHED = re.compile(
    r"^Switched to (?:a new )?branch '([^']+)'|^branch '([^']+)' set up", re.MULTILINE
)
_TAG = re.compile(r"v?\d[\w.+-]*")
_LISTS = frozenset({"-l", "--list", "-d", "-n"})

ActKind = Literal["commit", "push", "pr", "tag", "branch", "merge"]


class Act(Struct, frozen=True, kw_only=True):
    """One thing done with git or its host, as its own output shows."""

    kind: ActKind
    at: int
    item: Item[str]
    sha: str = ""
    subject: str = ""
    branch: str = ""
    whole: bool = False
    """The commit took in every change (`git add -A`, `commit -a`)."""
    paths: tuple[str, ...] = ()
    """Paths that were added before it, joined with their folder."""
    files: tuple[str, ...] = ()
    """Files in it as git printed them, from the root of the work tree."""
    complete: bool = False
    """Whether `files` are all of them."""
    change: str = ""
    """The change id, which outlives the hash where commits are rewritten."""


def observed(text: str, place: str) -> Item[str]:
    """A line that a result vouches for."""
    return Item(text=text, evidence="observed", places=(place,))


def pushed(text: str, place: str, at: int) -> list[Act]:
    """The branches and tags that a push moved."""
    out: list[Act] = []
    for name, to in _PUSHED.findall(text):
        told = f"Pushed {name}" if name == to else f"Pushed {name} to {to}"
        out.append(Act(kind="push", at=at, item=observed(told, place), branch=name))
    return out


def switched(text: str, place: str, at: int) -> list[Act]:
    """The branches that were switched to."""
    names = [one or other for one, other in _SWITCHED.findall(text)]
    return [
        Act(kind="branch", at=at, item=observed(f"Switched to branch {n}", place), branch=n)
        for n in names
    ]


def tagged(scripts: Sequence[tuple[str, ...]], place: str, at: int) -> list[Act]:
    """The tags that `git tag` made, by the words of each git command."""
    names = [
        next((w for w in words[1:] if _TAG.fullmatch(w)), "")
        for words in scripts
        if words[:1] == ("tag",) and not _LISTS & set(words)
    ]
    return [Act(kind="tag", at=at, item=observed(f"Tagged {n}", place)) for n in names if n]
