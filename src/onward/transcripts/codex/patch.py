"""The files that a patch changes, from its own text or from a diff."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from onward.transcripts import truncation
from onward.transcripts.codex.records import Change as Told
from onward.transcripts.diff import counted, created, diff, hunks

Kind = Literal["created", "edited", "deleted", "renamed"]

_HEAD: Final = re.compile(r"(Add|Update|Delete) File: (.+)")
_MOVE: Final = re.compile(r"Move to: (.+)")
_ADDED: Final = re.compile(r"\n\+(.*)")
_REMOVED: Final = re.compile(r"\n-(.*)")
_KINDS: Final[dict[str, Kind]] = {"Add": "created", "Update": "edited", "Delete": "deleted"}
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
        spans=created(added) if kind == "created" else (),
        text=truncation.first_lines("\n".join(line[1] for line in first)),
        gone=truncation.few_lines([line[1] for line in gone]),
    )


def _told(path: str, one: Told) -> Change:
    lines = counted(one.content)
    if one.type == "delete":
        return Change(path=path, kind="deleted", removed=lines)
    if one.type == "add":
        text = truncation.first_lines(one.content or "")
        return Change(path=path, kind="created", added=lines, spans=created(lines), text=text)
    kind: Kind = "renamed" if one.move_path else "edited"
    told = asdict(diff(hunks(one.unified_diff or "")))
    return Change(path=path, kind=kind, to=one.move_path or "", **told)
