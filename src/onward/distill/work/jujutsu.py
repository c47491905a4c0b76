"""Distil: commits and pushes of Jujutsu (`jj`), read from what it printed.

A change keeps its id while its hash is rewritten by every later command; the id is what a
commit is known by again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from onward.distill import paths
from onward.distill.shell import prefixes
from onward.distill.shell.split import Command
from onward.distill.work.git_words import subject_of

_LINE = re.compile(
    r"^(Working copy|Parent commit) +\(@-?\) *(?:now at)?: ([k-z]{8,32}) ([0-9a-f]{8,40}) (.*)$",
    re.MULTILINE,
)
_PUSHED = re.compile(
    r"^ +(?:bookmark: (\S+) \[(?!delete)|(?:Move (?:forward|sideways|backward)|Add) bookmark (\S+) )",
    re.MULTILINE,
)
_STATES = re.compile(r"^(?:\((?:empty|conflict|divergent)\) )+")
_PLACED = {"-R", "--repository", "-m", "--message"}


class Made(NamedTuple):
    """One commit. `paths` is what it was restricted to, () where it took in everything."""

    change: str
    sha: str
    subject: str
    paths: tuple[str, ...] = ()


def jj_words(command: Command) -> tuple[str, ...]:
    """The words behind `jj`; () for any other program."""
    words = prefixes.bare(command.words)
    return words[1:] if words and prefixes.name(words[0]) == "jj" else ()


def commits(commands: Sequence[Command], text: str) -> Iterator[Made]:
    """What `jj commit` and `jj describe` made, and what `jj squash` added to."""
    lines = {kind: (change, sha, said) for kind, change, sha, said in _LINE.findall(text)}
    for command in commands:
        words = jj_words(command)
        kind = "Working copy" if words[:1] in {("describe",), ("desc",)} else "Parent commit"
        if words[:1] not in {("commit",), ("ci",), ("describe",), ("desc",), ("squash",)}:
            continue
        change, sha, said = lines.get(kind, ("", "", ""))
        subject = _subject(said) or subject_of(words)
        if words[0] == "squash" and not change:
            continue
        if subject:
            only = _filesets(words, command.cwd) if words[0] in {"commit", "ci"} else ()
            yield Made(change, sha[:8], subject, only)


def pushes(commands: Sequence[Command], text: str) -> list[str]:
    """The bookmarks that `jj git push` moved; deleted ones are not told."""
    if not any(jj_words(command)[:2] == ("git", "push") for command in commands):
        return []
    return [name for names in _PUSHED.findall(text) for name in names if name]


def _subject(said: str) -> str:
    """`main* | Fix it` is `Fix it`; a commit without a description has none."""
    said = _STATES.sub("", said.strip())
    said = said.rsplit(" | ", 1)[-1] if " | " in said else said
    return "" if said.startswith("(no description set)") else said.strip()[:200]


def _filesets(words: tuple[str, ...], cwd: str) -> tuple[str, ...]:
    plain = [
        w
        for before, w in pairwise(words)
        if before not in _PLACED and not w.startswith("-") and paths.has_suffix(w)
    ]
    return tuple(paths.join(cwd, w) for w in plain if paths.known(w))
