"""The files that a patch changes, from its own text or from a diff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from onward.transcripts import truncation
from onward.transcripts.codex.records import Change as Told

Kind = Literal["created", "edited", "deleted", "renamed"]

_HEAD: Final = re.compile(r"(Add|Update|Delete) File: (.+)")
_MOVE: Final = re.compile(r"Move to: (.+)")
_ADDED: Final = re.compile(r"\n\+(.*)")
_REMOVED: Final = re.compile(r"\n-(.*)")
_KINDS: Final[dict[str, Kind]] = {"Add": "created", "Update": "edited", "Delete": "deleted"}
_HUNK: Final = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_HEREDOC: Final = re.compile(
    r"(?:cd\s+(?P<cd>\"[^\"\n]+\"|'[^'\n]+'|\S+)\s*&&\s*)?"
    r"(?:apply_patch|applypatch)\s*<<-?\s*(?P<q>['\"]?)(?P<end>\w+)(?P=q)[^\n]*+(?:\n|\Z)"
)


class Change(Struct, frozen=True, kw_only=True):
    """What a patch does to one file; `spans` are lines of the new file where they are known."""

    path: str
    kind: Kind
    to: str = ""
    added: int = 0
    removed: int = 0
    spans: tuple[tuple[int, int], ...] = ()
    text: str = ""
    gone: str = ""


def changes(text: str, folder: str = "") -> tuple[Change, ...]:
    """The files of a patch in the client's own form, their paths as seen from `folder`."""
    found: list[Change] = []
    for part in f"\n{text}".split("\n*** ")[1:]:
        if head := _HEAD.match(part):
            found.append(_change(_KINDS[head[1]], joined(folder, head[2].strip()), part))
        elif found and (move := _MOVE.match(part)):
            rest = _change("renamed", found[-1].path, part)
            found[-1] = replace(rest, to=joined(folder, move[1].strip()))
    return tuple(found)


def told(given: Mapping[str, Told]) -> tuple[Change, ...]:
    """The files of a patch that was applied, as the client's news tell them."""
    return tuple(_told(path, one) for path, one in given.items())


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
        found += changes(body, joined(folder, own) if own else folder)
        at = close.end() if close else len(script)
    return tuple(found), "".join([*rest, script[at:]]).strip(" \n;&") if found else script


def joined(folder: str, path: str) -> str:
    """A path as seen from a folder, in the spelling of either system."""
    if not folder or path.startswith(("/", "~")) or path[1:2] == ":":
        return path
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}"


def _change(kind: Kind, path: str, body: str) -> Change:
    """One file of a patch: its body counts by the signs that its lines begin with."""
    added = body.count("\n+")
    first = islice(_ADDED.finditer(body), truncation.FIRST)
    gone = islice(_REMOVED.finditer(body), truncation.FEW)
    return Change(
        path=path,
        kind=kind,
        added=added,
        removed=body.count("\n-"),
        spans=((1, added),) if kind == "created" and added else (),
        text=truncation.first_lines("\n".join(line[1] for line in first)),
        gone=truncation.few_lines([line[1] for line in gone]),
    )


def _told(path: str, one: Told) -> Change:
    if one.type == "delete":
        return Change(path=path, kind="deleted", removed=_lines(one.content))
    if one.type == "add":
        added = _lines(one.content)
        return Change(
            path=path,
            kind="created",
            added=added,
            spans=((1, added),) if added else (),
            text=truncation.first_lines(one.content or ""),
        )
    spans, first, gone, added = _diff(one.unified_diff or "")
    return Change(
        path=path,
        kind="renamed" if one.move_path else "edited",
        to=one.move_path or "",
        added=added,
        removed=len(gone),
        spans=spans,
        text=truncation.first_lines("\n".join(first)),
        gone=truncation.few_lines(gone),
    )


def _diff(text: str) -> tuple[tuple[tuple[int, int], ...], list[str], list[str], int]:
    """Changed lines of the new file, the first added ones, those that went, and how many came."""
    spans: list[tuple[int, int]] = []
    first: list[str] = []
    gone: list[str] = []
    added = 0
    for start, lines in _hunks(text):
        here, low, high = start, 0, 0
        for line in lines:
            mark = line[:1]
            if mark == "+":
                added += 1
                low, high = low or here, here
                if len(first) < truncation.FIRST:
                    first.append(line[1:])
            elif mark == "-":
                gone.append(line[1:])
                low = low or max(here, 1)
            here += mark not in {"-", "\\"}
        if low:
            spans.append((low, max(low, high)))
    return tuple(spans), first, gone, added


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


def _lines(text: str | None) -> int:
    return text.count("\n") + (not text.endswith("\n")) if text else 0
