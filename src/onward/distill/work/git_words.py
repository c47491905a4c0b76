"""Distil: the words of a git command, and what git printed of the files in a commit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from onward.distill.shell import prefixes
from onward.distill.shell.split import Command

_STAT = re.compile(r"^ (\S[^|\n]{0,300}?) +\| +(?:\d+(?: [+-]+)?|Bin\b.*)$", re.MULTILINE)
_MODE = re.compile(r"^ (?:create|delete) mode \d{6} (.+)$", re.MULTILINE)
_RENAME = re.compile(r"^ (?:rename|copy) (.+) \(\d+%\)$", re.MULTILINE)
_ARROW = re.compile(r"\{([^{}]*) => ([^{}]*)\}")
_CHANGED = re.compile(r"^ (\d+) files? changed", re.MULTILINE)


def git_words(command: Command) -> tuple[str, ...]:
    """The words behind `git` and its own options; () for any other program."""
    words = prefixes.bare(command.words)
    if not words or prefixes.name(words[0]) != "git":
        return ()
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in {"-C", "-c", "--git-dir", "--work-tree"} else 1
    return words[at:]


def takes_all(words: tuple[str, ...]) -> bool:
    """Whether `git commit` was told to take in every change: `-a`, `-am`."""
    return any(w == "--all" or re.fullmatch(r"-[a-z]*a[a-z]*", w) for w in words)


def opens_pull(command: Command) -> bool:
    """Whether a command of the host opens or merges a pull request."""
    words = prefixes.bare(command.words)
    return words[1:3] in {("pr", "create"), ("mr", "create"), ("pr", "merge")}


def subject_of(words: tuple[str, ...]) -> str:
    """First line of the message of `… commit -m …`, here-documents in `$(cat …)` too."""
    for at, word in enumerate(words[:-1]):
        if re.fullmatch(r"-[a-z]*m|--message", word):
            message = re.sub(r"^\$\(cat <<-?\s*['\"]?\w+['\"]?\s*\n", "", words[at + 1])
            return message.strip().split("\n", 1)[0].strip()[:200]
    return ""


def sections(heads: Sequence[re.Match[str]], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each head with what stands between it and the next one."""
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(text)
        yield head, text[head.end() : end]


def files_in(text: str) -> tuple[tuple[str, ...], bool]:
    """The files that `--stat` or a commit's own output names, renamed ones by both names, and
    whether they are all of them.
    """
    stat = _STAT.findall(text)
    named = [*stat, *_MODE.findall(text), *_RENAME.findall(text)]
    total = _CHANGED.findall(text)
    whole = bool(stat) and len(total) == 1 and int(total[0]) == len(stat)
    return tuple(dict.fromkeys(name for entry in named for name in _both(entry.strip()))), whole


def _both(name: str) -> tuple[str, ...]:
    """`src/{a => b}/x.py` is `src/a/x.py` and `src/b/x.py`; `.../x.py` is `x.py`."""
    name = name.removeprefix(".../")
    if _ARROW.search(name):
        return tuple(_ARROW.sub(rf"\{n}", name).replace("//", "/") for n in (1, 2))
    return tuple(name.split(" => "))
