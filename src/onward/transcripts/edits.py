"""The lines that an edit changes: from a unified diff, a patch in Codex's form, or the texts that a
tool was given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from onward.model import Edited
from onward.transcripts import truncation

HERE: Final = 0
"""The line of an event that `reader.placed` is to set."""
Kind = Literal["created", "edited", "deleted", "renamed"]
Spans = tuple[tuple[int, int], ...]

_HUNK: Final = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_NOT_IN_NEW: Final = frozenset({"-", "\\"})
"""Marks of patch lines that the new file does not hold; the second says "no newline at end"."""
_HEAD: Final = re.compile(r"(Add|Update|Delete) File: (.+)")
_MOVE: Final = re.compile(r"Move to: (.+)")
_KINDS: Final[dict[str, Kind]] = {"Add": "created", "Update": "edited", "Delete": "deleted"}
_HEREDOC: Final = re.compile(
    r"(?:cd\s+(?P<cd>\"[^\"\n]+\"|'[^'\n]+'|\S+)\s*&&\s*)?"
    r"(?:apply_patch|applypatch)\s*<<-?\s*(?P<q>['\"]?)(?P<end>\w+)(?P=q)[^\n]*+(?:\n|\Z)"
)


class Diff(Struct, frozen=True):
    """Changed lines of the new file, the first ones that came, how many came and went, and the
    first that went.
    """

    spans: Spans = ()
    text: str = ""
    added: int = 0
    removed: int = 0
    gone: str = ""


class Change(Struct, frozen=True, kw_only=True):
    """What an edit does to one file; `to` is its new path where it was renamed."""

    path: str
    kind: Kind = "edited"
    to: str = ""
    diff: Diff = Diff()

    def event(self, *, by_user: bool = False) -> Edited:
        """The edit as an event."""
        return Edited(
            line=HERE,
            path=self.path,
            change=self.kind,
            to=self.to,
            by_user=by_user,
            **asdict(self.diff),
        )


def diff(hunks: Iterable[tuple[int, Sequence[str]]]) -> Diff:
    """What hunks say: of each its first line in the new file, and its lines with their marks."""
    spans: list[tuple[int, int]] = []
    added: list[str] = []
    removed: list[str] = []
    for start, lines in hunks:
        here, first, last = start, 0, 0
        for line in lines:
            mark = line[:1]
            if mark == "+":
                added.append(line[1:])
                first, last = first or here, here
            elif mark == "-":
                removed.append(line[1:])
                first = first or max(here, 1)
            here += mark not in _NOT_IN_NEW
        if first:
            spans.append((first, max(first, last)))
    return Diff(
        tuple(spans),
        truncation.first_lines("\n".join(added[: truncation.FIRST])),
        len(added),
        len(removed),
        truncation.few_lines(removed),
    )


def unified(text: str) -> Diff:
    """What a unified diff of one file says."""
    return diff(_hunks(text))


def _hunks(text: str) -> Iterator[tuple[int, list[str]]]:
    start, lines = 0, list[str]()
    for line in text.splitlines():
        if head := _HUNK.match(line):
            if start:
                yield start, lines
            start, lines = int(head[1]), []
        elif start:
            lines.append(line)
    if start:
        yield start, lines


def replaced(changes: Sequence[tuple[str, str]]) -> Diff:
    """What old texts that give way to new ones tell; where in the file is not known."""
    old, new = changes[0]
    return Diff(
        text=truncation.first_lines(new),
        added=sum(counted(each) for _, each in changes),
        removed=sum(counted(each) for each, _ in changes),
        gone=truncation.few_lines(old.split("\n")),
    )


def new_file(put: Diff) -> Diff:
    """The same text as the whole of a new file."""
    return Diff(created(put.added), put.text, put.added)


def created(added: int) -> Spans:
    """The changed lines of a new file."""
    return ((1, added),) if added else ()


def counted(text: Any) -> int:
    """How many lines a text has."""
    if not isinstance(text, str) or not text:
        return 0
    return text.count("\n") + (not text.endswith("\n"))


# ----------------------------------------------------------------- patches in Codex's form


def patched(text: str, folder: str = "") -> tuple[Change, ...]:
    """The files of a patch in the client's own form, their paths as seen from `folder`."""
    found: list[Change] = []
    for part in f"\n{text}".split("\n*** ")[1:]:
        if head := _HEAD.match(part):
            found.append(_change(_KINDS[head[1]], joined(folder, head[2].strip()), part))
        elif found and (move := _MOVE.match(part)):
            rest = _change("renamed", found[-1].path, part)
            found[-1] = replace(rest, to=joined(folder, move[1].strip()))
    return tuple(found)


def in_script(script: str, folder: str = "") -> tuple[tuple[Change, ...], str]:
    """The files of the patches within a shell script, and what else the script does."""
    found: list[Change] = []
    rest: list[str] = []
    at = 0
    while head := _HEREDOC.search(script, at):
        rest.append(script[at : head.start()])
        # From a line's end on: a beginning of a line would be sought at every letter.
        end = re.compile(rf"\n[ \t]*{head['end']}[ \t]*(?=\n|\Z|\))")
        close = end.search(script, head.end() - 1)
        own = (head["cd"] or "").strip("\"'")
        body = script[head.end() : close.start() + 1 if close else len(script)]
        found += patched(body, joined(folder, own) if own else folder)
        at = close.end() if close else len(script)
    return tuple(found), "".join([*rest, script[at:]]).strip(" \n;&") if found else script


def joined(folder: str, path: str) -> str:
    """A path as seen from a folder, in the spelling of either system."""
    if not folder or path.startswith(("/", "~")) or path[1:2] == ":":
        return path
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}"


def _change(kind: Kind, path: str, body: str) -> Change:
    """One file of a patch, whose lines have marks and no numbers."""
    told = diff([(1, body.split("\n")[1:])])
    spans = created(told.added) if kind == "created" else ()
    return Change(path=path, kind=kind, diff=replace(told, spans=spans))
